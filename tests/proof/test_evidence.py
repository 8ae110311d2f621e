"""Evidence: running everything, what is written down, what a page says of it, and which scripts may run."""

from __future__ import annotations

import base64
import getpass
import hashlib
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import torchwhy.knowledge.schema  # noqa: F401 (reads its keys before another folder counts as shipped)
from tests.conftest import ROOT, Run, write_entry
from tests.support.scripts import GOOD, MESSAGE, script
from torchwhy import Assistant
from torchwhy.answers.markdown import entry_markdown
from torchwhy.errors import ConfirmError, UsageError
from torchwhy.knowledge import recorded_proofs, script_hashes
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.load import load_knowledge
from torchwhy.machine import torch_probe
from torchwhy.proof import confirm_all
from torchwhy.proof.confirmation import EXIT_STATUS
from torchwhy.proof.trust import Consent
from torchwhy.runtime import locations
from torchwhy.text import whereabouts

# made-up scripts, which nobody said yes to before
run_all = partial(confirm_all.run_all, consent=Consent(mine=True))


def entries_of(root: Path, **scripts: str) -> list[Pitfall]:
    for id, broken in scripts.items():
        write_entry(root / "kb", id, repro=script(broken))
    return list(load_knowledge([root / "kb"], {}).pitfalls.values())


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own data folder; its evidence folder."""
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "data"))
    recorded_proofs.cached_index.cache_clear()
    return tmp_path / "data" / "evidence"


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shipped tree of the test's own, with kb and data."""
    (tmp_path / "data").mkdir(exist_ok=True)
    monkeypatch.setattr(locations, "shipped", lambda name: tmp_path / name)
    return tmp_path


class Installed:
    """What a wheel leaves in site-packages: the entries, and a RECORD with the hash of every file."""

    def __init__(self, site: Path) -> None:
        self.site = site
        (site / "torchwhy").mkdir(parents=True)
        self.info = site / "torchwhy-0.1.0.dist-info"
        self.info.mkdir()
        (self.info / "METADATA").write_text("Metadata-Version: 2.4\nName: torchwhy\nVersion: 0.1.0\n")

    def entries(self, **scripts: str) -> list[Pitfall]:
        found = entries_of(self.site / "torchwhy" / "_shipped", **scripts)
        rows = []
        for path in sorted(self.site.rglob("*.*")):
            if path.is_file():
                digest = (
                    base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
                )
                rows.append(
                    f"{path.relative_to(self.site).as_posix()},sha256={digest},{path.stat().st_size}\n"
                )
        (self.info / "RECORD").write_text("".join(rows) + "torchwhy-0.1.0.dist-info/RECORD,,\n")
        return found


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """This package as if a wheel had put it into a folder of the test's own."""
    site = tmp_path / "site-packages"
    monkeypatch.setattr(locations, "PACKAGE", site / "torchwhy")
    script_hashes.recorded_hashes.cache_clear()
    yield Installed(site)
    script_hashes.recorded_hashes.cache_clear()


# Running everything


