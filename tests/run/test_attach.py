"""`torchwhy attach`: programs that hang, each with who stands where (written in it), are looked into and go on."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.conftest import ROOT
from torchwhy.runtime.system import descendants

HANGS = Path(__file__).with_name("hangs")
PROGRAMS = sorted(HANGS.glob("*.py"))
SECONDS = 90.0  # of a machine that does much else
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def attach(pid: int, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "torchwhy", "attach", *words, str(pid)],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def free_port() -> str:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return str(server.getsockname()[1])


@contextmanager
def started(words: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        for pid in [*descendants(process.pid), process.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()


def noted(program: Path, name: str) -> str:
    found = re.search(rf"^# {name}: (.+)$", program.read_text("utf-8"), re.MULTILINE)
    return found[1] if found else ""


def command(program: Path) -> list[str]:
    text, port = program.read_text("utf-8"), free_port()
    ranks = max((int(rank) + 1 for rank in re.findall(r"(\d+) \S+ \d+", noted(program, "stands"))), default=1)
    if noted(program, "ended"):
        ranks += 1
    if "mp.spawn" in text or "dist" not in text or "rank=0" in text:
        return [sys.executable, str(program), port]
    launcher = ["-m", "torch.distributed.run", f"--nproc-per-node={ranks}", f"--master-port={free_port()}"]
    return [sys.executable, *launcher, str(program), port]


def stands(answer: dict[str, object]) -> list[str]:
    """As the programs note it: "0 barrier 12", "worker - 20"."""
    rows = answer["waits"]
    assert isinstance(rows, list)
    who = [
        {"DataLoader worker": "worker", "process": "process"}.get(row["kind"], row["number"]) for row in rows
    ]
    return [f"{name} {row['call'] or '-'} {row['line']}" for name, row in zip(who, rows, strict=True)]


@pytest.mark.skipif(shutil.which("py-spy") is None, reason="py-spy is not installed")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_who_stands_where(program: Path) -> None:
    wanted = noted(program, "stands").split("; ")
    with started(command(program)) as process:
        deadline, found, answer = time.monotonic() + SECONDS, [""], {}
        while time.monotonic() < deadline and process.poll() is None and not set(wanted) <= set(found):
            done = attach(process.pid, "--json")
            answer = json.loads(done.stdout) if done.stdout else {}
            found = stands(answer) if answer else [done.stderr]
        assert set(wanted) <= set(found)
        assert process.poll() is None  # it goes on
    assert (answer["entry"] or "-") == noted(program, "entry")
    assert ", ".join(map(str, answer["missing_ranks"])) == noted(program, "ended")


def test_what_cannot_be_looked_into_is_one_line(tmp_path: Path) -> None:
    with started(["sleep", "60"]) as process:
        done = attach(process.pid)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "no Python program" in done.stderr
    gone = attach(process.pid)
    assert gone.returncode == 2 and "no process" in gone.stderr
    tool = tmp_path / "py-spy"
    tool.write_text("#!/bin/sh\necho 'Error: Permission denied (os error 13)' >&2\nexit 1\n")
    tool.chmod(0o755)
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    with started([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        refused = attach(process.pid, PATH=path)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1) and "sudo" in refused.stderr


def test_what_moves_is_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text("import time\nwhile True:\n" + "    time.sleep(0.02)\n" * 211)
    with started([sys.executable, str(file)]) as process:
        time.sleep(1)
        assert "moved within" in attach(process.pid).stdout or not shutil.which("py-spy")


def test_the_programs_are_listed_once() -> None:
    assert len(PROGRAMS) >= 12 and ROOT in HANGS.parents
