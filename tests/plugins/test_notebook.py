"""An answer in a real kernel: what Jupyter is given to show."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import ROOT
from torchwhy import Assistant

TWICE = "RuntimeError: Trying to backward through the graph a second time"


class Page(HTMLParser):
    """The tags that are open at the end, those that were seen, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)

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


def test_why_in_a_kernel_names_the_cells_line_and_its_operands(tmp_path: Path) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    from tests.bench.broken_programs import programs, run_cells

    chosen = [each for each in programs() if each.name in ("autoencoder", "table_of_doubles", "gan_step")]
    found = list(run_cells(chosen, str(tmp_path)))
    assert len(found) == 3
    assert all(each.entry and each.line and each.operands for each in found), found


def test_why_shows_the_first_screen_and_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each form that a notebook may choose, with places by the cells' numbers and no frame of IPython's."""
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    import nbformat

    cells = [
        "%load_ext torchwhy\n%why",
        "import torch\ndef product(x):\n    return x @ x",
        "product(torch.ones(2, 3))",
        "%why",
        "import sys; from torchwhy import Assistant\nAssistant(vectors=False).ask(sys.last_value)",
        "import os\nimport no_such_module",
        "%why",
        "%%time\nx = torch.ones(2, 3)\nx @ x",
        "%why",
        "x = = 1",
        "%why zh",
        "from torchwhy.proof.confirmation import Confirmation, Leg\n"
        "legs = (Leg('broken', 'shown', 1, 0.1, 'many lines ' * 200),)\n"
        "Confirmation('backward-twice', 'confirmed', '', legs, sys.executable, '2.9.0')",
        "import torchwhy\ntorchwhy.install()",
        "product(torch.ones(2, 3))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    client.NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True).execute()
    shown = {
        number: cell.outputs[-1].get("data") for number, cell in enumerate(notebook.cells, 1) if cell.outputs
    }
    assert notebook.cells[0].outputs[0].text == "no cell has failed yet\n"
    for number, place, said in (
        (4, "Cell 2, line 3 in product", "    x float32[2, 3]\n"),
        (5, "Cell 2, line 3 in product", "Change  "),
        (7, "Cell 6, line 2 ", "A Python error, not a PyTorch one"),
        (9, "Cell 8, line 3 ", "    x float32[2, 3]\n"),
        (14, "Cell 2, line 3 in product", "    x float32[2, 3]\n"),
        (11, "第 10 个单元格第 1 行", "SyntaxError"),
    ):
        screen = shown[number]["text/plain"]
        assert screen.startswith(place) and said in screen
        assert shown[number]["text/markdown"] == f"```text\n{screen.rstrip()}\n```\n"
        html = Page(shown[number]["text/html"])
        assert html.open == [] and html.seen[0] == "pre"
        assert "".join(html.text).startswith(screen)
        assert not any(mark in str(shown[number]) for mark in ("ipykernel_", "IPython's", "## ", "[0;3"))
    assert shown[12] == {"text/plain": "<Confirmation: backward-twice confirmed, torch 2.9.0>"}