def test_one_file_with_everything(tmp_path: Path, quick_probe: torch_probe.Probe, data: Path) -> None:
    entries = entries_of(
        tmp_path,
        good=f"print('{{\"peak\": 3}}', flush=True)\n{GOOD}",
        long=f"raise RuntimeError({MESSAGE!r} + 'x' * 5000)",
        other="raise KeyError('lr')",
        skips="import sys\nprint('needs two GPUs', file=sys.stderr)\nsys.exit(125)",
    )
    run = run_all(entries, jobs=4)
    assert run.path == data / f"cpu-torch-2.13.0-{sys.platform}-{platform.machine()}.json"
    written = json.loads(run.path.read_text("utf-8"))
    assert written == run.data
    assert {name: written[name] for name in ("schema", "device", "driver", "torch", "cuda", "python")} == {
        "schema": 1,
        "device": "cpu",
        "driver": None,
        "torch": "2.13.0+cpu",
        "cuda": None,
        "python": "3.11.0",
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", written["date"])
    rows = written["entries"]
    assert [(id, row["verdict"]) for id, row in rows.items()] == [
        ("good", "reproduces-here"),
        ("long", "reproduces-here"),
        ("other", "different-failure"),
        ("skips", "cannot-run"),
    ]
    good = rows["good"]
    assert good["sha256"] == script_hashes.file_hash(tmp_path / "kb" / "shapes" / "good" / "repro.py")
    assert good["message"] == f"RuntimeError: {MESSAGE}" and good["reason"] == ""
    assert set(good["seconds"]) == {"broken", "fixed"} and all(
        0 <= spent < 30 for spent in good["seconds"].values()
    )
    assert good["numbers"] == {"broken": {"peak": 3}}
    assert len(rows["long"]["message"]) <= confirm_all.MAX_MESSAGE_CHARS
    assert rows["skips"]["reason"] == "needs two GPUs"
    assert "KeyError" in rows["other"]["reason"]


def test_nothing_in_it_names_its_owner(
    tmp_path: Path, quick_probe: torch_probe.Probe, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "jane.doe")
    monkeypatch.setattr(platform, "node", lambda: "secret-host-7.example.org")
    monkeypatch.setenv("HOME", "/srv/people/jd")
    whereabouts._own_names.cache_clear()
    said = "import os, sys, tempfile\nraise RuntimeError('Sizes of tensors must match except in dimension 1. Expected size 32 but got size 31 for tensor number 1 in the list. ' + ' '.join(['\\x1b[1m', __file__, tempfile.mkdtemp(), '/srv/people/jd/x.py', '/home/jane.doe/y', 'secret-host-7.example.org:29500', 'jane.doe@secret-host-7', sys.executable]))"
    try:
        run = run_all(entries_of(tmp_path, good=said))
    finally:
        whereabouts._own_names.cache_clear()
    text = run.path.read_text("utf-8")
    assert run.data["entries"]["good"]["verdict"] == "reproduces-here"
    for name in (
        "jane",
        "secret-host",
        "/srv/people",
        "/home/jane",
        tempfile.gettempdir() + "/",
        "\\u001b",
        sys.prefix,
    ):
        assert name not in text, text
    assert "script/repro.py" in text, "what is left still says which file it was"


def test_stale_runs_what_is_new_or_changed(
    tmp_path: Path, quick_probe: torch_probe.Probe, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_all(entries_of(tmp_path, good=GOOD, other=GOOD))
    entries_of(tmp_path, third=GOOD)
    (tmp_path / "kb" / "shapes" / "other" / "repro.py").write_text(script("pass"))
    run = run_all(entries_of_again(tmp_path), stale=True)
    assert (sorted(run.done), run.wanted) == (["other", "third"], 2)
    assert {id: row["verdict"] for id, row in run.data["entries"].items()} == {
        "good": "reproduces-here",
        "other": "not-reproduced",
        "third": "reproduces-here",
    }
    assert run_all(entries_of_again(tmp_path), stale=True).done == []
    monkeypatch.setattr(
        torch_probe,
        "probe",
        lambda interpreter: torch_probe.Probe(sys.executable, "3.12.1", sys.platform, torch="2.13.0+cpu"),
    )
    with pytest.raises(UsageError, match=r"python was 3\.11\.0, is 3\.12\.1"):
        run_all(entries_of_again(tmp_path), only={"good"})
    assert len(run_all(entries_of_again(tmp_path)[:1]).data["entries"]) == 1, "a full run starts afresh"


def entries_of_again(root: Path) -> list[Pitfall]:
    return list(load_knowledge([root / "kb"], {}).pitfalls.values())


def test_an_entry_that_is_gone_leaves_the_file(
    tmp_path: Path, quick_probe: torch_probe.Probe, data: Path
) -> None:
    entries = entries_of(tmp_path, good=GOOD, other=GOOD)
    run_all(entries)
    assert list(run_all(entries[1:], only={"other"}).data["entries"]) == ["other"]


def test_a_damaged_file_is_written_anew(tmp_path: Path, quick_probe: torch_probe.Probe, data: Path) -> None:
    entries = entries_of(tmp_path, good=GOOD)
    path = run_all(entries).path
    path.write_text('{"schema": 1, "entr')
    assert list(run_all(entries).data["entries"]) == ["good"]


def test_a_python_without_torch_is_refused(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        torch_probe,
        "probe",
        lambda interpreter: torch_probe.Probe(
            interpreter, "3.11.0", "linux", torch_error="ModuleNotFoundError: no torch"
        ),
    )
    with pytest.raises(UsageError, match="cannot be imported"):
        run_all(entries_of(tmp_path, good=GOOD))


def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    entries_of(tmp_path, **{"a-first": GOOD, "b-hangs": "import time\ntime.sleep(600)"})
    words = ["confirm", "--all", "--mine", "--only", "a-first", "b-hangs", "--into", "out", "--no-vectors"]
    program = subprocess.Popen(
        [sys.executable, "-m", "torchwhy", *words, "--kb", str(tmp_path / "kb")],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "assistant"), "TORCHWHY_CACHE": str(tmp_path / "cache")},
    )
    assert program.stderr and program.stdout
    told = ""
    with program:
        while "a-first: reproduces-here" not in told and (line := program.stderr.readline()):
            told += line
        time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        out, rest = program.communicate(timeout=30)
    assert "a-first: reproduces-here" in told, told
    assert program.returncode == 130
    assert "1 of 2 entries were kept" in rest and "Traceback" not in rest
    assert "reproduces-here: 1" in out
    (path,) = (path for path in (tmp_path / "out").iterdir() if path.name != recorded_proofs.INDEX)
    assert list(json.loads(path.read_text("utf-8"))["entries"]) == ["a-first"]
    assert list(json.loads((tmp_path / "out" / recorded_proofs.INDEX).read_text("utf-8"))["entries"]) == [
        "a-first"
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["confirm"], "give an entry's ID, or --all"),
        (["confirm", "--only", "backward-twice"], "--all"),
        (["confirm", "--stale"], "--all"),
        (["confirm", "backward-twice", "--stale"], "--all"),
        (["confirm", "backward-twice", "--into", "x"], "--all"),
        (["confirm", "backward-twice", "--all"], "--all takes neither an ID"),
        (["confirm", "--all", "--jobs", "0"], "--jobs 0"),
        (["confirm", "--all", "--only", "no-such-entry"], "no such entry"),
        (["confirm", "--all", "--python", "/no/python"], "no such program"),
    ],
)
def test_bad_requests_are_one_line(torchwhy: Run, words: list[str], said: str) -> None:
    done = torchwhy(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and len(done.stderr.splitlines()) == 1


# Which scripts may run


def test_an_edited_shipped_script_is_refused(
    installed: Installed, quick_probe: torch_probe.Probe, data: Path
) -> None:
    (entry,) = installed.entries(good=GOOD)
    script_hashes.refuse_edited(entry)
    assert entry.repro
    Path(entry.repro).write_text(script(GOOD) + "# more\n")
    assert script_hashes.is_edited(entry)
    with pytest.raises(ConfirmError, match="--edited"):
        script_hashes.refuse_edited(entry)
    row = confirm_all.run_all([entry]).data["entries"]["good"]
    assert row["verdict"] == "cannot-run"
    assert "not the script that was shipped" in row["reason"]
    assert (
        confirm_all.run_all([entry], consent=Consent(edited=True)).data["entries"]["good"]["verdict"]
        == "reproduces-here"
    )


@pytest.mark.parametrize(
    ("old", "new", "edited"),
    [
        (b"sha256=", b"nosuch=", True),
        (b"sha256=", b"shake_128=", True),
        (b"sha256=", b"md5=", True),
        (b"torchwhy", b"\xff\xfe", False),
        (b"torchwhy", b'"' + 140_000 * b"x" + b'",,\ntorchwhy', False),
        (b"torchwhy", b"a,b,c,d,e\ntorchwhy", False),
    ],
)
def test_a_damaged_record_makes_no_script_a_shipped_one(
    installed: Installed, old: bytes, new: bytes, edited: bool
) -> None:
    (entry,) = installed.entries(good=GOOD)
    (record,) = installed.site.glob("*.dist-info/RECORD")
    record.write_bytes(record.read_bytes().replace(old, new))
    script_hashes.recorded_hashes.cache_clear()
    assert not script_hashes.shipped_path(entry)
    assert script_hashes.is_edited(entry) is edited


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_an_edited_script_that_is_reached_by_a_link_is_refused(installed: Installed) -> None:
    (entry,) = installed.entries(good=GOOD)
    assert entry.repro
    (installed.site / "link").symlink_to(Path(entry.repro).parents[2])
    (linked,) = load_knowledge([installed.site / "link"], {}).pitfalls.values()
    assert script_hashes.shipped_path(linked)
    Path(entry.repro).write_text(script(GOOD) + "# more\n")
    assert not script_hashes.shipped_path(linked)
    with pytest.raises(ConfirmError, match="--edited"):
        script_hashes.refuse_edited(linked)


def test_a_checkout_is_trusted(installed: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = installed.entries(good=GOOD)
    assert entry.repro
    Path(entry.repro).write_text("# other")
    assert script_hashes.is_edited(entry)
    monkeypatch.setattr(locations, "is_checkout", lambda: True)
    assert not script_hashes.is_edited(entry)


def test_line_ends_make_no_evidence_stale(tmp_path: Path) -> None:
    (entry,) = entries_of(tmp_path, good=GOOD)
    assert entry.repro
    before = script_hashes.file_hash(entry.repro)
    Path(entry.repro).write_bytes(Path(entry.repro).read_bytes().replace(b"\n", b"\r\n"))
    assert script_hashes.file_hash(entry.repro) == before


# What a page says of it


def wrote(
    folder: Path,
    entry: Pitfall,
    device: str = "cpu",
    torch: str = "2.13.0",
    date: str = "2026-01-02",
    verdict: str = "reproduces-here",
) -> None:
    row = {"sha256": script_hashes.file_hash(entry.repro), "verdict": verdict, "date": date}
    confirm_all.write_json(
        folder / f"{device}-torch-{torch}.json",
        {"schema": 1, "device": device, "torch": torch, "entries": {entry.id: row}},
    )
    confirm_all.write_index(folder)


def test_a_page_says_where_it_was_confirmed(shipped: Path, data: Path) -> None:
    (entry,) = entries_of(shipped, good=GOOD)
    assert recorded_proofs.last_seen(entry) is None
    assert "onfirmed on" not in entry_markdown(entry, "en")
    wrote(recorded_proofs.shipped_folder(), entry, "NVIDIA H100", "2.13.0+cu128")
    assert "Last confirmed on NVIDIA H100, torch 2.13.0+cu128, 2026-01-02." in entry_markdown(entry, "en")
    assert "最近一次验证：NVIDIA H100，torch 2.13.0+cu128，2026-01-02。" in entry_markdown(entry, "zh")
    Path(entry.repro).write_text(script("pass"))
    assert "the script has changed since" in entry_markdown(
        entry, "en"
    ) and "Last confirmed" not in entry_markdown(entry, "en")
    assert "已过时" in entry_markdown(entry, "zh")


def test_the_users_own_evidence_comes_first(
    shipped: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path_factory.mktemp("own")))
    (entry,) = entries_of(shipped, good=GOOD)
    wrote(recorded_proofs.shipped_folder(), entry, "shipped", date="2026-05-05")
    wrote(recorded_proofs.own_folder(), entry, "mine", date="2026-01-01")
    assert recorded_proofs.last_seen(entry) == recorded_proofs.LastConfirmed("mine", "2.13.0", "2026-01-01")
    Path(entry.repro).write_text(script("pass"))
    wrote(recorded_proofs.shipped_folder(), entry, "shipped", date="2026-06-06")
    assert recorded_proofs.last_seen(entry) == recorded_proofs.LastConfirmed(
        "shipped", "2.13.0", "2026-06-06"
    ), "fresh before stale"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"entries": 3}', '{"entries": {"good": ["a"]}}', "\x00\xff"]
)
def test_a_damaged_index_is_no_index(shipped: Path, data: Path, text: str) -> None:
    (entry,) = entries_of(shipped, good=GOOD)
    folder = recorded_proofs.shipped_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / recorded_proofs.INDEX).write_bytes(text.encode("latin-1"))
    recorded_proofs.cached_index.cache_clear()
    assert recorded_proofs.last_seen(entry) is None


