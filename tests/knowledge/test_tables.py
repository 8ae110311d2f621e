"""The shared tables: each row against what torch, Python and the entries say."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.conftest import KB, Run, write_entry
from torchwhy.authoring import check
from torchwhy.authoring.tables import Table, load_tables
from torchwhy.errors import KnowledgeError

SIZES = {"N": 2, "C": 3, "F": 8, "L": 5, "H": 16, "W": 16, "D": 4}
TABLES = load_tables(KB)


def rows_of(name: str) -> list[list[str]]:
    return [[cell.en for cell in row] for row in TABLES[name].rows]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_has_its_words_in_both_languages_a_date_and_pages(table: Table) -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", table.date)
    assert all((source.url or "").startswith("https://") and source.title for source in table.sources)
    for lang in ("en", "zh"):
        assert len(table.lines(lang)) == len(table.rows) + 1
    assert re.search("[\u4e00-\u9fff]", table.title.zh)
    assert not any(re.search("[\u4e00-\u9fff]", cell.en) for row in table.rows for cell in row)


def test_wheels_against_what_torch_knows_of_its_own_builds() -> None:
    """PYTORCH_RELEASES_CODE_CC: the machine code in the wheels of this release, by CUDA."""
    known: Mapping[str, Mapping[str, set[int]]] = torch.cuda.PYTORCH_RELEASES_CODE_CC
    rows = {row[0]: row for row in rows_of("wheels")}
    for cuda, by_machine in known.items():
        found = re.match(r"(\d+\.\d) to (\d+\.\d)", rows["cu" + cuda.replace(".", "")][2])
        assert found, cuda
        codes = sorted(by_machine["x86_64"])
        assert [float(found[1]), float(found[2])] == [codes[0] / 10, codes[-1] / 10]
    assert [row[1] for index, row in rows.items() if index.startswith("cu13")] == [">= 580", ">= 580"]


def test_the_torchvision_that_is_installed_is_that_of_its_torch() -> None:
    vision = pytest.importorskip("torchvision")
    rows = [row for row in rows_of("torchvision") if torch.__version__.split("+")[0] in row[0]]
    if not rows:
        pytest.skip(f"the table has no torch {torch.__version__}")
    assert any(vision.__version__.split("+")[0] in row[1] for row in rows)


@pytest.mark.parametrize(("layer", "dims"), [row[:2] for row in rows_of("layouts")])
def test_a_layer_takes_the_layout_of_its_row(layer: str, dims: str) -> None:
    names = re.findall(r"\w", dims)
    module = eval(layer, {"nn": nn, **SIZES})
    if isinstance(module, nn.Embedding):
        assert module(torch.zeros(2, 5, dtype=torch.long)).shape == (2, 5, 8)
        return
    x = torch.randn(*(SIZES[name] for name in names))
    module.eval()
    before = module(x)
    other = x.clone()
    other.select(names.index("N"), 0).add_(1.0)  # sample 0 changes, and sample 1 must not
    outputs = [out[0] if isinstance(out, tuple) else out for out in (before, module(other))]
    kept = [out.select(names.index("N"), 1) for out in outputs]
    torch.testing.assert_close(kept[0], kept[1])
    moved = [out.select(names.index("N"), 0) for out in outputs]
    assert not torch.equal(moved[0], moved[1]) or layer.startswith(("nn.LayerNorm", "nn.GroupNorm"))


@pytest.mark.parametrize("row", rows_of("start-methods"), ids=lambda row: row[0])
def test_a_start_method_pickles_or_inherits(row: list[str], tmp_path: Path) -> None:
    """A lambda as the target: inherited by a fork, refused where it has to be pickled."""
    program = tmp_path / "program.py"
    program.write_text(
        "import multiprocessing\n"
        "if __name__ == '__main__':\n"
        f"    process = multiprocessing.get_context({row[0]!r}).Process(target=lambda: print('ran'))\n"
        "    process.start(); process.join()\n"
    )
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ("ran" in done.stdout) == (row[2] == "inherited")
    assert ("pickle" in done.stderr.lower()) == (row[2] == "pickled")


@pytest.mark.parametrize(
    ("function", "touches"),
    [
        ("is_available", "_cuda_getDeviceCount"),
        ("device_count", "_device_count_nvml"),
        ("get_device_properties", "_lazy_init"),
        ("get_device_name", "get_device_properties"),
        ("mem_get_info", "cudart"),
        ("manual_seed", "_lazy_call"),
        ("cudart", "_lazy_init"),
    ],
)
def test_what_decides_whether_a_call_touches_the_driver(function: str, touches: str) -> None:
    """The source of torch where there is no GPU: what the cell says rests on this call in the function's body."""
    assert touches in inspect.getsource(getattr(torch.cuda, function))


def test_an_entry_that_shows_another_table_than_it_stands_is_told(tmp_path: Path) -> None:
    (tmp_path / "_tables").mkdir()
    text = (KB / "_tables" / "wheels.yaml").read_text("utf-8")
    (tmp_path / "_tables" / "wheels.yaml").write_text(re.sub(r"shown_in: .*", "shown_in: [made-up]", text))
    entry = (KB / "_template" / "pitfall.yaml").read_text("utf-8")
    write_entry(
        tmp_path, yaml=entry.replace("Print `[t.shape", "See `torchwhy kb tables nothing`. Print `[t.shape")
    )
    found = "\n".join(map(str, check.check([tmp_path], {}).problems))
    assert "fix.en: found not the table wheels" in found
    assert "check.en: found no table nothing; wanted one of wheels" in found


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "_tables").mkdir()
    (tmp_path / "_tables" / "odd.yaml").write_text("title: x\n")
    with pytest.raises(KnowledgeError, match=r"odd\.yaml: the table cannot be read"):
        load_tables(tmp_path)


def test_the_command_shows_a_table_and_the_names(torchwhy: Run) -> None:
    names = torchwhy("kb", "tables", "--lang", "en")
    assert [line.split()[0] for line in names.stdout.splitlines()] == list(TABLES)
    shown = torchwhy("kb", "tables", "wheels", "--lang", "zh").stdout
    assert "\n".join(TABLES["wheels"].lines("zh")) in shown
    assert "https://" in shown
    missing = torchwhy("kb", "tables", "wheel")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "no such table" in missing.stderr
