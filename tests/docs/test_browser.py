"""The site in Chromium: a paste finds its page, nothing is asked of anybody else, no serious hindrance by axe."""

from __future__ import annotations

import asyncio
import functools
import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.browser import CHROMIUM, page

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
# `npm install axe-core` in the checkout; or NODE_PATH names a folder of node_modules that has it
AXE = next(
    (
        path
        for folder in (
            ROOT / "node_modules",
            *map(Path, filter(None, os.environ.get("NODE_PATH", "").split(":"))),
        )
        if (path := folder / "axe-core" / "axe.min.js").is_file()
    ),
    None,
)
PAGES = (
    "",
    "search/",
    "pitfalls/",
    "messages/",
    "messages/valueerror/",
    "releases/",
    "guides/",
    "guides/first-diagnosis/",
    "guides/architecture/",
    "reference/",
    "reference/commands/",
    "reference/python/",
    "p/backward-twice/",
    "p/ambiguous-bool/",
    "p/driver-too-old/",
    "f/gpu-memory-grows/",
    "zh/",
    "zh/search/",
    "zh/p/ambiguous-bool/",
    "zh/f/training-hangs/",
)
PASTE = """Traceback (most recent call last):
  File "train.py", line 5, in <module>
    y.backward()
RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def base(site: Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("prefix", ["", "zh/"])
async def test_a_paste_finds_its_page_and_nothing_leaves(base: str, prefix: str, tmp_path: Path) -> None:
    async with page(tmp_path) as tab:
        await tab.ask("Page.navigate", url=base + prefix)
        await tab.until("document.readyState === 'complete' && !!document.getElementById('finder')")
        before = set(tab.asked)
        await tab.value(f"document.getElementById('question').value = {PASTE!r}")
        await tab.value("document.getElementById('finder').requestSubmit()")
        first = await tab.until("document.querySelector('#found a')?.getAttribute('href')")
        assert first.endswith(f"{prefix}p/backward-twice/"), first
        later = {address.removeprefix(base) for address in tab.asked - before}
        assert later - {"assets/icon.svg"} == {"assets/tables.json"}
        await tab.value("document.querySelector('#found a').click()")
        await tab.until("location.pathname.endsWith('/p/backward-twice/')")
        assert all(address.startswith(base) for address in tab.asked if not address.startswith("about:"))
        assert tab.complaints == []


async def test_a_hostile_paste_is_text_and_no_foreign_script_runs(base: str, tmp_path: Path) -> None:
    """Neither a paste's markup nor a script that got into a page by another way does anything."""
    markup = "<img src=x onerror=window.pwned=1><script>window.pwned=1</script>"
    paste = f"ValueError: {markup}\n{PASTE}\nModuleNotFoundError: No module named '{markup}'"
    async with page(tmp_path) as tab:
        await tab.ask("Page.navigate", url=base)
        await tab.until("document.readyState === 'complete' && !!document.getElementById('finder')")
        await tab.value(f"document.getElementById('question').value = {paste!r}")
        await tab.value("document.getElementById('finder').requestSubmit()")
        await tab.until("document.querySelector('#found a')?.getAttribute('href')")
        assert await tab.value("document.querySelectorAll('#found img, #found script').length") == 0
        await tab.value(
            "document.getElementById('found').insertAdjacentHTML('beforeend', "
            "'<img src=x onerror=window.pwned=1>'), true"
        )
        await tab.value(
            "(() => { const one = document.createElement('script'); one.textContent = 'window.pwned = 1';"
            " document.body.append(one); return true })()"
        )
        await asyncio.sleep(0.3)
        assert await tab.value("window.pwned === undefined")


async def test_light_and_dark_are_kept(base: str, tmp_path: Path) -> None:
    async with page(tmp_path) as tab:
        paper = "getComputedStyle(document.body).backgroundColor"
        await tab.ask("Page.navigate", url=base)
        await tab.until("document.getElementById('theme')?.hidden === false")
        light = await tab.value(paper)
        await tab.value("document.getElementById('theme').click()")
        dark = await tab.value(paper)
        assert light != dark
        await tab.ask("Page.navigate", url=base + "pitfalls/")
        await tab.until("location.pathname === '/pitfalls/' && document.readyState === 'complete'")
        assert await tab.value(paper) == dark


@pytest.mark.skipif(AXE is None, reason="axe-core is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_hindrance(base: str, scheme: str, tmp_path: Path) -> None:
    """axe-core finds nothing serious or critical on a page of each kind."""
    assert AXE is not None
    program = AXE.read_text("utf-8")
    found: dict[str, list[str]] = {}
    async with page(tmp_path) as tab:
        await tab.ask(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
        )
        for path in PAGES:
            await tab.ask("Page.navigate", url=base + path)
            await tab.until(f"location.href === {base + path!r} && document.readyState === 'complete'")
            await tab.value(program + "; true")
            said = await tab.value(
                "axe.run().then(all => [all.passes.length, all.violations"
                ".filter(one => ['serious', 'critical'].includes(one.impact))"
                ".map(one => one.id + ': ' + one.nodes[0].html.slice(0, 200))])"
            )
            assert said[0] > 5, path
            found[path] = said[1]
    assert {path: said for path, said in found.items() if said} == {}