# What ships


SHIPPED = [(path, data) for path, data in recorded_proofs.files(ROOT / "data" / "shipped" / "evidence")]


def test_evidence_ships() -> None:
    assert {data["torch"].split("+")[0] for _, data in SHIPPED} >= {"1.13.1", "2.2.2", "2.6.0", "2.13.0"}


@pytest.mark.parametrize("data", [data for _, data in SHIPPED], ids=[path.stem for path, _ in SHIPPED])
def test_shipped_evidence_is_whole(data: dict, assistant: Assistant) -> None:
    assert set(data["entries"]) <= set(assistant.pitfalls), (
        "an entry that is gone; run `torchwhy confirm --all --into data/shipped/evidence`"
    )
    for id, row in data["entries"].items():
        assert row["verdict"] in EXIT_STATUS, id
        assert bool(row["reason"]) == (row["verdict"] not in recorded_proofs.GOOD), id
        assert (row["sha256"] is None) == (assistant.pitfalls[id].repro is None), id


@pytest.mark.parametrize("path", [path for path, _ in SHIPPED], ids=[path.stem for path, _ in SHIPPED])
def test_shipped_evidence_names_nobody(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.findall(
        r"/home/(?!<redacted>)|/Users/|/root\b|/tmp/|torchwhy-\w{8}\b|\\u001b|/work\b", text
    )
    for name in (platform.node(), getpass.getuser()):
        assert len(name) < 5 or not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text)


def test_the_shipped_index_is_in_step() -> None:
    folder = ROOT / "data" / "shipped" / "evidence"
    assert json.loads((folder / recorded_proofs.INDEX).read_text("utf-8")) == confirm_all.index_of(folder)


@pytest.mark.parametrize("piece", ["a", "/", "a/", "torchwhy-", "/tmp/torchwhy-abcdefgh/", "https://"])
def test_a_long_message_is_made_short_in_linear_time(piece: str) -> None:
    """One line of 100 KB took minutes: a path was looked for from each of its letters."""
    started = time.process_time()
    assert len(confirm_all.tidy(piece * (100_000 // len(piece)), sys.executable)) <= 1000
    assert time.process_time() - started < 5
