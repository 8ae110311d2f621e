"""The command of `torchwhy run` behaves as without it: bytes, status, signals, the terminal."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant.run.environment import child_environment
from tests.conftest import ROOT
from tests.support.terminal import Terminal, environment

RUN = (sys.executable, "-m", "assistant", "run", "--quiet", "--")
ENDS = {
    "ok": "print('fine')",
    "error": "raise ValueError('no')",
    "exit": "import sys; print('x', file=sys.stderr); sys.exit(7)",
    "os_exit": "import os; os._exit(9)",
    "kill": "import os; os.kill(os.getpid(), 9)",
    "term": "import os; os.kill(os.getpid(), 15)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "abort": "import os; os.abort()",
    "binary": "import sys; sys.stdout.buffer.write(bytes(range(256)) * 3000); sys.exit(1)",
    "utf-16": "import sys; sys.stdout.buffer.write(b'\\xff\\xfe' + b'a\\0' * 8_000_000); sys.exit(1)",
    "bars": "import sys\nfor i in range(3000): sys.stderr.write(f'\\r{i}%|#####|')\nsys.exit(2)",
    "no-newline": "import sys; sys.stdout.write('half a line'); sys.exit(3)",
    "thread": "import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join(); raise SystemExit(4)",
    "path": "import sys, os; print(sys.path, sys.excepthook is sys.__excepthook__, 'sitecustomize' in str(sys.path))",
    "chained": "try: 1 / 0\nexcept ZeroDivisionError as e: raise KeyError('k') from e",
    "group": "raise ExceptionGroup('g', [ValueError(1), KeyError(2)])"
    if sys.version_info >= (3, 11)
    else "1 / 0",
    "logged": "import logging\ntry: 1 / 0\nexcept Exception: logging.exception('bad'); raise SystemExit(1)",
    "syntax": "compile('a b', 'f.py', 'exec')",
    "handled": "import traceback\nfor i in range(40):\n try: 1 / 0\n except Exception: traceback.print_exc()\nraise SystemExit(1)",
}


def both(words: list[str], cwd: Path) -> list[tuple[int, bytes, bytes]]:
    """(status, standard output, standard error) without and with torchwhy."""
    results = []
    for command in (words, [*RUN, *words]):
        done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, check=False)
        results.append((done.returncode, done.stdout, done.stderr))
    return results


@pytest.mark.parametrize("name", ENDS)
def test_bytes_and_status_are_the_commands_own(name: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(ENDS[name])
    bare, run = both([sys.executable, "program.py"], tmp_path)
    assert run == bare


def test_one_place_for_both_outputs_keeps_their_order(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import os\nfor i in range(2000): os.write(1 + i % 2, b'%d\\n' % i)\nraise SystemExit(1)"
    )
    outputs = []
    for command in ([sys.executable, "program.py"], [*RUN, sys.executable, "program.py"]):
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]


def test_input_goes_to_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [*RUN, "cat"], input=b"one\ntwo", env=environment(), capture_output=True, check=True
    )
    assert done.stdout == b"one\ntwo"


def test_a_reader_that_leaves_ends_the_command(tmp_path: Path) -> None:
    line = f"{' '.join(RUN)} yes | head -1"
    done = subprocess.run(
        ["bash", "-c", line], env=environment(), capture_output=True, timeout=60, check=False
    )
    assert done.stdout == b"y\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize("output", [">/dev/full", "2>/dev/full", ">/dev/full 2>&1"])
@pytest.mark.parametrize("quiet", [True, False])
def test_a_full_disk_neither_ends_the_command_nor_takes_its_status(
    output: str, quiet: bool, tmp_path: Path
) -> None:
    program = "echo one; echo two >&2; sleep 1; echo three; echo four >&2; touch done; exit 5"
    words = RUN if quiet else [word for word in RUN if word != "--quiet"]
    line = f"{' '.join(words)} sh -c '{program}' {output}"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment(), timeout=60, check=False)
    assert (done.returncode, (tmp_path / "done").exists()) == (5, True)


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


def test_what_the_command_left_running_still_prints(tmp_path: Path) -> None:
    line = "(sleep 1; echo late) & echo early"
    done = subprocess.run(
        [*RUN, "bash", "-c", line], env=environment(), capture_output=True, timeout=60, check=True
    )
    assert done.stdout == b"early\nlate\n"


def test_memory_stays_bounded(tmp_path: Path) -> None:
    """200 MB of output pass; what torchwhy holds meanwhile is a small part of that."""
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nblock = b'a line of a long log\\n' * 5000\nfor i in range(2000): sys.stdout.buffer.write(block)\nraise ValueError('at the end')"
    )
    measured = tmp_path / "measured.py"
    measured.write_text(
        "import re, sys\nfrom assistant.cli import main\n"
        f"main(['run', '--quiet', '--', {sys.executable!r}, {str(program)!r}])\n"
        # this program's own peak in KiB; ru_maxrss begins with that of the process that started it
        "print(re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, str(measured)],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=True,
    )
    text = done.stderr.decode()
    assert "ValueError: at the end" in text
    assert int(text.split()[-1]) < 700 << 10  # KiB; the encoder is part of it


def test_what_it_was_given_beside_the_three_outputs_it_keeps(tmp_path: Path) -> None:
    """`COMMAND <(...)` of a shell, the descriptor of a lock, a job server's."""
    done = subprocess.run(
        ["bash", "-c", f"{' '.join(RUN)} cat <(echo from a substitution)"],
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"from a substitution\n")


