"""What no handler hears, or torchwhy alone would hear: SIGKILL, its own limits, and stops of the command's own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.terminal import Terminal, environment

pytestmark = pytest.mark.promise(3)

RUN = (sys.executable, "-m", "torchwhy", "run", "--quiet", "--")
SHELL = ["bash", "--norc", "--noprofile", "-i"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT])
def test_who_kills_the_whole_group_costs_no_output(number: int, tmp_path: Path) -> None:
    """`os.killpg(0, SIGKILL)` ends a training's own workers: what it wrote before is in the pipe.

    Without an heir nearly every second try loses some. SIGKILL may come between a read and its write, which
    one of several hundred did.
    """
    program = f"import os\nos.write(1, b'o' * 60000)\nos.write(2, b'e' * 60000)\nos.killpg(0, {number})"
    lost = 0
    for _ in range(4):
        done = subprocess.run(
            [*RUN, sys.executable, "-c", program],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            timeout=60,
            start_new_session=True,
            check=False,
        )
        assert done.returncode == -number
        lost += (len(done.stdout), len(done.stderr)) != (60000, 60000)
    assert lost <= (number == signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Linux")
def test_who_kills_torchwhy_alone_ends_the_command(tmp_path: Path) -> None:
    """`subprocess.run(timeout=...)` and `kill -9` know one process: no training stays behind on the GPU."""
    program = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(8)\nopen('lived', 'w').close()"
    env = {**environment(), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [*RUN, sys.executable, "-c", program], cwd=tmp_path, env=env, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        process.kill()
        assert process.stdout.read() == b""
    assert not list(tmp_path.glob("torchwhy-run-*"))  # where messages of errors stand as they are
    for _ in range(40):
        if not Path(f"/proc/{number}/exe").exists():
            break
        time.sleep(0.1)
    else:
        os.kill(number, signal.SIGKILL)
        pytest.fail("the command goes on")


def test_where_torchwhy_is_killed_standard_error_stays_writable(tmp_path: Path) -> None:
    """By the workers of a training, which nobody has killed."""
    line = "setsid sh -c 'sleep 1; echo late >&2 && touch written' & echo up; exec sleep 60"
    with subprocess.Popen(
        [*RUN, "sh", "-c", line],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.kill()
        assert process.stderr.read() == b"late\n"
    assert (tmp_path / "written").exists()


@pytest.mark.skipif(shutil.which("less") is None or sys.platform != "linux", reason="no less")
def test_a_pager_hears_its_keys(tmp_path: Path) -> None:
    """`help()` in a debugger: `less` opens the terminal of its standard error, which is torchwhy's."""
    (tmp_path / "text").write_text("".join(f"line {i}\n" for i in range(200)))
    env = {**environment(), "LESS": "", "TERM": "xterm"}
    line = "less text; read -p 'then? ' x; echo got $x"
    with Terminal([*RUN, "bash", "-c", line], str(tmp_path), env) as terminal:
        terminal.wait_for(b"line 10")
        terminal.type(b"G")
        terminal.wait_for(b"line 199", seconds=10)
        terminal.type(b"q")
        terminal.wait_for(b"then? ", seconds=10)
        time.sleep(1)
        terminal.type(b"typed\n")
        terminal.wait_for(b"typed\r\n", seconds=10)  # the terminal shows what is typed, as before
        terminal.wait_for(b"got typed", seconds=10)
        assert terminal.finish() == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGUSR1"])
