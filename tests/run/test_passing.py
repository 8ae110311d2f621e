"""The command of `torchwhy run` behaves as without it: bytes, status, signals, the terminal; also where somebody kills
it, or torchwhy.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.support.terminal import Terminal, environment

pytestmark = pytest.mark.promise(3)

RUN = (sys.executable, "-m", "torchwhy", "run", "--quiet", "--")


def ended(words: list[str], folder: Path | None = None, **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        words, cwd=folder, env=environment(), capture_output=True, timeout=60, check=False, **more
    )


def started(words: list[str], folder: Path | None = None, **more: Any) -> subprocess.Popen[bytes]:
    """Under `torchwhy run`, its standard output a pipe."""
    return subprocess.Popen(
        [*RUN, *words], cwd=folder, stdout=subprocess.PIPE, **{"env": environment(), **more}
    )


def test_no_such_command() -> None:
    done = ended([*RUN, "no-such-command"])
    assert done.returncode == 127
    assert b"no-such-command" in done.stderr


HEARS = """
import os, signal, time
def hear(number, frame): os.write(1, b"%d\\n" % number)  # whole, though the next one interrupts
for number in signal.valid_signals():
    try:
        signal.signal(number, hear)
    except OSError:
        pass
print("up", flush=True)
end = time.monotonic() + 60
while time.monotonic() < end and not os.path.exists("end"): time.sleep(0.02)
"""


@pytest.mark.parametrize("group", [False, True])
def test_each_signal_is_heard(group: bool, tmp_path: Path) -> None:
    """Also those of schedulers (SIGXCPU, SIGUSR1). Sent to the whole group, it may come twice."""
    (tmp_path / "program.py").write_text(HEARS)
    with started([sys.executable, "program.py"], tmp_path, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        sent = [signal.SIGXCPU, signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGQUIT]
        sent += [signal.SIGRTMIN + 3] if hasattr(signal, "SIGRTMIN") else []
        heard = []
        for number in sent:
            (os.killpg if group else os.kill)(process.pid, number)
            while not (line := process.stdout.readline()) or (group and line in heard):
                pass
            heard.append(line)
        for _ in range(0 if group else 5):  # once for each, and no guess by time
            time.sleep(0.02)
            os.kill(process.pid, signal.SIGUSR1)
            sent.append(signal.SIGUSR1)
            heard.append(process.stdout.readline())
        time.sleep(0.3)
        (tmp_path / "end").write_text("")
        assert heard == [b"%d\n" % number for number in sent]
        assert group or process.stdout.read() == b""
        process.stdout.read()
    assert process.returncode == 0


@pytest.mark.parametrize("after_s", [0, 0.1, 0.4])
def test_a_signal_is_never_too_early(after_s: float) -> None:
    with started(["sleep", "60"], stderr=subprocess.PIPE) as process:
        time.sleep(after_s)
        process.terminate()
        assert process.wait(30) == -signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_command_as_without_torchwhy(number: signal.Signals) -> None:
    with started(["sh", "-c", "echo up; exec sleep 60"], stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(30) == -number


def test_a_command_that_is_stopped_alone_goes_on_alone(tmp_path: Path) -> None:
    """`kill -STOP` and `kill -CONT` of the training's own process, as somebody finds it in `nvidia-smi`."""
    (tmp_path / "program.py").write_text(
        "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(1.5)\n"
        "for i in range(200): print('x' * 5000, flush=True)\nraise SystemExit(6)"
    )
    with started([sys.executable, "program.py"], tmp_path) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        os.kill(number, signal.SIGSTOP)
        time.sleep(1)
        os.kill(number, signal.SIGCONT)
        try:
            output, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, len(output)) == (6, 200 * 5001)


def test_what_holds_one_output_holds_not_the_other(tmp_path: Path) -> None:
    """A daemon whose standard error is a file: who waits for the end of standard output has it."""
    with (tmp_path / "errors").open("wb") as errors:
        began = time.monotonic()
        done = subprocess.run(
            [*RUN, "sh", "-c", "sleep 20 >/dev/null & echo out"],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=errors,
            timeout=60,
            check=True,
        )
    assert done.stdout == b"out\n"
    assert time.monotonic() - began < 15


def test_without_a_folder_for_files_the_command_runs(tmp_path: Path) -> None:
    code = (
        "import tempfile\ndef none(**_): raise FileNotFoundError(2, 'No usable temporary directory')\n"
        "tempfile.mkdtemp = none\nfrom torchwhy.cli.main import main\n"
        "raise SystemExit(main(['run', '--quiet', '--watch', '--', 'sh', '-c', 'echo ran; exit 3']))"
    )
    done = ended([sys.executable, "-c", code])
    assert (done.returncode, done.stdout) == (3, b"ran\n"), done.stderr
    assert b"Traceback" not in done.stderr


# --- the terminal ---

