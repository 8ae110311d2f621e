"""Many logs: one row a job, the same whatever reads them; damage costs its own file alone."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import socket
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

import torchwhy
from tests.conftest import Run
from tests.support.logs import FAILED, STEPS, WORDS, rows
from tests.tools import cluster
from torchwhy.triaging import engine
from torchwhy.triaging.engine import TriageOptions
from torchwhy.triaging.follow import Settling, call, follow
from torchwhy.triaging.hosts import standing_out, upper_tail
from torchwhy.triaging.page import html_page, terminal_lines
from torchwhy.triaging.parts import Folder, WriteError
from torchwhy.triaging.row import Row
from torchwhy.triaging.rows import read_rows
from torchwhy.triaging.sources import LogSource, find, shown
from torchwhy.triaging.summary import summarise


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, cluster.Truth]]:
    folder = tmp_path_factory.mktemp("logs")
    return folder, cluster.make(folder, 160)


@pytest.fixture(scope="module")
def alone(made: tuple[Path, dict[str, cluster.Truth]], tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    return rows([str(made[0])], tmp_path_factory.mktemp("alone") / "out")


def test_a_cluster_with_its_truth(made: tuple[Path, dict[str, cluster.Truth]], tmp_path: Path) -> None:
    """All 2,000 jobs: `python -m tests.tools.cluster`; the share here is a sample of the same."""
    folder, truth = made
    found = {
        row.job: (row.status, row.entry) for row in torchwhy.triage(folder, out=tmp_path / "out", workers=1)
    }
    assert found.keys() == truth.keys()
    scores = cluster.scores(truth, found)
    assert scores["right"] >= 0.97
    assert scores["blamed"] <= 0.01


def test_the_same_rows_from_all_processors_in_any_order(
    made: tuple[Path, dict[str, cluster.Truth]],
    alone: list[Row],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "MAX_BATCH_FILES", 7)
    files = [source.path for source in find([str(made[0])], lambda *_: None)]
    assert rows(files[::-1], tmp_path / "out", workers=3) == alone


def test_the_same_rows_from_ray(
    made: tuple[Path, dict[str, cluster.Truth]],
    alone: list[Row],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", str(cluster.KB.parent))
    monkeypatch.setattr(engine, "MAX_BATCH_FILES", 20)
    try:
        assert rows([str(made[0])], tmp_path / "out", ray="local") == alone
    finally:
        ray.shutdown()


def test_a_run_that_was_stopped_goes_on(
    made: tuple[Path, dict[str, cluster.Truth]],
    alone: list[Row],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "MAX_BATCH_FILES", 20)

    def stop(count: engine.Count) -> None:
        if count.done >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.run([str(made[0])], Folder(tmp_path / "out"), TriageOptions(workers=1, knowledge=WORDS), stop)
    count = engine.run([str(made[0])], Folder(tmp_path / "out"), TriageOptions(workers=1, knowledge=WORDS))
    assert count.skipped == 100
    assert sorted(read_rows(Folder(tmp_path / "out")), key=lambda row: row.job) == alone


@pytest.mark.skipif(os.name != "posix", reason="workers are processes there alone")
def test_workers_that_are_killed_cost_nothing(
    made: tuple[Path, dict[str, cluster.Truth]],
    alone: list[Row],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "MAX_BATCH_FILES", 10)
    ended = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while not ended.wait(1.0) and len(killed) < 3:
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            for child in children:
                if b"triaging.pool" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGKILL)
                    killed.append(int(child))
                    break

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        found = rows([str(made[0])], tmp_path / "out", workers=2)
    finally:
        ended.set()
        thread.join()
    if not killed:
        pytest.skip("all was read within a second")
    assert found == alone


def test_a_log_of_a_list_that_is_gone_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a log was removed after `find` had named it, or a name has an end of line in it."""
    (tmp_path / "a.log").write_text(FAILED)
    lines = f"{tmp_path}/gone.log\n{tmp_path}/x\n[y]*.log\n\n{tmp_path}/a.log\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    told: list[tuple[str, str]] = []
    found = [each.path for each in find(["-"], lambda *each: told.append(each))]
    assert found == [f"{tmp_path}/a.log"]
    assert [path for path, _ in told] == [f"{tmp_path}/gone.log", f"{tmp_path}/x", "[y]*.log"]


