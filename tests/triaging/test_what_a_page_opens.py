"""What a scheduler ended, what a good run prints too, which host a cause sits on, and what a row opens."""

from __future__ import annotations

import json
import random
from dataclasses import fields, replace
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from tests.conftest import Run
from tests.support.logs import FAILED, STEPS, WORDS, rows
from tests.tools.cluster import hosts_found, with_hosts
from torchwhy.triaging import engine
from torchwhy.triaging.engine import TriageOptions
from torchwhy.triaging.page import html_page, terminal_lines
from torchwhy.triaging.parts import Folder
from torchwhy.triaging.row import Row
from torchwhy.triaging.rows import read_rows
from torchwhy.triaging.summary import count, summarise

ENDED = "slurmstepd: error: *** JOB 7 ON gpu17 CANCELLED AT 2025-03-04T10:01:02 {why}***\n"
SLURM = {
    "time": (ENDED.format(why="DUE TO TIME LIMIT "), "job-ended-by-scheduler"),
    "preempted": (ENDED.format(why="DUE TO PREEMPTION ") + FAILED, "job-ended-by-scheduler"),
    "node": (
        ENDED.format(why="DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS "),
        "job-ended-by-scheduler",
    ),
    "scancel": (ENDED.format(why=""), "job-ended-by-scheduler"),
    "crashed": (FAILED + ENDED.format(why=""), "matmul-shape-mismatch"),
    "memory": (
        "slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch. "
        "Some of the step tasks have been OOM Killed.\n",
        "host-out-of-memory",
    ),
    "disk": (
        'Traceback (most recent call last):\n  File "/home/user/p/train.py", line 9, in <module>\n'
        '    log.write(line)\nOSError: [Errno 28] No space left on device\n',
        "disk-full",
    ),
}  # fmt: skip


def test_what_slurm_and_a_full_disk_end_is_explained(tmp_path: Path) -> None:
    (tmp_path / "l").mkdir()
    for name, (text, _) in SLURM.items():
        (tmp_path / "l" / f"{name}.log").write_text(STEPS + text)
    found = {Path(row.job).name: row.entry for row in rows([str(tmp_path / "l")], tmp_path / "out")}
    assert found == {name: entry for name, (_, entry) in SLURM.items()}


def test_a_cancelled_rank_is_no_cause_beside_one_that_failed(tmp_path: Path) -> None:
    (tmp_path / "j").mkdir()
    (tmp_path / "j" / "rank0.log").write_text(ENDED.format(why="") + STEPS)
    (tmp_path / "j" / "rank1.log").write_text(STEPS + FAILED)
    (row,) = rows([str(tmp_path / "j")], tmp_path / "out")
    assert (row.rank, row.entry) == (1, "matmul-shape-mismatch")


def test_what_good_runs_print_too_is_no_error(tmp_path: Path) -> None:
    """Also in a log that has nothing else, and by a later run of the same folder."""
    noise = (
        FAILED.replace("mat1 and mat2 shapes", "cache lookup of")
        + "ERROR: no metrics server at 10.0.0.7:81\n"
    )
    for name, text in {
        "l/quiet": noise,
        "l/lost": noise + FAILED,
        "good/a": noise.replace("10.0.0.7", "10.0.0.9"),
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.log").write_text(STEPS + text)
    out = Folder(tmp_path / "out")
    before = {Path(row.job).name: row.status for row in rows([str(tmp_path / "l")], tmp_path / "without")}
    assert before == {"quiet": "failed", "lost": "failed"}
    options = TriageOptions(workers=1, knowledge=WORDS, baseline=str(tmp_path / "good"))
    engine.run([str(tmp_path / "l")], out, options)
    assert {Path(row.job).name: row.entry for row in read_rows(out)} == {
        "quiet": None,
        "lost": "matmul-shape-mismatch",
    }
    (tmp_path / "l" / "later.log").write_text(noise)
    rows([str(tmp_path / "l")], tmp_path / "out")
    assert {Path(row.job).name: row.status for row in read_rows(out)}["later"] == "quiet"


def test_a_baseline_without_a_log_is_refused(torchwhy: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.log").write_text(FAILED)
    for path, said in (("empty", "no log there"), ("nowhere", "no such file")):
        done = torchwhy("triage", "a.log", "--baseline", path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr


def test_a_host_of_one_cause_is_found_and_none_is_invented() -> None:
    """2,000 jobs of real logs: `python -m tests.tools.cluster`."""
    rng = random.Random(1)
    none = dict.fromkeys(each.name for each in fields(Row))
    made = [
        Row(**{**none, "job": str(at), "logs": 1, "failed_logs": 0, "attempt": 0, "status": "quiet"})  # type: ignore[arg-type]
        for at in range(1000)
    ]
    failed = [replace(row, status="failed", entry=f"e{rng.randrange(40)}") for row in made[:600]]
    found, invented = hosts_found([*failed, *made[600:]], 10, 20)
    assert found >= 9
    assert invented == 0
    placed = count(with_hosts([*failed, *made[600:]], rng, "e7"))
    said = terminal_lines(placed, lambda id: id, "en")
    assert [line for line in said if "gpu0: " in line and "e7" in line]


def test_a_cause_opens_its_jobs_and_their_lines(torchwhy: Run, tmp_path: Path) -> None:
    (tmp_path / "l").mkdir()
    for at in range(3):
        (tmp_path / "l" / f"job{at}.log").write_text(STEPS + "token=hf_" + "A1b2" * 9 + "\n" + FAILED)
    done = torchwhy("triage", "l", "--json", "--no-vectors", "--out", "data")
    (cause,) = json.loads(done.stdout)["causes"]
    assert [Path(each["job"]).name for each in cause["last_jobs"]] == ["job2", "job1", "job0"]
    lines = (tmp_path / "l" / "job0.log").read_text().splitlines()
    for each in cause["last_jobs"]:
        assert lines[each["line"] - 1].startswith("RuntimeError: mat1")
        assert each["lines"].endswith(FAILED.rstrip()) and "A1b2" not in each["lines"]
    page = html_page(summarise(Folder(tmp_path / "data")), lambda id: id, "en")
    assert page.count("<details><summary>") == 4
    assert f"job1.log:{each['line']}" in page and "2025-03-04 to 2025-03-04" in page


def test_hours_that_no_log_tells_are_blank() -> None:
    none = dict.fromkeys(each.name for each in fields(Row))
    told = {**none, "job": "a", "path": "a.log", "logs": 1, "status": "failed", "entry": "e", "error": "x"}
    for hours, shown in ((None, ""), (0.0, ""), (0.04, ""), (1.26, "1.3")):
        summary = count([Row(**{**told, "gpu_hours": hours})])  # type: ignore[arg-type]
        assert f"<td class=n>1</td><td class=n>{shown}</td>" in html_page(summary, lambda id: id, "en")
        assert any(" h " in line for line in terminal_lines(summary, lambda id: id, "en")) == bool(shown)
