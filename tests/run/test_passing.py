"""The command of `torchwhy run` behaves as without it: bytes, status, signals, the terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.terminal import Terminal, environment

pytestmark = pytest.mark.promise(3)

RUN = (sys.executable, "-m", "torchwhy", "run", "--quiet", "--")


def test_no_such_command() -> None:
    done = subprocess.run([*RUN, "no-such-command"], env=environment(), capture_output=True, check=False)
    assert done.returncode == 127
    assert b"no-such-command" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_torchwhy_reaches_the_command(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import time\nprint('up', flush=True)\ntime.sleep(60)")
    statuses = []
    for command in ([sys.executable, "program.py"], [*RUN, sys.executable, "program.py"]):
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        process.communicate(timeout=60)
        statuses.append(process.returncode)
    assert statuses == [-number, -number]


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
    with subprocess.Popen(
        [*RUN, sys.executable, "program.py"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
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
    with subprocess.Popen([*RUN, "sleep", "60"], env=environment(), stderr=subprocess.PIPE) as process:
        time.sleep(after_s)
        process.terminate()
        assert process.wait(30) == -signal.SIGTERM


def test_a_command_that_is_stopped_alone_goes_on_alone(tmp_path: Path) -> None:
    """`kill -STOP` and `kill -CONT` of the training's own process, as somebody finds it in `nvidia-smi`."""
    (tmp_path / "program.py").write_text(
        "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(1.5)\n"
        "for i in range(200): print('x' * 5000, flush=True)\nraise SystemExit(6)"
    )
    with subprocess.Popen(
        [*RUN, sys.executable, "program.py"], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE
    ) as process:
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
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, timeout=60, check=False
    )
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
    shell = ["bash", "--norc", "--noprofile", "-i"]
    with Terminal(shell, str(tmp_path), {**environment(), "PS1": "ready$ "}) as terminal:
        terminal.wait_for(b"ready$ ")
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