ASKS = """
import os, sys, shutil
print([os.isatty(n) for n in (0, 1, 2)], shutil.get_terminal_size(), "\\x1b[31mred\\x1b[0m", flush=True)
name = input("name? ")
print("hello", name)
print(shutil.get_terminal_size(), flush=True)
sys.exit(3)
"""
# It says "up" from a thread while its loop runs: a key that is typed then meets the loop, never the print.
LOOPS = """import threading, time
threading.Timer(0.3, lambda: print("up", flush=True)).start()
while True: time.sleep(0.05)
"""


@contextmanager
def shell(folder: Path) -> Iterator[Terminal]:
    """A shell that knows its jobs, ready for a line."""
    words = ["bash", "--norc", "--noprofile", "-i"]
    with Terminal(words, str(folder), {**environment(), "PS1": "ready$ "}) as terminal:
        terminal.wait_for(b"ready$ ")
        yield terminal


def test_a_terminal_stays_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(ASKS)
    shown = []
    for command in ([sys.executable, "program.py"], [*RUN, sys.executable, "program.py"]):
        with Terminal(command, str(tmp_path), environment(), (30, 91)) as terminal:
            terminal.wait_for(b"name? ")
            terminal.resize(40, 120)
            time.sleep(0.5)  # the signal of the new size has to arrive before the program asks for it
            terminal.type(b"someone\n")
            assert terminal.finish() == 3
            shown.append(terminal.seen)
    assert b"[True, True, True]" in shown[0]
    assert b"columns=91" in shown[0]
    assert b"columns=120" in shown[0]
    assert shown[1] == shown[0]


def test_ctrl_c_ends_the_command_once(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LOOPS)
    shown = []
    for command in ([sys.executable, "program.py"], [*RUN, sys.executable, "program.py"]):
        with Terminal(command, str(tmp_path), environment()) as terminal:
            terminal.wait_for(b"up\r\n")
            terminal.type(b"\x03")
            assert terminal.finish() == -signal.SIGINT
            shown.append(terminal.seen)
    assert shown[1] == shown[0]


def test_ctrl_z_stops_it_and_fg_goes_on(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print('up', flush=True)\nprint('got', input())")
    with shell(tmp_path) as terminal:
        terminal.type(" ".join([*RUN, sys.executable, "program.py"]).encode() + b"\n")
        terminal.wait_for(b"up")
        terminal.type(b"\x1a")
        terminal.wait_for(b"Stopped")
        terminal.type(b"fg\n")
        terminal.wait_for(lambda seen: seen.count(b"program.py") >= 3)
        time.sleep(0.5)
        terminal.type(b"line\n")
        terminal.wait_for(b"got line")
        terminal.type(b"exit 0\n")
        assert terminal.finish() == 0


def test_keys_that_a_program_sets_by_its_output_are_the_terminals(tmp_path: Path) -> None:
    """As curses.raw() does: Ctrl-C is a key then, and nothing is printed between."""
    (tmp_path / "program.py").write_text(
        "import os, time, tty\nprint('up', flush=True)\ntime.sleep(0.5)\ntty.setraw(1)\nopen('set', 'w').close()\n"
        "print('key', os.read(0, 1), flush=True)\n"
    )
    with Terminal([*RUN, sys.executable, "program.py"], str(tmp_path), environment()) as terminal:
        terminal.wait_for(lambda seen: (tmp_path / "set").exists())
        time.sleep(1)
        terminal.type(b"\x03")
        assert terminal.finish() == 0
        assert rb"key b'\x03'" in terminal.seen


def test_a_terminal_is_told_of_ctrl_c_by_itself_alone(tmp_path: Path) -> None:
    """Also where none of the three leads to it: a second Ctrl-C often means "without saving"."""
    (tmp_path / "program.py").write_text(
        "import signal, time\ndef hear(number, frame): open('heard', 'a').write('x')\n"
        "signal.signal(signal.SIGINT, hear)\nopen('up', 'w').close()\nend = time.time() + 4\n"
        "while time.time() < end: time.sleep(0.05)"
    )
    line = " ".join([*RUN, sys.executable, "program.py", "</dev/null", ">log", "2>&1"])
    with Terminal(["bash", "-c", f"{line}; echo end"], str(tmp_path), environment()) as terminal:
        terminal.wait_for(lambda seen: (tmp_path / "up").exists())
        for _ in range(8):
            time.sleep(0.3)
            terminal.type(b"\x03")
        terminal.finish()
    assert (tmp_path / "heard").read_text() == 8 * "x"


@pytest.mark.parametrize(
    "program", ["stty -echo; echo ask; read x; stty echo; echo got ${#x}", "read -s -p ask x; echo got ${#x}"]
)
def test_a_password_that_is_typed_is_not_shown(program: str, tmp_path: Path) -> None:
    """What a program sets by its input is the real terminal's own: its output does not set that back."""
    with Terminal([*RUN, "bash", "-c", program], str(tmp_path), environment()) as terminal:
        terminal.wait_for(b"ask")
        time.sleep(0.5)
        terminal.type(b"s3cr3t\n")
        assert terminal.finish() == 0
        assert b"got 6" in terminal.seen
        assert b"s3cr3t" not in terminal.seen


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone tells what was given")
@pytest.mark.parametrize("given", [{}, {"LC_CTYPE": "C"}, {"LC_CTYPE": "C.UTF-8"}, {"LANG": "C.UTF-8"}])
def test_the_language_of_the_environment_is_the_commands(given: dict[str, str], tmp_path: Path) -> None:
    """Without one, as for cron, Python sets its own."""
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **given}
    words = ["sh", "-c", 'echo "$LC_CTYPE"; printf "\303\251" | wc -m']
    bare = subprocess.run(words, env=env, capture_output=True, check=False)
    run = subprocess.run(
        [*RUN, *words], env={**env, "PYTHONPATH": str(ROOT / "assistant")}, capture_output=True, check=False
    )
    assert run.stdout == bare.stdout and bare.stdout


