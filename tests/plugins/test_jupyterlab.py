"""An answer in a real JupyterLab in a real Chromium: folded, opened by a click, and a paste's markup left as text.

Runs where a `jupyter-lab` is on the PATH; its Python has to know torch and what torchwhy needs.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support import browser

JUPYTERLAB = shutil.which("jupyter-lab")
TWICE = "RuntimeError: Trying to backward through the graph a second time"
CELLS = (
    f"from torchwhy import Assistant\nAssistant(vectors=False).ask({TWICE!r})",
    f"Assistant(vectors=False).ask({TWICE + chr(10) + 'ValueError: <img src=x onerror=alert(1)>'!r})",
    "%load_ext torchwhy\nimport torch\ntorch.ones(2, 3) @ torch.ones(2, 3)",
    "%why",
)
CELLS_SHOWN = "[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')]"
OUTPUTS = "[...document.querySelectorAll('.jp-OutputArea-output')]"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.mark.skipif(browser.CHROMIUM is None, reason="no Chromium is installed (apt-get install chromium)")
@pytest.mark.skipif(JUPYTERLAB is None, reason="no jupyter-lab is on the PATH (pip install jupyterlab)")
def test_an_answer_in_jupyterlab(tmp_path: Path) -> None:
    import nbformat

    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}  # no dialogue asks
    notebook.cells = [nbformat.v4.new_code_cell(each) for each in CELLS]
    (tmp_path / "work").mkdir()
    nbformat.write(notebook, tmp_path / "work" / "asked.ipynb")
    port, token = free_port(), secrets.token_hex(16)
    words = [str(JUPYTERLAB), "--no-browser", "--allow-root", f"--ServerApp.port={port}"]
    words += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={tmp_path / 'work'}"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "assistant"),
        "HOME": str(tmp_path),
        "PYTHONWARNINGS": "ignore",
    }
    with (tmp_path / "server.log").open("wb") as log:
        server = subprocess.Popen(words, stdout=log, stderr=log, env=environment, cwd=tmp_path / "work")
    try:
        wait_for(port, server)
        asyncio.run(look(tmp_path / "profile", f"http://127.0.0.1:{port}/lab/tree/asked.ipynb?token={token}"))
    finally:
        server.terminate()
        server.wait(30)


def wait_for(port: int, server: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Until the server takes connections."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert server.poll() is None, "jupyter-lab did not start"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("jupyter-lab takes no connections")


async def click(page: browser.Page, element: str) -> None:
    """With the mouse: the toolbar's buttons hear of nothing else."""
    box = await page.value(
        f"(r => [r.x + r.width / 2, r.y + r.height / 2])({element}.getBoundingClientRect())"
    )
    at = {"x": box[0], "y": box[1], "button": "left", "clickCount": 1}
    await page.ask("Input.dispatchMouseEvent", type="mousePressed", **at)
    await page.ask("Input.dispatchMouseEvent", type="mouseReleased", **at)


async def look(profile: Path, address: str) -> None:
    async with browser.page(profile, (1300, 900)) as page:
        await page.ask("Page.navigate", url=address)
        run = "document.querySelector('[data-command=\"notebook:run-cell-and-select-next\"]')"
        await page.until(f"!!{run} && !!document.querySelector('.jp-Notebook .jp-Cell')", 120)
        await page.until("!!document.querySelector('.jp-Notebook-ExecutionIndicator[data-status=idle]')", 120)
        for number in range(len(CELLS)):
            begun = f"/[*\\d]/.test({CELLS_SHOWN}[{number}].querySelector('.jp-InputPrompt').textContent)"
            while not await page.value(begun):  # a click that comes before the page is ready does nothing
                await click(page, run)
                await asyncio.sleep(2)
            await page.until(begun.replace("*", ""), 120)  # it has run, or raised
        await page.until(f"{OUTPUTS}.at(-1).innerText.includes('matmul-shape-mismatch')")  # by %why

        first = f"{OUTPUTS}.find(each => each.querySelector('details'))"
        await page.value(f"{first}.scrollIntoView()")  # what is out of sight is not drawn
        await page.until(f"{first}.querySelector('pre').innerText.includes('hidden = hidden.detach()')")
        assert await page.value(f"getComputedStyle({first}.querySelector('pre')).whiteSpace") == "pre"
        assert await page.value(f"{first}.querySelectorAll('details[open]').length") == 0
        await click(page, f"{first}.querySelector('summary')")
        await page.until(f"{first}.querySelectorAll('details[open]').length === 1")
        assert await page.value(f"{first}.querySelector('details[open]').innerText.length") > 200

        # what was pasted is text, in the second answer as well
        assert await page.value(f"{OUTPUTS}.filter(each => each.querySelector('img, script')).length") == 0
        assert await page.value(f"{OUTPUTS}.some(each => each.textContent.includes('<img src=x'))")
