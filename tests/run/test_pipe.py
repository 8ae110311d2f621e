"""`python train.py 2>&1 | torchwhy` on a terminal."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from tests.support.terminal import Terminal, environment

LOOP = "import time\nprint('epoch 1', flush=True)\ntime.sleep(60)"
FAILS = "print('epoch 1')\nraise RuntimeError('Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed).')"


def line(program: str) -> list[str]:
    return ["bash", "-c", f"{sys.executable} {program} 2>&1 | {sys.executable} -m torchwhy --full"]


def test_what_comes_is_shown_and_answered(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(FAILS)
    with Terminal(line("program.py"), str(tmp_path), environment()) as terminal:
        assert terminal.finish() == 0
        shown = terminal.seen.decode()
        assert shown.index("epoch 1") < shown.index("Traceback") < shown.index("backward-twice")


def test_ctrl_c_answers_from_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LOOP)
    with Terminal(line("program.py"), str(tmp_path), environment()) as terminal:
        terminal.wait_for(b"epoch 1")
        terminal.type(b"\x03")
        assert terminal.finish() in (0, 1, 130, -signal.SIGINT)
        shown = terminal.seen.decode()
        assert "KeyboardInterrupt" in shown
        assert "torchwhy: interrupted" not in shown
        assert "#" in shown.partition("KeyboardInterrupt")[2] or "I don't know" in shown


def test_a_terminal_that_does_not_wait_ends_no_training(tmp_path: Path) -> None:
    """An earlier program has left it non-blocking: standard input is the same open file as the outputs."""
    text = "import fcntl, os\nfcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK)\n"
    text += "print('epoch 1\\n' * 100_000)\nopen('ended', 'w').close()\n"
    (tmp_path / "program.py").write_text(text + FAILS.partition("\n")[2])
    with Terminal(line("program.py"), str(tmp_path), environment()) as terminal:
        assert terminal.finish() == 0
        shown = terminal.seen.decode()
    assert (tmp_path / "ended").exists() and "BlockingIOError" not in shown and "backward-twice" in shown