def test_what_is_damaged_is_listed_and_the_rest_is_read(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "good.log").write_text(STEPS + FAILED)
    whole = gzip.compress((STEPS * 50 + FAILED).encode())
    (logs / "good2.log.gz").write_bytes(whole)
    (logs / "cut.log.gz").write_bytes(whole[: len(whole) // 2])
    (logs / "not.log.gz").write_bytes(b"not gzip")
    (logs / "binary.bin").write_bytes(b"\x00\x01\x02" * 99)
    (logs / "gone.log").symlink_to(tmp_path / "nowhere")
    os.mkfifo(logs / "pipe")
    with open(os.fsencode(logs) + b"/\xff\xfe.log", "wb") as file:
        file.write(FAILED.encode())
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name in ("a/rank0.log", "b/rank0.log", "c/rank0.log"):
            member = tarfile.TarInfo(name)
            member.size = len(FAILED)
            archive.addfile(member, io.BytesIO(FAILED.encode()))
    (logs / "whole.tar").write_bytes(packed.getvalue())
    (logs / "cut.tar").write_bytes(packed.getvalue()[:1500])
    damaged = bytearray(packed.getvalue())
    damaged[1024 + 148 : 1024 + 156] = b"damaged!"  # the second member's checksum
    (logs / "corrupt.tar").write_bytes(damaged)
    (logs / "table.jsonl").write_text(json.dumps({"job": "t1", "rank": 2, "log": FAILED}) + "\nnot json\n")
    out = tmp_path / "out"
    found = {row.job.rpartition("/logs/")[2]: row for row in rows([str(logs)], out)}
    assert set(found) == {
        "good", "good2", "\\xff\\xfe", "corrupt.tar!/a", "cut.tar!/a", "t1",
        "whole.tar!/a", "whole.tar!/b", "whole.tar!/c",
    }  # fmt: skip
    assert {row.error for row in found.values()} == {
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
    }
    assert found["t1"].rank == 2
    listed = {Path(path).name: why for path, why in summarise(Folder(out)).unreadable}
    assert set(listed) == {
        "cut.log.gz",
        "not.log.gz",
        "binary.bin",
        "gone.log",
        "pipe",
        "cut.tar",
        "corrupt.tar",
        "table.jsonl",
    }
    assert all(listed.values())
    (logs / "cut.log.gz").write_bytes(whole)  # mended: read by the next run, and no longer listed
    assert len(rows([str(logs)], out)) == len(found) + 1
    assert "cut.log.gz" not in {Path(path).name for path, _ in summarise(Folder(out)).unreadable}


def test_a_file_that_ends_its_worker_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from torchwhy.triaging import pool
    from torchwhy.triaging.work import Batch

    code = "import os; from torchwhy.triaging import work\n"
    code += "old = work.Worker._one\n"
    code += "def one(self, log, look, grouping):\n    if 'poison' in log.path: os._exit(9)\n    old(self, log, look, grouping)\n"
    code += "work.Worker._one = one\n"
    monkeypatch.setattr(
        pool,
        "WORKER",
        pool.WORKER.replace("from torchwhy", f"exec({code!r}); from torchwhy").replace(
            "{path!r}", "{path!r}", 1
        ),
    )
    sources = []
    for name in ("a.log", "poison.log", "b.log"):
        (tmp_path / name).write_text(FAILED)
        sources.append(LogSource(str(tmp_path / name), len(FAILED), "1"))
    folder = Folder(tmp_path / "out")
    batch = Batch("part-00001-0", 1, str(tmp_path / "out"), None, "", tuple(sources))
    done = list(pool.run_pool(iter([batch]), 2, folder.part))
    assert sum(each.files for each in done) == 3
    assert folder.known() and sum(len(each["path"]) for each in folder.scan("looks", ("path",))) == 3
    assert [Path(path).name for path, _ in summarise(folder).unreadable] == ["poison.log"]


def test_a_disk_that_is_full_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.log").write_text(FAILED)
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    small = tmp_path / "full"  # a link, since what cannot be written is deleted
    small.symlink_to("/dev/full")
    folder = Folder(tmp_path / "out")
    part = folder.part("part-00001-0")
    part._beside = small
    from torchwhy.triaging.row import Look

    with pytest.raises(WriteError, match="cannot be written"), part as writing:
        writing.add(Look("a"))


def test_the_first_rank_to_fail_is_the_root(tmp_path: Path) -> None:
    gone = "2025-03-04 10:00:40 ERROR RuntimeError: Connection closed by peer\n"
    for rank in range(4):
        (tmp_path / "j").mkdir(exist_ok=True)
        (tmp_path / "j" / f"rank{rank}.log").write_text(STEPS + (FAILED if rank == 2 else gone))
    (row,) = rows([str(tmp_path / "j")], tmp_path / "out")
    assert (row.rank, row.logs, row.failed_logs, row.entry) == (2, 4, 4, "matmul-shape-mismatch")
    assert row.gpu_hours == pytest.approx(4 * 39 / 3600, abs=1e-3)


def test_only_the_last_attempt_counts(tmp_path: Path) -> None:
    for attempt, text in enumerate((FAILED, STEPS)):
        folder = tmp_path / "logs" / "run_a" / f"attempt_{attempt}" / "0"
        folder.mkdir(parents=True)
        (folder / "stderr.log").write_text(text)
    (row,) = rows([str(tmp_path / "logs")], tmp_path / "out")
    assert (row.status, row.attempt) == ("quiet", 1)


def test_hosts_by_a_test_of_proportions() -> None:
    from math import comb

    exact = sum(comb(10, hits) * comb(90, 20 - hits) for hits in range(5, 11)) / comb(100, 20)
    assert upper_tail(5, 20, 10, 100) == pytest.approx(exact)
    even = {f"n{number}": 5 for number in range(50)}
    jobs = dict.fromkeys([*even, "bad", "few"], 100)
    assert standing_out(jobs, {"all": even}) == {}
    (found,) = standing_out(jobs, {"all": {**even, "bad": 30}, "one": {"bad": 1, "n1": 2}})["all"]
    assert (found.name, found.failed) == ("bad", 30)
    assert (
        standing_out({**jobs, "few": 3}, {"all": {**even, "few": 1}}) == {}
    )  # a third of three jobs is chance


def test_the_page_stands_alone_and_says_what_is_new(tmp_path: Path) -> None:
    import re

    (tmp_path / "l").mkdir()
    (tmp_path / "l" / "a.log").write_text(STEPS + FAILED)
    rows([str(tmp_path / "l")], tmp_path / "one")
    odd = FAILED.replace("mat1 and mat2 shapes", "<script>alert(1)</script> frobnicator of")
    (tmp_path / "l" / "b.log").write_text(STEPS + odd)
    rows([str(tmp_path / "l")], tmp_path / "two")
    summary = summarise(Folder(tmp_path / "two"), Folder(tmp_path / "one", make=False))
    assert summary.new is not None
    assert ["frobnicator" in error for _, error, _ in summary.new] == [True]
    for lang in ("en", "zh"):
        page = html_page(summary, lambda id: id, lang)
        assert "<script" not in page
        assert not re.search(r"""(?:src|href)\s*=|url\(|@import""", page)
        assert summary.new[0][0] in page
        assert any(summary.new[0][0] in line for line in terminal_lines(summary, lambda id: id, lang))


def test_follow_tells_each_job_once_and_calls_for_what_is_new(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.log").write_text(FAILED)

    def sources() -> Iterator[LogSource]:
        return find([str(logs)], lambda *_: None)

    def told(rounds: int) -> list[tuple[str, bool]]:
        found = follow(sources, folder, TriageOptions(workers=1, knowledge=WORDS), 0.0, ended, rounds)
        return [(Path(row.job).name, new) for row, new in found]

    folder, ended = Folder(tmp_path / "out"), Settling(0.0)
    assert told(3) == [("a", True)]
    (logs / "b.log").write_text(FAILED)
    assert told(2) == [("b", False)]
    (row, *_) = read_rows(folder)
    assert call(f"cat > {tmp_path}/said; echo $TORCHWHY_NEW_ENTRY > {tmp_path}/entry", row) is None
    assert json.loads((tmp_path / "said").read_text())["fingerprint"] == row.fingerprint
    assert (tmp_path / "entry").read_text() == "matmul-shape-mismatch\n"
    assert call("exit 3", row) == "--on-new: exit status 3"


OWN_RAISE = """Traceback (most recent call last):
  File "/home/user/p/data.py", line 41, in read
    {code}
{error}
"""


def test_what_the_program_itself_raises_is_there_to_be_taught(torchwhy: Run, tmp_path: Path) -> None:
    """Each message of a `raise` of the team's own is a row with a fingerprint; what Python raises is one."""
    logs = {
        "a": (
            'raise RuntimeError(f"shard manifest {n} is stale")',
            "RuntimeError: shard manifest 3 is stale",
        ),
        "b": (
            'raise RuntimeError(f"shard manifest {n} is stale")',
            "RuntimeError: shard manifest 8 is stale",
        ),
        "c": ('raise RuntimeError("no vocabulary")', "RuntimeError: no vocabulary"),
        "d": ("raise KeyError(name)", "KeyError: 'our_field'"),
        "e": ("return row[name]", "KeyError: 'label'"),
        "f": ("return row[other]", "KeyError: 'weight'"),
    }
    (tmp_path / "l").mkdir()
    for name, (code, error) in logs.items():
        (tmp_path / "l" / f"{name}.log").write_text(OWN_RAISE.format(code=code, error=error))
    done = torchwhy("triage", "l", "--json", "--out", "data", "--no-vectors")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [(each["kind"], each["jobs"], each["example"]) for each in data["causes"]] == [
        ("python", 2, "KeyError: 'label'"),
        ("unknown", 2, "RuntimeError: shard manifest 3 is stale"),
        ("unknown", 1, "KeyError: 'our_field'"),
        ("unknown", 1, "RuntimeError: no vocabulary"),
    ]
    marks = {each["examples"][-1]: each["fingerprint"] for each in data["unknown"]}
    assert len(marks) == len(set(marks.values())) == 3
    done = torchwhy("triage", "l", "--out", "data", "--html", "page.html", "--no-vectors")
    assert "page.html" in done.stderr
    causes, _, taught = done.stdout.partition("Teach torchwhy these first")
    page = (tmp_path / "page.html").read_text("utf-8")
    for mark in marks.values():
        assert mark in taught and mark in page
    assert torchwhy("kb", "new", "data/e", "--kb", "own", "--triage", "data", "--from", mark).returncode == 0
    assert "RuntimeError: no vocabulary, not explained by any entry" in causes
    assert "KeyError, a Python error of the program's own" in causes


def test_an_entry_begins_with_what_was_found(torchwhy: Run, tmp_path: Path) -> None:
    import re2
    import yaml

    message = "FrobError: it's (12, 7) of /data/a/b.pt at 0x7f [x]"
    (tmp_path / "a.log").write_text(FAILED.replace("RuntimeError: mat1 and mat2", f"{message}\n\nmat1"))
    (row,) = rows([str(tmp_path / "a.log")], tmp_path / "data")
    assert row.error == message
    words = ["kb", "new", "shapes/my-frob", "--kb", "own", "--triage", "data", "--from"]
    done = torchwhy(*words, "00")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert torchwhy(*words, str(row.fingerprint)[:8]).returncode == 0
    entry = yaml.safe_load((tmp_path / "own" / "shapes" / "my-frob" / "pitfall.yaml").read_text("utf-8"))
    checked = torchwhy("kb", "check", "own")  # the template's other texts are not this error's
    assert checked.returncode == 1
    for field in ("title.en", "cause.en", "fix.zh", "check.en"):
        assert f"pitfall.yaml: {field}: found" in checked.stdout
    assert (
        "asks.en.txt: asks.en: found 0" in checked.stdout
        and "asks.zh.txt: asks.zh: found 0" in checked.stdout
    )
    assert entry["neighbours"] and entry["sources"]
    (wording,) = entry["signatures"]
    assert wording["example"] == message
    pattern = re2.compile(wording["pattern"])
    assert pattern.search(message)
    assert pattern.search("it's (3, 99) of /other/c.pt at 0x9 [x]")
    assert not pattern.search("its (3, 99) of /other/c.pt at 0x9 [x]")


def test_logs_on_s3(tmp_path: Path) -> None:
    """A real server on loopback."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    env = {
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }
    code = (
        "import fsspec, torchwhy\n"
        "fs = fsspec.filesystem('s3'); fs.mkdir('logs')\n"
        f"fs.pipe('logs/j1/rank0.log', {FAILED!r}.encode()); fs.pipe('logs/j2/rank0.log', b'fine')\n"
        f"rows = list(torchwhy.triage('s3://logs', out={str(tmp_path / 'out')!r}, workers=2, vectors=False))\n"
        "print([(row.job, row.status, row.entry) for row in rows])\n"
    )
    try:
        env = {**os.environ, **env, "PYTHONPATH": str(cluster.KB.parent)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=240, check=False
        )
    finally:
        server.stop()
    assert (
        done.stdout.strip()
        == "[('s3://logs/j1', 'failed', 'matmul-shape-mismatch'), ('s3://logs/j2', 'quiet', None)]"
    ), done.stderr


def test_the_command(torchwhy: Run, tmp_path: Path) -> None:
    (tmp_path / "l").mkdir()
    (tmp_path / "l" / "a.log").write_text(STEPS + FAILED)
    (tmp_path / "l" / "b.log").write_text(STEPS)
    listed = f"{tmp_path}/l/a.log\n{tmp_path}/l/b.log\n"
    done = torchwhy(
        "triage", "-", "--json", "--out", "data", "--html", "page.html", "--no-vectors", stdin=listed
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["jobs"], data["failed"], data["causes"][0]["name"]) == (2, 1, "matmul-shape-mismatch")
    assert "matmul-shape-mismatch" in (tmp_path / "page.html").read_text("utf-8")
    if os.name == "posix":
        written = [tmp_path / "page.html", tmp_path / "data", *(tmp_path / "data").rglob("*")]
        assert not [path for path in written if path.stat().st_mode & 0o077], "for this user alone"
    for words, said in (
        (["triage", "nowhere"], "no such file"),
        (["triage", "l", "--since", "l"], "no data set"),
        (["triage", "l", "--out", "l"], "not empty"),
        (["triage", "l", "--on-new", "x"], "--follow"),
        (["triage", "l", "--follow", "--every", "nan"], "--every"),
        (["triage", "l", "--follow", "--every", "-1"], "--every"),
    ):
        done = torchwhy(*words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr


def test_a_rank_beyond_all_numbers_costs_no_row(tmp_path: Path) -> None:
    """Of a table, and of a path as torchrun names it: no number of a log's may end the worker."""
    logs = tmp_path / "logs"
    huge = logs / "run" / f"attempt_{'9' * 30}" / ("9" * 30)
    huge.mkdir(parents=True)
    (huge / "stderr.log").write_text(FAILED)
    table = [{"job": f"t{at}", "rank": rank, "log": FAILED} for at, rank in enumerate((10**30, -1, 7))]
    (logs / "table.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table))
    out = tmp_path / "out"
    found = {row.job: row.rank for row in rows([str(logs)], out)}
    assert {job: found.get(job, "lost") for job in ("t0", "t1", "t2")} == {"t0": None, "t1": None, "t2": 7}
    assert len(found) == 4
    assert not summarise(Folder(out)).unreadable


def test_a_row_that_is_no_log_costs_itself_alone(tmp_path: Path) -> None:
    """A job without a log is in every table of jobs."""
    import pyarrow.parquet

    good, sound = {"log": FAILED, "job": "a"}, {"text": STEPS, "job": "b"}
    lines = ['{"log": null}', "[1]", "not json", json.dumps(good), "[" * 100_000, json.dumps(sound)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    table = {"log": [None, FAILED, None], "job": ["c", "d", "e"]}
    pyarrow.parquet.write_table(pyarrow.table(table), tmp_path / "b.parquet")
    (tmp_path / "c.jsonl").write_text('{"loss": 1}\n' * 5000)
    out = tmp_path / "out"
    paths = [str(tmp_path / name) for name in ("a.jsonl", "b.parquet", "c.jsonl")]
    assert {row.job: row.status for row in rows(paths, out)} == {"a": "failed", "b": "quiet", "d": "failed"}
    listed = {Path(path).name: why for path, why in summarise(Folder(out)).unreadable}
    left = {name: why.rpartition("; with it ")[2] for name, why in listed.items()}
    assert left == {
        "a.jsonl": "4 rows are left out",
        "b.parquet": "2 rows are left out",
        "c.jsonl": "1000 rows are left out",
    }


@pytest.mark.skipif(os.name != "posix", reason="such names are POSIX's")
def test_no_name_of_a_file_acts_on_who_reads_the_page_or_the_json(torchwhy: Run, tmp_path: Path) -> None:
    name = "a\x1b[31m\u202e\x9b2J.log"
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / name).write_bytes(bytes(range(256)) * 100)
    (tmp_path / "logs" / "b.log").write_text(FAILED)
    done = torchwhy("triage", "logs", "--html", "page.html", "--json")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert not {"\x1b", "\u202e", "\x9b"} & set(page + done.stdout)
    assert json.loads(done.stdout)["unreadable"][0]["path"].endswith(name)


@pytest.mark.parametrize("said", [b"HELLO\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000])
def test_an_address_that_answers_nonsense_is_one_line(said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        row = Row(**dict.fromkeys(each.name for each in fields(Row)))  # type: ignore[arg-type]
        problem = call(f"http://127.0.0.1:{server.getsockname()[1]}/x", row)
        assert problem is not None and problem.startswith("--on-new: ")
    assert (call("http://[bad/", row) or "").startswith("--on-new: ")


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("s3://AKIAIOSFODNN7EXAMPLE:wJalr/XUtn/FEMI@logs/x.log", "s3://logs/x.log"),
        ("https://bob:pw@files.example/a@b.log", "https://files.example/a@b.log"),
        ("http://files.example:8080/a@b.log", "http://files.example:8080/a@b.log"),
        (
            "https://b.example/x.log?X-Amz-Signature=0123456789abcdef0123456789abcdef&part=2",
            "https://b.example/x.log?X-Amz-Signature=<redacted>&part=2",
        ),
        ("s3://logs/token=7/run.log", "s3://logs/token=7/run.log"),
    ],
)
def test_an_address_is_kept_without_what_opens_it(address: str, wanted: str) -> None:
    assert shown(address) == wanted
