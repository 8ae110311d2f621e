"""What `torchwhy eval` counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from torchwhy.errors import UsageError
from torchwhy.lab.evaluate import LabelledText, Outcome, load_rows
from torchwhy.lab.predictions import load_outcomes, save_outcomes


def row(label: str, text: str = "x") -> LabelledText:
    return LabelledText(label, frozenset(), "en", "paste", text)


ROWS = [row("a", "1"), row("b", "2"), row("none", "3"), row("none", "4")]
OUT = [
    Outcome(("a",), 0.9, True),
    Outcome(("a", "b"), 0.6, True),
    Outcome(("a",), 0.7, True),
    Outcome(("b",), 0.2, False),
]


def test_predictions_are_kept_by_text(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    save_outcomes(path, ROWS, OUT)
    assert load_outcomes(path, ROWS[::-1]) == OUT[::-1]
    with pytest.raises(UsageError, match="lacks a prediction"):
        load_outcomes(path, [row("a", "another")])
    path.write_text("{}")
    with pytest.raises(UsageError):
        load_outcomes(path, ROWS)


def test_the_command(torchwhy: Run, tmp_path: Path) -> None:
    rows = [
        {
            "label": "backward-twice",
            "lang": "en",
            "kind": "oneliner",
            "text": "RuntimeError: Trying to backward through the graph a second time",
        },
        {"label": "none", "lang": "en", "kind": "question", "text": "which coffee goes with cake"},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    done = torchwhy("eval", "rows.jsonl", "--no-vectors", "--ablate")
    assert done.returncode == 0, done.stderr
    assert "signatures alone" in done.stdout and "AUROC" in done.stdout
    save_outcomes(
        tmp_path / "made.jsonl",
        load_rows(tmp_path / "rows.jsonl"),
        [Outcome(("zero-dim-index",), 0.1, False)] * 2,
    )
    done = torchwhy("eval", "rows.jsonl", "--no-vectors", "--json", "--predictions", "made.jsonl")
    assert json.loads(done.stdout)["methods"]["torchwhy"]["all"]["top1"][0] == 0.0


def test_verbatim_rows_are_whole() -> None:
    """Each plain output has its variants; no row gives its label away."""
    rows = [
        json.loads(line)
        for line in (ROOT / "data" / "eval" / "verbatim.jsonl").read_text("utf-8").splitlines()
    ]
    plain = {(each["label"], each["torch"]) for each in rows if each["variant"] == "plain"}
    assert len({label for label, _ in plain}) >= 100
    assert plain == {(each["label"], each["torch"]) for each in rows if each["variant"] != "plain"}
    for each in rows:
        assert each["label"] not in each["text"] and "symptom:" not in each["text"], each["label"]