def test_a_signal_to_the_answer_takes_no_status(name: str) -> None:
    """Slurm and `kill` tell a job more than once; the command has saved its state and ended by then."""
    code = (
        "import os, signal\nfrom torchwhy.commands import run\nfrom torchwhy.cli.main import main\n"
        f"def answer(*_):\n for _ in range(2): os.kill(os.getpid(), signal.{name})\n"
        "run.after = answer\nstatus = main(['run', '--', 'sh', '-c', 'exit 3'])\n"
        f"print(signal.getsignal(signal.{name}) == signal.SIG_DFL)\nraise SystemExit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (3, b"True\n"), done.stderr
    assert b"interrupted" in done.stderr


def test_ctrl_c_pressed_on_and_on_takes_no_status() -> None:
    """Until the process is gone: its last moments, behind the answer, are long enough for a key."""
    code = (
        "import atexit, os, signal, sys\nfrom torchwhy.commands import run\nfrom torchwhy.cli.main import main\n"
        "def press(*_): os.kill(os.getpid(), signal.SIGINT)\natexit.register(press)\n"
        "run.after = press\nsys.argv = ['torchwhy', 'run', '--', 'sh', '-c', 'exit 3']\nsys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (3, False), done.stderr


def test_a_python_script_that_names_no_program_is_pythons(tmp_path: Path) -> None:
    """On some file systems every file may be run."""
    (tmp_path / "sub").mkdir()
    for path in ("train.py", "sub/train.py"):
        (tmp_path / path).write_text("import sys\nprint(sys.argv)\n")
        (tmp_path / path).chmod(0o755)
        done = subprocess.run(
            [*RUN[:-1], path, "a"],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.stdout == f"[{path!r}, 'a']\n".encode()


def test_a_program_that_stops_itself_gives_the_shell_back(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import os, signal\nprint('up', flush=True)\nos.kill(os.getpid(), signal.SIGTSTP)\nprint('on', 'again')"
    )
    with Terminal(SHELL, str(tmp_path), {**environment(), "PS1": "ready$ "}) as terminal:
        terminal.wait_for(b"ready$ ")
        terminal.type(" ".join([*RUN, sys.executable, "program.py"]).encode() + b"\n")
        terminal.wait_for(b"Stopped", seconds=10)
        terminal.type(b"fg\n")
        terminal.wait_for(b"on again", seconds=10)


def test_what_was_written_before_a_stop_for_input_is_shown(tmp_path: Path) -> None:
    """In the background: the terminal's SIGTTIN stops the whole group at once."""
    (tmp_path / "program.py").write_text("print('a', 'question', flush=True)\ninput()")
    with Terminal(SHELL, str(tmp_path), {**environment(), "PS1": "ready$ "}) as terminal:
        terminal.wait_for(b"ready$ ")
        terminal.type(" ".join([*RUN, sys.executable, "program.py", "&"]).encode() + b"\n")
        terminal.wait_for(b"a question", seconds=10)


def test_a_program_that_asks_for_the_size_gets_the_new_one(tmp_path: Path) -> None:
    """Its real terminal tells it of a change at once, maybe before torchwhy has passed the size on."""
    (tmp_path / "program.py").write_text(
        "import os, signal, time\n"
        "signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b'%d\\n' % os.get_terminal_size(1).columns))\n"
        "print('up', flush=True)\nend = time.monotonic() + 30\nwhile time.monotonic() < end: time.sleep(0.01)"
    )
    with Terminal([*RUN, sys.executable, "program.py"], str(tmp_path), environment()) as terminal:
        terminal.wait_for(b"up\r\n")
        for columns in range(101, 151):
            terminal.resize(24, columns)
            terminal.wait_for(b"\n%d\r\n" % columns, seconds=3)


@pytest.mark.parametrize("way", ["timeout", "setpgrp"])
def test_a_command_with_a_group_of_its_own_has_the_keyboard(way: str, tmp_path: Path) -> None:
    """What a shell starts leads its group already, so that making one changes nothing there."""
    first = "import os\nos.setpgrp()\n" if way == "setpgrp" else ""
    (tmp_path / "program.py").write_text(
        f"{first}import time\nprint('up', flush=True)\nprint('got', input())\n"
        "try: time.sleep(30)\nexcept KeyboardInterrupt: print('told')\n"
    )
    words = [*RUN, *(["timeout", "60"] if way == "timeout" else []), sys.executable, "program.py"]
    with Terminal(SHELL, str(tmp_path), {**environment(), "PS1": "ready$ "}) as terminal:
        terminal.wait_for(b"ready$ ")
        terminal.type(" ".join(words).encode() + b"\n")
        terminal.wait_for(b"up\r\n")
        terminal.type(b"line\n")
        terminal.wait_for(b"got line", seconds=10)
        terminal.type(b"\x1a")
        terminal.wait_for(b"Stopped", seconds=10)
        terminal.type(b"fg\n")
        terminal.wait_for(lambda seen: seen.count(b"program.py") >= 3)
        time.sleep(1)
        terminal.type(b"\x03")
        terminal.wait_for(b"told", seconds=10)
        terminal.wait_for(lambda seen: seen.endswith(b"ready$ "), seconds=10)
