"""`torchwhy eval --coverage`: what is counted as covered, and what is listed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Run
from torchwhy.lab import coverage
from torchwhy.lab.evaluate import LabelledText, Outcome


def row(label: str, *also: str, family: str | None = None, area: str | None = None) -> LabelledText:
    return LabelledText(label, frozenset(also), "en", "paste", f"text of {label}", family=family, area=area)


ROWS = [
    row("backward-twice"),
    row("not-written-yet", "backward-twice"),
    row("not-written-yet", area="export"),
    row("uncovered", area="export"),
    row("none", family="it-hangs", area="export"),
    row("none", family="no-such-family"),
    row("none"),
]
TEXTS = coverage.wanted(ROWS, {"backward-twice": "autograd"}, {"it-hangs"})


def test_what_a_text_calls_for() -> None:
    assert [text.kind for text in TEXTS] == [
        "entry",
        "entry",
        "uncovered",
        "uncovered",
        "family",
        "out of scope",
        "out of scope",
    ]
    assert [text.area for text in TEXTS] == ["autograd"] * 2 + ["export"] * 3 + ["unknown"] * 2


def test_shares_leave_out_what_is_out_of_scope() -> None:
    shares = coverage.shares(TEXTS)
    assert list(shares) == ["all", "autograd", "export", "unknown"]
    assert shares["all"]["covered"][0] == 3 / 5
    assert shares["export"]["covered"][0] == 1 / 3
    assert shares["unknown"]["covered"] == (0.0, 0.0, 0.0)


def test_how_texts_without_an_entry_were_answered() -> None:
    outcomes = [Outcome((), 0.0, False)] * 2 + [
        Outcome(("dtype-mismatch",), 0.8, True),
        Outcome(("dtype-mismatch",), 0.3, False),
        Outcome((), 0.6, True, "it-hangs", ("nccl-timeout",)),
        *[Outcome((), 0.0, False)] * 2,
    ]
    found = coverage.decided(TEXTS, outcomes)
    assert [each["said"] for each in found] == ["dtype-mismatch", None, "it-hangs", None, None]
    assert [each["as"] for each in found] == ["entry", None, "family", None, None]
    assert "1 answered with an entry, 1 with a family, 3 refused" in coverage.page(TEXTS, outcomes)
    many = coverage.decided(TEXTS * 30, outcomes * 30)
    assert len(many) == coverage.MAX_DECIDED and many[-1]["kind"] == "out of scope"


def test_the_command(torchwhy: Run, tmp_path: Path) -> None:
    rows = [
        {
            "label": "backward-twice",
            "text": "RuntimeError: Trying to backward through the graph a second time",
        },
        {"label": "uncovered", "area": "quantum", "text": "the qubit simulator returns complex garbage"},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    done = torchwhy("eval", "rows.jsonl", "--no-vectors", "--coverage")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1].split()[:4] == ["all", "2", "1", "0"]
    done = torchwhy("eval", "rows.jsonl", "--no-vectors", "--coverage", "--json")
    found = json.loads(done.stdout)["coverage"]
    assert found["areas"]["quantum"]["uncovered"] == 1 and len(found["decided"]) == 1
