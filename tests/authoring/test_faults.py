"""How a mistake is put into a healthy program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import KB, ROOT
from torchwhy.authoring.faults import FAULTS_FILE, HealthyProgram, mutants_of, read_hosts

TEXT = "é = nn.Linear(3, out, bias=True)\ny = torch.cat([a, b], 1).flatten(1)\nopt.step()\n"
HOST = HealthyProgram("made", TEXT)


@pytest.mark.parametrize(
    ("texts", "was", "becomes"),
    [
        (HOST.with_argument("Linear", 0, "{} + 1"), "Linear(3,", "Linear(3 + 1,"),
        (HOST.with_argument("Linear", "bias", "False"), "bias=True", "bias=False"),
        (HOST.with_keyword("Linear", "dtype=float"), "bias=True)", "bias=True, dtype=float)"),
        (HOST.without_argument("Linear", 0), "(3, out", "(out"),
        (HOST.without_argument("Linear", "bias"), ", bias=True)", ")"),
        (HOST.with_call("cat", "{}.float()"), "b], 1)", "b], 1).float()"),
        (HOST.without_call("flatten"), ".flatten(1)", ""),
        (HOST.without_call("cat"), "torch.cat([a, b], 1)", "[a, b]"),
        (HOST.renamed("flatten", "view"), ".flatten(", ".view("),
        (HOST.with_value("y", "{}.item()"), ".flatten(1)", ".flatten(1).item()"),
        (HOST.without_statement("step"), "opt.step()", "pass"),
        (HOST.with_text("out", "{}put"), "out,", "output,"),
    ],
)
def test_each_word_changes_one_place(texts: object, was: str, becomes: str) -> None:
    assert [*texts] == [TEXT.replace(was, becomes)]  # type: ignore[misc]


def test_what_is_not_there_gives_no_mutant() -> None:
    assert not [*HOST.with_argument("Conv2d", 0, "1"), *HOST.with_argument("Linear", 5, "1")]
    assert not [*HOST.with_keyword("Linear", "bias=False"), *HOST.without_argument("flatten", 0)]


@pytest.mark.parametrize(
    "entry", [path.parent for path in KB.glob(f"*/*/{FAULTS_FILE}")], ids=lambda at: at.name
)
def test_faults_of_an_entry_fit_three_hosts(entry: Path) -> None:
    mutants = dict(mutants_of(entry, read_hosts(ROOT / "tests" / "hosts")))
    assert len({name.partition("/")[0] for name in mutants}) >= 3


def test_what_does_not_parse_is_no_mutant(tmp_path: Path) -> None:
    (tmp_path / FAULTS_FILE).write_text(
        'def faults(host):\n    yield from host.with_argument("Linear", 1, "")\n    yield host.text + "pass\\n"\n'
    )
    assert dict(mutants_of(tmp_path, [HOST])) == {"made/1": TEXT + "pass\n"}