MANY_OPEN = """
import os, resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
for _ in range(1100):
    os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)
words = [*sys.argv[1:], "sh", "-c", "sleep 0.3; echo ok; exit 4"]
done = subprocess.run(words, close_fds=False, stdout=subprocess.PIPE)
print(done.returncode, done.stdout)
"""


def test_a_thousand_open_files_are_no_hindrance() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MANY_OPEN, *RUN],
        env=environment(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == b"4 b'ok\\n'\n", done.stderr


HEARS = """
import os, signal, time
def hear(number, frame): print(number, flush=True)
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
def test_each_signal_is_heard_once(group: bool, tmp_path: Path) -> None:
    """Also those of schedulers (SIGXCPU, SIGUSR1), sent to torchwhy alone or to the whole group."""
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
        sent = [signal.SIGUSR1, signal.SIGXCPU, signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGQUIT]
        sent += [signal.SIGUSR1] + ([signal.SIGRTMIN + 3] if hasattr(signal, "SIGRTMIN") else [])
        heard = []
        for number in sent:
            (os.killpg if group else os.kill)(process.pid, number)
            heard.append(process.stdout.readline())
            time.sleep(0.8)  # in which it would come a second time
        (tmp_path / "end").write_text("")
        assert heard == [b"%d\n" % number for number in sent]
        assert process.stdout.read() == b""
    assert process.returncode == 0


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


def test_what_prints_without_end_after_the_command_holds_nothing_up(tmp_path: Path) -> None:
    began = time.monotonic()
    line = "(for i in $(seq 150); do echo t; sleep 0.1; done) & exit 3"
    with (tmp_path / "log").open("wb") as log:
        done = subprocess.run(
            [*RUN, "sh", "-c", line], env=environment(), stdout=log, timeout=60, check=False
        )
    assert done.returncode == 3
    assert time.monotonic() - began < 12


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


FULL = """
import os, resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
words = [*sys.argv[2:], sys.executable, "-c", "import os\\nfor i in range(300): os.write(1, b'x' * 1000)\\nos._exit(5)"]
print(subprocess.run(words, stdout=open(sys.argv[1], "wb"), stderr=subprocess.PIPE).returncode)
"""


def test_an_output_that_takes_no_more_ends_no_command(tmp_path: Path) -> None:
    """A full disk: what is written there is lost, and the training goes on."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "log"), *RUN],
        env={**environment(), "TMPDIR": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == b"5\n", done.stderr
    assert (tmp_path / "log").stat().st_size == 4096


def test_without_a_folder_for_files_the_command_runs(tmp_path: Path) -> None:
    code = (
        "import tempfile\ndef none(**_): raise FileNotFoundError(2, 'No usable temporary directory')\n"
        "tempfile.mkdtemp = none\nfrom assistant.cli.main import main\n"
        "raise SystemExit(main(['run', '--quiet', '--watch', '--', 'sh', '-c', 'echo ran; exit 3']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (3, b"ran\n"), done.stderr
    assert b"Traceback" not in done.stderr


NO_THREAD = """
import os, sys, threading
from assistant.run.passing import Run
def no(thread): raise RuntimeError("can't start new thread")
threading.Thread.start = no
print(Run(["sh", "-c", "echo passed; exit 4"], os.environ).wait().status)
"""


def test_without_a_thread_the_output_is_passed_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_THREAD], env=environment(), capture_output=True, timeout=60, check=True
    )
    assert done.stdout == b"passed\n4\n"


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
    """A full-screen program takes echo away through its standard output."""
    (tmp_path / "program.py").write_text(
        "import sys, termios, time\nold = termios.tcgetattr(1)\nnew = termios.tcgetattr(1)\nnew[3] &= ~(termios.ECHO | termios.ICANON)\n"
        "termios.tcsetattr(1, termios.TCSANOW, new)\nprint('set', flush=True)\ntime.sleep(0.3)\nprint('now', flush=True)\n"
        "print('key', sys.stdin.read(1), flush=True)\ntermios.tcsetattr(1, termios.TCSANOW, old)\nprint('end', flush=True)"
    )
    with Terminal([*RUN, sys.executable, "program.py"], str(tmp_path), environment()) as terminal:
        terminal.wait_for(b"now")
        terminal.type(b"q")
        assert terminal.finish() == 0
        assert b"key q" in terminal.seen
        assert b"now\r\nkey" in terminal.seen  # the key itself was not shown


def test_keys_that_a_silent_program_sets_by_its_output_are_the_terminals(tmp_path: Path) -> None:
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


def test_in_the_background_it_is_not_stopped_for_its_output(tmp_path: Path) -> None:
    """A shell's own line and another command set the terminal otherwise meanwhile."""
    (tmp_path / "program.py").write_text(
        "import time\nfor i in range(10): print('tick', i, flush=True); time.sleep(0.3)\nopen('done', 'w').close()"
    )
    shell = ["bash", "--norc", "--noprofile", "-i"]
    with Terminal(shell, str(tmp_path), {**environment(), "PS1": "ready$ "}) as terminal:
        terminal.wait_for(b"ready$ ")
        terminal.type(" ".join([*RUN, sys.executable, "program.py", "&"]).encode() + b"\n")
        terminal.wait_for(b"tick 1")
        terminal.type(b"sleep 2\n")
        terminal.wait_for(lambda seen: (tmp_path / "done").exists(), seconds=20)
        terminal.type(b"exit 0\n")
        terminal.finish()


NO_TERMINAL = """
import os
def none(): raise OSError(19, "No such device")
os.openpty = none
from assistant.cli.main import main
raise SystemExit(main(["run", "--quiet", "--", "sh", "-c", "test -t 1 && echo terminal; exit 3"]))
"""


def test_where_no_terminal_can_be_made_the_command_has_the_real_one(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-c", NO_TERMINAL], str(tmp_path), environment()) as terminal:
        assert terminal.finish() == 3
        assert b"terminal\r\n" in terminal.seen


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone tells what was given")
@pytest.mark.parametrize("given", [{}, {"LC_CTYPE": "C"}, {"LC_CTYPE": "C.UTF-8"}, {"LANG": "C.UTF-8"}])
def test_the_language_of_the_environment_is_the_commands(given: dict[str, str], tmp_path: Path) -> None:
    """Without one, as for cron, Python sets its own."""
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **given}
    words = ["sh", "-c", 'echo "$LC_CTYPE"; printf "\303\251" | wc -m']
    bare = subprocess.run(words, env=env, capture_output=True, check=False)
    run = subprocess.run(
        [*RUN, *words], env={**env, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    assert run.stdout == bare.stdout and bare.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone tells what was ignored")
@pytest.mark.parametrize("ignored", [True, False])
def test_a_closed_pipe_is_heard_as_without_torchwhy(ignored: bool) -> None:
    """A service of systemd ignores SIGPIPE, and so does what stands below `trap '' PIPE` of a shell."""
    trap = "trap '' PIPE; " if ignored else ""
    found = []
    for prefix in ("", " ".join(RUN)):
        script = f"{trap}{prefix} grep SigIgn /proc/self/status; true"
        done = subprocess.run(["bash", "-c", script], env=environment(), capture_output=True, check=False)
        found.append(done.stdout)
    assert found[0] == found[1]
    assert bool(int(found[0].split()[-1], 16) >> (signal.SIGPIPE - 1) & 1) is ignored


def test_environment_keeps_the_users_path() -> None:
    env = child_environment({"PYTHONPATH": "/a:/b"}, "/records")
    assert env["PYTHONPATH"].endswith(":/a:/b")
    assert child_environment({}, "/records")["PYTHONPATH"].count(os.pathsep) == 0


EARLY = """
import os, signal, subprocess, sys
from assistant.run.passing import Run
start = subprocess.Popen
def slow(*words, **named):
    os.kill(os.getpid(), signal.SIGTERM)
    return start(*words, **named)
subprocess.Popen = slow
run = Run([sys.executable, "-c", "import time; time.sleep(20)"], os.environ)
ended = run.wait()
run._on_forwarded(signal.SIGKILL, None)
print(ended.status)
"""


def test_a_signal_that_comes_too_early_or_too_late() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("-15\n", "")


def test_an_output_that_nobody_reads_holds_not_the_other_one(tmp_path: Path) -> None:
    """Who waits for a line of standard error before it reads the rest waited for ever."""
    (tmp_path / "program.py").write_text(
        "import os, threading, time\n"
        "flood = threading.Thread(target=os.write, args=(1, b'x' * 400_000))\n"
        "flood.start()\ntime.sleep(0.5)\nos.write(2, b'ready')\nflood.join()\nos._exit(3)\n"
    )
    command = [*RUN, sys.executable, "program.py"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        heard = select.select([process.stderr], [], [], 10)[0]
        assert (len(process.stdout.read()), process.wait()) == (400_000, 3)
    assert heard


def test_a_reader_that_begins_late_gets_all_and_so_does_the_answer(tmp_path: Path) -> None:
    text = "print(('x' * 79 + '\\n') * 1500, end='', flush=True)\n"
    message = "Trying to backward through the graph a second time"
    (tmp_path / "program.py").write_text(text + f"print('RuntimeError: {message}')\nraise SystemExit(1)\n")
    words = [word for word in RUN if word != "--quiet"]
    line = f"{' '.join(words)} {sys.executable} program.py | (sleep 4; cat) > all"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, timeout=60, check=False
    )
    assert (tmp_path / "all").read_text().endswith(f"{message}\n")
    assert len((tmp_path / "all").read_text().splitlines()) == 1501
    assert b"backward-twice" in done.stderr


def test_a_program_has_ended_though_its_last_words_fill_the_pipe(tmp_path: Path) -> None:
    """Nothing is left to pass on, so nobody has to read before the command's status is known."""
    (tmp_path / "program.py").write_text("import os\nos.write(1, b'x' * 65_536)\nraise SystemExit(3)\n")
    command = [*RUN, sys.executable, "program.py"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE) as process:
        try:
            assert process.wait(20) == 3
        finally:
            assert process.stdout is not None and len(process.stdout.read()) == 65_536


def test_ctrl_z_stops_what_waits_for_its_reader(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("while True: print('line')")
    line = f"{' '.join(RUN)} {sys.executable} program.py | sleep 60"
    with Terminal(["bash", "--norc", "-i"], str(tmp_path), environment()) as terminal:
        terminal.type(f"{line}\n".encode())
        time.sleep(3)
        terminal.type(b"\x1a")
        terminal.wait_for(b"Stopped")
        terminal.type(b"kill %1; fg\nexit\n")
        terminal.finish()
