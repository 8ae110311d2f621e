"""What would break where POSIX is missing: a Python without its modules, functions and signals, as Windows has it."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

MISSING = """
import os, signal, sys, importlib, pkgutil
import concurrent.futures, multiprocessing, subprocess, tempfile, shutil, asyncio, socket, getpass, logging  # they look once
import numpy, platformdirs, textual.app, textual.drivers.web_driver  # whose choice of system is their own
shutil.disk_usage = lambda folder: type("Usage", (), {"free": 1 << 30})()  # Windows has its own, without statvfs
for name in ("fcntl", "resource", "termios", "pwd", "grp", "pty", "tty"):
    sys.modules[name] = None  # importing it raises ImportError
for name in ("fork", "forkpty", "openpty", "killpg", "getpgid", "getpgrp", "tcgetpgrp", "setsid", "geteuid", "getuid",
             "getegid", "getgid", "sched_getaffinity", "statvfs", "mkfifo", "confstr", "sysconf", "uname", "wait4",
             "pidfd_open", "waitid", "fchmod"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGBUS", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGCHLD",
             "SIGWINCH", "SIGPIPE", "SIGXFSZ", "SIGALRM", "SIGTRAP", "SIGSYS", "SIGTTIN", "SIGTTOU", "pthread_sigmask",
             "pidfd_send_signal", "alarm", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
"""
# The one runs as a program of its own, the other in a fork of a program that crashed: nothing imports them.
PROGRAMS = ("torchwhy.__main__", "torchwhy.run.child.trial")
EXTRAS = (
    "torchwhy.agents.server",
    "torchwhy.lint.language_server",
    "torchwhy.tui",
    "torchwhy.lab",
)  # their own dependencies are looked at elsewhere


def without_posix(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", MISSING + code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_every_module_can_be_imported() -> None:
    without_posix(
        f"""
import torchwhy
from torchwhy.run.child.hooks import load_own
for found in pkgutil.walk_packages(torchwhy.__path__, "torchwhy."):
    if found.name.startswith("torchwhy.run.child.watch"):
        load_own("watch")  # as the program's own Python does it: its parts name one another by other names
    elif found.name not in {PROGRAMS!r} and not found.name.startswith({EXTRAS!r}):
        importlib.import_module(found.name)
"""
    )


def test_a_message_is_answered_and_the_machine_is_told_of() -> None:
    said = without_posix(
        """
from torchwhy.cli import main
assert main(["--no-vectors", "RuntimeError: Trying to backward through the graph a second time"]) == 0
assert main(["machine"]) == 0
assert main(["list", "autograd"]) == 0
"""
    )
    assert "hidden = hidden.detach()" in said
    assert "backward-twice\tautograd" in said


def test_a_wish_that_is_not_there_is_one_line() -> None:
    """`torchwhy run` needs a POSIX system; what it says elsewhere is a sentence, not a traceback."""
    said = without_posix(
        """
from torchwhy.errors import UsageError
from torchwhy.run.passing import Run
os.name = "nt"
try:
    Run(["python", "train.py"], {})
except UsageError as error:
    print(error)
"""
    )
    assert "pipe the output in: COMMAND 2>&1 | torchwhy" in said