# --- what no handler hears, or torchwhy alone would hear: SIGKILL, its own limits, and stops of the command's own ---


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT])
def test_who_kills_the_whole_group_costs_no_output(number: int, tmp_path: Path) -> None:
    """`os.killpg(0, SIGKILL)` ends a training's own workers: what it wrote before is in the pipe.

    Without an heir nearly every second try loses some. SIGKILL may come between a read and its write, which
    one of several hundred did.
    """
    program = f"import os\nos.write(1, b'o' * 60000)\nos.write(2, b'e' * 60000)\nos.killpg(0, {number})"
    lost = 0
    for _ in range(4):
        done = ended([*RUN, sys.executable, "-c", program], tmp_path, start_new_session=True)
        assert done.returncode == -number
        lost += (len(done.stdout), len(done.stderr)) != (60000, 60000)
    assert lost <= (number == signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Linux")
def test_who_kills_torchwhy_alone_ends_the_command(tmp_path: Path) -> None:
    """`subprocess.run(timeout=...)` and `kill -9` know one process: no training stays behind on the GPU."""
    program = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(8)\nopen('lived', 'w').close()"
    env = {**environment(), "TMPDIR": str(tmp_path)}
    with started([sys.executable, "-c", program], tmp_path, env=env) as process:
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
    with started(["sh", "-c", line], tmp_path, stderr=subprocess.PIPE) as process:
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
        "import os, signal\nfrom torchwhy.commands import run_answer\nfrom torchwhy.cli.main import main\n"
        f"def answer(*_):\n for _ in range(2): os.kill(os.getpid(), signal.{name})\n"
        "run_answer.after = answer\nstatus = main(['run', '--', 'sh', '-c', 'exit 3'])\n"
        f"print(signal.getsignal(signal.{name}) == signal.SIG_DFL)\nraise SystemExit(status)"
    )
    done = ended([sys.executable, "-c", code])
    assert (done.returncode, done.stdout) == (3, b"True\n"), done.stderr
    assert b"interrupted" in done.stderr


def test_ctrl_c_pressed_on_and_on_takes_no_status() -> None:
    """Until the process is gone: its last moments, behind the answer, are long enough for a key."""
    code = (
        "import atexit, os, signal, sys\nfrom torchwhy.commands import run_answer\nfrom torchwhy.cli.main import main\n"
        "def press(*_): os.kill(os.getpid(), signal.SIGINT)\natexit.register(press)\n"
        "run_answer.after = press\nsys.argv = ['torchwhy', 'run', '--', 'sh', '-c', 'exit 3']\nsys.exit(main())"
    )
    done = ended([sys.executable, "-c", code])
    assert (done.returncode, b"Traceback" in done.stderr) == (3, False), done.stderr


def test_a_python_script_that_names_no_program_is_pythons(tmp_path: Path) -> None:
    """On some file systems every file may be run."""
    (tmp_path / "sub").mkdir()
    for path in ("train.py", "sub/train.py"):
        (tmp_path / path).write_text("import sys\nprint(sys.argv)\n")
        (tmp_path / path).chmod(0o755)
        done = ended([*RUN[:-1], path, "a"], tmp_path)
        assert done.stdout == f"[{path!r}, 'a']\n".encode()


def test_a_program_that_stops_itself_gives_the_shell_back(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import os, signal\nprint('up', flush=True)\nos.kill(os.getpid(), signal.SIGTSTP)\nprint('on', 'again')"
    )
    with shell(tmp_path) as terminal:
        terminal.type(" ".join([*RUN, sys.executable, "program.py"]).encode() + b"\n")
        terminal.wait_for(b"Stopped", seconds=10)
        terminal.type(b"fg\n")
        terminal.wait_for(b"on again", seconds=10)


def test_what_was_written_before_a_stop_for_input_is_shown(tmp_path: Path) -> None:
    """In the background: the terminal's SIGTTIN stops the whole group at once."""
    (tmp_path / "program.py").write_text("print('a', 'question', flush=True)\ninput()")
    with shell(tmp_path) as terminal:
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
    with shell(tmp_path) as terminal:
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
