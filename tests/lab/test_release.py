"""The one command of a release: what it would run on the checkout, and all of it on a checkout of a few entries."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import KB, ROOT
from torchwhy.lab.release import Step, plan

EVAL = ROOT / "data" / "eval"
READ = {"wild-2-dev.jsonl", "branches-dev.jsonl"}  # while answers are written: neither fitted nor measured
ENTRIES, ROWS = 4, 24


def files_of(step: Step) -> set[str]:
    return {Path(word).name for word in step.words if Path(word).parent == EVAL}


def test_what_is_measured_was_not_fitted() -> None:
    steps = plan(EVAL, Path("p.jsonl"), "cuda")
    assert [step.what for step in steps if step.what != "measure"] == ["embed", "fit and calibrate", "check"]
    assert [step.words[0] for step in steps[:2]] == ["torchwhy.lab.make_vectors", "torchwhy.lab.fit"]
    assert steps[0].words[1:] == ("--device", "cuda")
    assert steps[-1].words == ("torchwhy.lab.make_vectors", "--check")
    fitted, dev, *measured = map(files_of, steps[1:-1])
    assert dev == {"dev.jsonl"} and dev < fitted
    kept = set().union(*measured)
    assert all(name.endswith("-fit.jsonl") for name in fitted if name.startswith(("wild", "messages")))
    assert not fitted & kept and not (fitted | kept) & READ
    assert fitted | kept | READ == {path.name for path in EVAL.glob("*.jsonl")}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """This checkout with the entries that most texts of dev.jsonl are about, and some texts of each kind."""
    root = tmp_path / "torchwhy"

    def copied(source: str, target: str) -> str:
        """The encoder's weights are large, and nothing writes them: a link."""
        (os.link if source.endswith(".bin") else shutil.copyfile)(source, target)
        return target

    leave = shutil.ignore_patterns("__pycache__", "_shipped")
    shutil.copytree(ROOT / "assistant", root / "assistant", ignore=leave, copy_function=copied)
    shutil.copyfile(ROOT / "pyproject.toml", root / "pyproject.toml")
    for folder in ("data/eval", "data/pictures", "data/shipped"):
        (root / folder).mkdir(parents=True)
    shutil.copyfile(ROOT / "data/shipped/documents.yaml", root / "data/shipped/documents.yaml")
    rows = [json.loads(line) for line in (EVAL / "dev.jsonl").read_text("utf-8").splitlines()]
    labels = [label for label, _ in Counter(row["label"] for row in rows).most_common(ENTRIES + 1)]
    for folder in KB.glob("[!_]*/*"):
        if folder.name in labels:
            shutil.copytree(folder, root / "kb" / folder.parent.name / folder.name)
    shutil.copyfile(ROOT / "kb/pitfall.schema.json", root / "kb/pitfall.schema.json")
    chosen = [row for row in rows if row["label"] in labels][:ROWS]
    assert {row["label"] for row in chosen} > {"none"}
    for at, name in enumerate(
        ("dev", "written-a", "messages-fit", "wild-fit", "messages-kept", "wild-kept", "healthy", "verbatim")
    ):
        own = chosen if name == "dev" else [{**row, "text": f"{row['text']} ({at})"} for row in chosen[at::6]]
        text = "".join(json.dumps(row) + "\n" for row in own)
        (root / "data" / "eval" / f"{name}.jsonl").write_text(text, "utf-8")
    return root


def test_a_release_of_a_few_entries(checkout: Path, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("TORCHWHY_")} | {
        "PYTHONPATH": str(checkout / "assistant"),
        "TORCHWHY_CACHE": str(tmp_path / "cache"),
        "TORCHWHY_KB": str(tmp_path / "nowhere"),  # the release is of the shipped knowledge alone
    }

    def release(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "torchwhy.lab.release", str(checkout / "data/eval"), *words]
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    planned = release("--plan")
    assert (planned.returncode, planned.stderr) == (0, "")
    ranking = checkout / "assistant/torchwhy/retrieval/ranking.json"
    before = ranking.read_bytes()
    assert not (checkout / "data/shipped/passages.npz").exists()
    done = release()
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    commands = [line for line in planned.stdout.splitlines() if line.startswith("python -m ")]
    ran = [line for line in done.stdout.splitlines() if line.startswith("python -m ")]
    assert len(commands) == len(ran) == 8
    assert (checkout / "data/shipped/passages.npz").is_file() and ranking.read_bytes() != before
    assert len(json.loads(ranking.read_text())["fitted_on"]["entries"]) == ENTRIES
    assert done.stdout.count("how sure    mean") == 4 and "full: temperature" in done.stdout
    assert "is of the knowledge as it is" in done.stdout
    (checkout / "data/eval/dev.jsonl").write_text("no JSON\n")
    failed = release()
    assert failed.returncode == 1 and "fit and calibrate ended with status 1" in failed.stderr
