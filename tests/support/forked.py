"""Entries' legs in forks of a process that has imported torch: the verdicts of fresh processes in half of their time.

Only for scripts whose verdict in fresh processes is on record, for this torch and this very script, and that take nothing from
how their process was started. A verdict other than the recorded one is never believed: the caller then asks for a fresh one.
"""

from __future__ import annotations

import ast
import atexit
import json
import re
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Literal

from torchwhy.knowledge import recorded_proofs
from torchwhy.knowledge.entry import Needs, Pitfall
from torchwhy.machine import torch_probe
from torchwhy.proof.confirm import leg_environment
from torchwhy.proof.confirmation import Leg, Verdict
from torchwhy.proof.judge import judge, judge_leg
from torchwhy.proof.process import Finished

SERVER = Path(__file__).with_name("torch_server.py")
LIBRARIES = {"torch", "numpy"}
# What looks at the process, its environment, its start or its children.
OF_THE_PROCESS = re.compile(
    r"\b(environ|getenv|subprocess|multiprocessing|ctypes|distributed|importlib|faulthandler|resource|signal|threading"
    r"|num_workers=[1-9]|sys\.(executable|modules|path|flags)|_exit|fork|torch\.compile|inductor|cpp_extension)\b"
)


def may_fork(entry: Pitfall) -> bool:
    """Whether a fork can stand for a fresh process: nothing in the script asks how its process began, and its verdict in fresh
    processes, with this torch and this very script, is on record.
    """
    if entry.repro is None or (entry.needs.packages, entry.needs.cuda) != (Needs().packages, Needs().cuda):
        return False
    source = Path(entry.repro).read_text("utf-8")
    own_torch = torch_probe.probe(sys.executable).torch
    return (
        not OF_THE_PROCESS.search(source)
        and imported(source) - set(sys.stdlib_module_names) <= LIBRARIES
        and any(
            (run.device, run.torch, run.verdict) == ("cpu", own_torch, "reproduces-here")
            for run in recorded_proofs.runs(entry)
        )
    )


def imported(source: str) -> set[str]:
    """The first names of all that a script imports."""
    names = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names


def confirm_forked(entry: Pitfall) -> tuple[Verdict, tuple[Leg, ...]]:
    """The verdict of both legs, each in a fork, and the legs."""
    legs: tuple[Leg, ...] = (_leg(entry, "broken"),)
    if legs[0].shows == "shown":
        legs += (_leg(entry, "fixed"),)
    return judge(legs, None)[0], legs


def _leg(entry: Pitfall, name: Literal["broken", "fixed"]) -> Leg:
    assert entry.repro
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        script = Path(folder, "script", "repro.py")
        script.parent.mkdir()
        Path(folder, "home").mkdir()
        shutil.copyfile(entry.repro, script)
        request = {
            "script": str(script),
            "words": ["--fixed"] if name == "fixed" else [],
            "folder": folder,
            "environment": leg_environment(folder),
            "seconds": entry.needs.seconds,
        }
        server = torch_server()
        assert server.stdin and server.stdout
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        out, err = (Path(folder, each).read_text("utf-8", "replace") for each in ("stdout", "stderr"))
    reason = f"still running after {entry.needs.seconds:g} s" if answer["status"] is None else ""
    return judge_leg(entry, name, Finished(answer["status"], out, err, answer["seconds"], reason))


@lru_cache(maxsize=1)
def torch_server() -> subprocess.Popen[str]:
    """The server of this test process; it ends when this process does."""
    server = subprocess.Popen(
        [sys.executable, "-B", str(SERVER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=leg_environment(tempfile.gettempdir()),
        start_new_session=True,
    )

    def end() -> None:
        assert server.stdin and server.stdout
        server.stdin.close()
        server.wait(timeout=60)
        server.stdout.close()

    atexit.register(end)
    return server
