"""An answer in a real kernel: what Jupyter is given to show."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from assistant import Assistant
from tests.conftest import ROOT

TWICE = "RuntimeError: Trying to backward through the graph a second time"


class Page(HTMLParser):
    """The tags that are open at the end, and those that were seen."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_folded_below_the_first_screen(real: Assistant) -> None:
    shown = real.ask(TWICE)._repr_html_()
    page = Page(shown)
    assert page.open == []
    assert page.seen.count("details") == page.seen.count("summary") >= 4
    assert "script" not in page.seen
    assert shown.index("hidden = hidden.detach()") < shown.index("<details>")
    assert "<summary>Fix</summary>" in shown
    assert "```" not in shown


def test_markup_in_a_paste_stays_text(real: Assistant) -> None:
    shown = real.ask(f"{TWICE}\nValueError: <script>alert(1)</script>")._repr_html_()
    assert "script" not in Page(shown).seen
    assert "script" not in Page(real.ask("ValueError: <script>alert(1)</script> zork")._repr_html_()).seen


def test_in_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    import nbformat

    notebook = nbformat.v4.new_notebook()
    code = f"from assistant import Assistant\nAssistant(vectors=False).ask({TWICE!r})"
    notebook.cells = [nbformat.v4.new_code_cell(code)]
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    client.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    data = notebook.cells[0].outputs[-1]["data"]
    assert "<summary>Fix</summary>" in data["text/html"]
    assert "hidden = hidden.detach()" in data["text/markdown"]


def test_why_in_a_kernel_names_the_cells_line_and_its_operands(tmp_path: Path) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    from tests.bench.broken_programs import programs, run_cells

    chosen = [each for each in programs() if each.name in ("autoencoder", "table_of_doubles", "gan_step")]
    found = list(run_cells(chosen, str(tmp_path)))
    assert len(found) == 3
    assert all(each.entry and each.line and each.operands for each in found), found


def test_why_names_the_cell(tmp_path: Path) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    from jupyter_client.manager import start_new_kernel

    from tests.bench.broken_programs import environment, printed

    manager, client = start_new_kernel(
        kernel_name="python3", env=environment(str(tmp_path)), cwd=str(tmp_path)
    )
    try:
        printed(client, "%load_ext assistant")
        printed(client, "import torch\ndef product(x):\n    return x @ x")
        printed(client, "product(torch.ones(2, 3))")
        page = printed(client, "print(get_ipython().run_line_magic('why', ''))")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert "`Cell In[2]:3` in `product`" in page
