"""What a leg cannot do to its runner and to the machine, with legs that really try."""

from __future__ import annotations

import errno
import glob
import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from assistant.errors import ConfirmError
from assistant.knowledge import load
from assistant.machine import linux, torch_probe
from assistant.machine.interpreters import allowed_env
from assistant.proof import folders, limits, process, sandbox, supervisor
from assistant.proof.confirm import confirm
from assistant.proof.confirmation import Confirmation
from assistant.proof.judge import last_object, signature_of
from assistant.proof.process import Finished
from assistant.proof.sandbox import Jail
from assistant.proof.verdict import confirmation_markdown
from tests.conftest import ROOT, Run, write_entry

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the runner between is for Linux")

MESSAGE = "Sizes of tensors must match except in dimension 1. Expected size 32 but got size 31 for tensor number 1 in the list."
MAIN = '\nif __name__ == "__main__":\n    import sys\n    fixed() if "--fixed" in sys.argv else broken()\n'
NAMESPACES = (
    shutil.which("unshare") is not None
    and subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode == 0
)


def leg(tmp_path: Path, code: str, *, seconds: float = 30, **more) -> Finished:
    """Run Python code as a leg is run, in an empty folder."""
    folder = tmp_path / "leg"
    folder.mkdir(exist_ok=True)
    bounds = process.Bounds(
        **{
            name: more.pop(name)
            for name in ("memory", "processes", "threads", "disk", "files")
            if name in more
        }
    )
    return process.run(
        [sys.executable, "-B", "-c", code],
        env=dict(os.environ),
        cwd=str(folder),
        seconds=seconds,
        bounds=bounds,
        **more,
    )


def entry_of(tmp_path: Path, broken: str, fixed: str = "pass", id: str = "made-up"):
    def body(text: str) -> str:
        return "".join(f"    {line}\n" for line in text.splitlines())

    write_entry(
        tmp_path / "kb",
        id,
        repro=f'"""A made-up script."""\n\ndef broken():\n{body(broken)}\ndef fixed():\n{body(fixed)}{MAIN}',
    )
    return load.load_knowledge([tmp_path / "kb"], {}).pitfalls[id]


@pytest.fixture
def quick_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """These scripts do not need torch; asking the interpreter about it is not what is tested."""
    found = torch_probe.Probe(sys.executable, "3.11.0", sys.platform, torch="2.13.0")
    monkeypatch.setattr(torch_probe, "probe", lambda interpreter: found)


def confirmed(tmp_path: Path, broken: str, fixed: str = "pass", **more) -> Confirmation:
    entry = entry_of(tmp_path, broken, fixed, more.pop("id", "made-up"))
    return confirm(entry, python=sys.executable, seconds=more.pop("seconds", 30), **more)


def gone(pid: int, patience: float = 10) -> bool:
    """Whether a process ends (a zombie has ended) within that many seconds."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def alive_with(mark: str) -> list[int]:
    """Processes with this word in their command line, by the numbers that this process knows them by."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            if mark.encode() in Path("/proc", name, "cmdline").read_bytes():
                found.append(int(name))
    return found


def none_left_with(mark: str, patience: float = 2) -> bool:
    """Whether all processes with this word in their command line end within that many seconds."""
    until = time.monotonic() + patience
    while alive_with(mark) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive_with(mark)


def number_in(path: Path, patience: float = 30) -> int:
    """The number that somebody is about to write there (a pattern finds the first such file)."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        for name in glob.glob(str(path)):
            with suppress(OSError):
                if (text := Path(name).read_text()).endswith("\n"):
                    return int(text)
        time.sleep(0.05)
    raise AssertionError(f"nobody wrote {path}")


def daemon(note: Path, extra: str = "") -> str:
    """Code of a leg whose grandchild leaves group, session and parent, closes the outputs and sleeps."""
    return f"""
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        with open({str(note)!r}, "w") as file:
            file.write(f"{{os.getpid()}}\\n")
        time.sleep(600)
    os._exit(0)
os.wait()
while not os.path.exists({str(note)!r}):
    time.sleep(0.01)
time.sleep(0.05)
{extra}
"""


# How a leg ends


@pytest.mark.parametrize("status", [0, 1, 3, 125, 255])
def test_exit_statuses_come_through(tmp_path: Path, status: int) -> None:
    assert leg(tmp_path, f"raise SystemExit({status})").status == status


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGTERM, signal.SIGPIPE]
)
def test_signals_come_through(tmp_path: Path, number: signal.Signals) -> None:
    done = leg(
        tmp_path,
        f"import os, signal; signal.signal({int(number)}, signal.SIG_DFL) if {int(number)} != 9 else None; os.kill(os.getpid(), {int(number)})",
    )
    assert done.status == -number
    assert f"killed by signal {number.name}" in done.output


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        process.run([str(tmp_path / "none")], env={}, cwd=str(tmp_path), seconds=5)
    (tmp_path / "text").write_text("not a program")
    with pytest.raises(PermissionError):
        process.run([str(tmp_path / "text")], env={}, cwd=str(tmp_path), seconds=5)


def test_a_hang_is_ended(tmp_path: Path) -> None:
    note = tmp_path / "note"
    done = leg(
        tmp_path,
        f"import os, time; open({str(note)!r}, 'w').write(f'{{os.getpid()}}\\n'); time.sleep(600)",
        seconds=1.5,
    )
    assert done.status is None and done.reason == "still running after 1.5 s"
    assert done.seconds < 5
    assert gone(int(note.read_text()))


def test_a_leg_that_ignores_every_signal_is_ended(tmp_path: Path) -> None:
    code = "import signal, time\nfor n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n    except OSError: pass\ntime.sleep(600)"
    started = time.monotonic()
    assert leg(tmp_path, code, seconds=1).status is None
    assert time.monotonic() - started < 10


def test_children_that_left_the_session_are_ended(tmp_path: Path) -> None:
    note = tmp_path / "note"
    done = leg(tmp_path, daemon(note))
    assert done.status == 0
    assert gone(int(note.read_text()), 0.5), "the daemon outlived the leg"


def test_children_are_ended_although_the_leg_killed_its_runner(tmp_path: Path) -> None:
    note = tmp_path / "note"
    done = leg(tmp_path, daemon(note, "os.kill(os.getppid(), 9); time.sleep(600)"))
    assert done.status == -signal.SIGKILL
    assert gone(int(note.read_text()), 2)


def test_a_leg_that_kills_its_own_group_kills_only_itself(tmp_path: Path) -> None:
    assert leg(tmp_path, "import os; os.killpg(0, 9)").status == -signal.SIGKILL


def test_sigkill_of_torchwhy_itself_ends_the_leg(tmp_path: Path) -> None:
    note = tmp_path / "note"
    code = f"from assistant.proof import process; import os, sys\nprocess.run([sys.executable, '-c', {daemon(note, 'time.sleep(600)')!r}], env=dict(os.environ), cwd={str(tmp_path)!r}, seconds=600)"
    runner = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    pid = number_in(note)
    runner.kill()
    runner.wait()
    assert gone(pid), "the leg's daemon outlived torchwhy"


def test_a_leg_that_stops_itself_is_ended(tmp_path: Path) -> None:
    assert leg(tmp_path, "import os; os.kill(os.getpid(), 19)", seconds=1).reason.startswith("still running")


# Output


def test_100_mb_of_output(tmp_path: Path) -> None:
    heard: list[str] = []
    code = "import os\nblock = (b'x' * 99 + b'\\n') * 10000\nfor _ in range(100): os.write(1, block)\nos.write(2, b'last words\\n')"
    done = leg(tmp_path, code, on_line=heard.append)
    assert done.status == 0
    assert len(done.stdout) < 600_000 and "bytes left out" in done.stdout
    assert done.stderr == "last words\n"
    assert len(heard) < 10_000, "a flood is not shown line by line"


def test_lines_are_told_whole(tmp_path: Path) -> None:
    heard: list[str] = []
    leg(
        tmp_path,
        "import os, time\nos.write(1, b'one ')\ntime.sleep(0.2)\nos.write(1, 'lin\u00e9\\ntwo'.encode())",
        on_line=heard.append,
    )
    assert heard == ["one lin\u00e9", "two"]


def test_escape_codes_reach_nobody(tmp_path: Path, quick_probe: None) -> None:
    heard: list[str] = []
    broken = f"print('\\x1b[31mred\\x1b[0m \\x1b]0;owned\\x07 \\x9b2J back\\x08')\nraise RuntimeError('\\x1b[1m' + {MESSAGE!r} + '\\x1b[0m')"
    result = confirmed(tmp_path, broken, on_event=lambda kind, text: heard.append(text))
    assert result.verdict == "reproduces-here"
    assert result.message == f"RuntimeError: {MESSAGE}"
    for text in (result.legs[0].output, result.message, *heard):
        assert not set(text) & {"\x1b", "\x9b", "\x07", "\x08"}


def test_no_escape_code_comes_by_json_or_by_a_reason(tmp_path: Path, quick_probe: None) -> None:
    r"""JSON writes an escape code in letters (\u001b), so it passed what is made harmless of an output."""
    told = {"\x1b]0;owned\x07\n# confirmed": 1, "v": "\x1b[31m\u202e", "l": [{"\x1b[2J": "\x9b2J"}]}
    line = f"import json\nprint(json.dumps({told!r}))"
    result = confirmed(tmp_path, f"{line}\nraise RuntimeError({MESSAGE!r})", line)
    assert result.legs[0].numbers == {"# confirmed": 1, "v": "", "l": [{"": ""}]}
    page = confirmation_markdown(result, entry_of(tmp_path / "again", "pass"), "en")
    assert "\n# confirmed" not in page and not set(page) & {"\x1b", "\x9b", "\x07", "\u202e"}
    unable = "import sys\nsys.stderr.write('no \\x1b]0;owned\\x07\\x1b[2J gpu')\nsys.exit(125)"
    result = confirmed(tmp_path, unable, id="unable")
    assert (result.verdict, result.reason) == ("cannot-run", "no  gpu")


def test_a_number_that_is_none_is_a_word_in_json() -> None:
    """JSON knows neither NaN nor Infinity, which Python's writes and reads, and no other reader."""
    assert last_object('{"loss": NaN, "l": [Infinity, -1e999, 0.5]}') == {
        "loss": "nan",
        "l": ["inf", "-inf", 0.5],
    }


def test_no_last_line_stops_a_verdict(tmp_path: Path, quick_probe: None) -> None:
    """Lists in lists without end were a RecursionError of torchwhy itself."""
    for number, line in enumerate(("'{\"a\": ' + '[' * 100_000", "'{\"a\": ' + '[' * 900 + ']' * 900 + '}'")):
        result = confirmed(tmp_path, f"print({line})\nraise RuntimeError({MESSAGE!r})", id=f"deep-{number}")
        assert result.verdict == "reproduces-here"
        assert len(json.dumps(result.legs[0].numbers)) < 100
    names = "import json\nprint(json.dumps({str(at): at for at in range(10_000)}))"
    result = confirmed(tmp_path, f"{names}\nraise RuntimeError({MESSAGE!r})", id="many")
    assert result.legs[0].numbers and len(result.legs[0].numbers) == 100


def test_a_message_that_is_said_thousands_of_times(tmp_path: Path) -> None:
    """In one line: that was copied and searched for each, a gigabyte and a minute for 250 KB."""
    entry = entry_of(tmp_path, "pass")
    text = f"{MESSAGE} " * 8000
    tracemalloc.start()
    try:
        started = time.process_time()
        found = signature_of(entry, text)
        assert found == (0, text.strip())
        assert time.process_time() - started < 10
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()
    assert signature_of(entry, f"RuntimeError: {MESSAGE} 1\ncode {MESSAGE} 2\ncode {MESSAGE} 3\n") == (
        0,
        f"RuntimeError: {MESSAGE} 1",
    )


def test_lines_without_end_hold_no_reading_up() -> None:
    """Who is told of lines takes longer than they take to come."""
    told: list[str] = []
    reading, writing = os.pipe()
    tail = process._Tail(os.fdopen(reading, "rb"), told.append)
    with os.fdopen(writing, "wb") as file:
        file.write(b"first\n" + b"\n" * (process.KEPT_BYTES - 20) + b"last")
    tail.join(timeout=30)
    assert told[0] == "first" and len(told) == process.MAX_TOLD_LINES
    assert tail.text().endswith("\nlast")


# Memory


EATER = "blocks = []\nimport time\nfor _ in range(200):\n    blocks.append(bytearray(b'x') * (10 << 20))\n    time.sleep(0.01)\ntime.sleep(5)"


def test_memory_is_bounded(tmp_path: Path, quick_probe: None) -> None:
    result = confirmed(tmp_path, EATER, memory=300 << 20)
    assert (result.verdict, result.reason) == ("cannot-run", "used more than 300 MiB of memory")
    assert result.legs[0].seconds < 5


def test_memory_of_children_counts(tmp_path: Path) -> None:
    code = (
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {EATER!r}], start_new_session=True)"
    )
    assert leg(tmp_path, code, memory=300 << 20).reason == "used more than 300 MiB of memory"


def test_memory_below_the_limit_is_no_matter(tmp_path: Path) -> None:
    assert (
        leg(
            tmp_path, "import time; x = bytearray(b'x') * (100 << 20); time.sleep(0.5)", memory=300 << 20
        ).status
        == 0
    )


def test_the_default_limit(tmp_path: Path) -> None:
    free = linux.memory_facts(Path("/"))["ram.free"].value
    assert isinstance(free, int)
    assert (
        limits.MIN_MEMORY_BYTES
        <= limits.default_memory()
        <= max(limits.MIN_MEMORY_BYTES, min(limits.MAX_MEMORY_BYTES, free))
    )
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text("MemTotal: 32000000 kB\nMemAvailable: 4194304 kB\n")
    assert limits.default_memory(tmp_path) == int(0.8 * (4 << 30))
    group = tmp_path / "sys/fs/cgroup"  # a container's limit counts, as in the facts of the machine
    group.mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/\n")
    for name, text in (
        ("memory.max", str(1 << 30)),
        ("memory.current", str(512 << 20)),
        ("memory.stat", "inactive_file 0\n"),
    ):
        (group / name).write_text(text)
    assert limits.default_memory(tmp_path) == int(0.8 * (512 << 20))
    (group / "memory.current").write_text(str(1 << 30))
    assert limits.default_memory(tmp_path) == limits.MIN_MEMORY_BYTES
    assert limits.default_memory(tmp_path / "elsewhere") == limits.MAX_MEMORY_BYTES


# Network


ASK = """
import errno, os, socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname(), timeout=5).close()
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("203.0.113.1", 9))
    print("outside", os.getuid())
except OSError as error:
    print(errno.errorcode[error.errno], os.getuid())
"""


@pytest.mark.skipif(not NAMESPACES, reason="this system makes no network namespaces for users")
def test_no_network_but_lo(tmp_path: Path) -> None:
    done = leg(tmp_path, ASK, offline=True)
    assert done.stdout.split() == [errno.errorcode[errno.ENETUNREACH], str(os.getuid())], done.stderr


@pytest.mark.skipif(not NAMESPACES, reason="this system makes no network namespaces for users")
def test_a_system_that_forbids_it_is_no_error(tmp_path: Path) -> None:
    """In a user namespace whose own limit of network namespaces is 0, the leg runs with the network as it is."""
    code = f"from assistant.proof import process; import os, sys\ndone = process.run([sys.executable, '-c', {ASK!r}], env=dict(os.environ), cwd={str(tmp_path)!r}, seconds=30, offline=True)\nprint(done.status, done.stdout, done.stderr)"
    limited = 'ip link set lo up && echo 0 > /proc/sys/user/max_net_namespaces && exec "$@"'
    done = subprocess.run(
        ["unshare", "-rn", "sh", "-c", limited, "sh", sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.stdout.startswith("0 "), done.stderr


# The script and its folder


def test_a_script_that_changes_its_own_file(tmp_path: Path, quick_probe: None) -> None:
    broken = f"open(__file__, 'w').write('raise KeyError(1)')\nraise RuntimeError({MESSAGE!r})"
    entry = entry_of(tmp_path, broken)
    before = Path(entry.repro).read_bytes()
    result = confirm(entry, python=sys.executable, seconds=30)
    assert result.verdict == "reproduces-here", result.reason
    assert Path(entry.repro).read_bytes() == before
    assert sorted(path.name for path in Path(entry.folder).iterdir()) == ["pitfall.yaml", "repro.py"]
    assert 'script/repro.py", line 5, in broken' in result.legs[0].output


def test_what_a_leg_leaves_in_its_folder_is_not_imported(tmp_path: Path, quick_probe: None) -> None:
    broken = (
        f"open('random.py', 'w').write('raise KeyError(1)')\nimport random\nraise RuntimeError({MESSAGE!r})"
    )
    assert confirmed(tmp_path, broken).verdict == "reproduces-here"


def test_a_folder_that_the_leg_made_unreadable_is_removed(
    tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    result = confirmed(
        tmp_path, f"import os\nos.makedirs('a/b')\nos.chmod('a', 0)\nraise RuntimeError({MESSAGE!r})"
    )
    assert result.verdict == "reproduces-here"
    assert list((tmp_path / "temporary").iterdir()) == []


def test_no_temporary_folder_is_one_line(
    tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(ConfirmError, match="cannot be started"):
        confirmed(tmp_path, "pass")


def test_twenty_side_by_side(tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    code = f"import os, uuid\nprint(uuid.uuid4(), flush=True)\nopen('own', 'x').write('x')\nif os.fork() == 0:\n    os.setsid()\n    import time\n    time.sleep(600)\nraise RuntimeError({MESSAGE!r})"
    entry = entry_of(tmp_path, code, "open('own', 'x').write('x')")
    handles = len(os.listdir("/proc/self/fd"))
    threads = threading.active_count()
    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(lambda _: confirm(entry, python=sys.executable, seconds=120), range(20)))
    assert [result.verdict for result in results] == ["reproduces-here"] * 20
    assert list((tmp_path / "temporary").iterdir()) == []
    assert len(os.listdir("/proc/self/fd")) <= handles
    assert threading.active_count() <= threads
    assert len({result.legs[0].output.splitlines()[0] for result in results}) == 20


# A file system to be read only


def sandboxed(tmp_path: Path, code: str, *, namespaces: bool = False, **more) -> Finished:
    (tmp_path / "leg").mkdir(exist_ok=True)
    jail = sandbox.jail(str(tmp_path / "leg"), namespaces=namespaces)
    if not jail.words:
        pytest.skip("bubblewrap is missing, or may not work here")
    return leg(tmp_path, code, jail=jail, **more)


def test_a_leg_writes_to_its_own_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("the user's")
    code = f"""
import os
for path in ({str(tmp_path / "precious")!r}, os.path.expanduser("~/x"), {str(tmp_path)!r} + "/x", {str(ROOT)!r} + "/x", "own", "/dev/null"):
    try:
        open(path, "w").close()
        print("written")
    except OSError as error:
        print(error.errno)
"""
    done = sandboxed(tmp_path, code)
    # The home is there where the Python lies in it, and empty; else it is not.
    first, home, *others = done.stdout.split()
    assert home in (str(errno.EROFS), str(errno.ENOENT)), done.output
    assert [first, *others] == [str(errno.EROFS)] * 3 + ["written"] * 2, done.output
    assert (tmp_path / "precious").read_text() == "the user's"


def test_in_the_sandbox_there_is_lo_and_the_same_user(tmp_path: Path) -> None:
    assert sandboxed(tmp_path, ASK).stdout.split() == [errno.errorcode[errno.ENETUNREACH], str(os.getuid())]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT, signal.SIGBUS])
def test_signals_come_out_of_the_sandbox(tmp_path: Path, number: signal.Signals) -> None:
    assert sandboxed(tmp_path, f"import os; os.kill(os.getpid(), {int(number)})").status == -number


@pytest.mark.parametrize(
    "last",
    ["", "time.sleep(600)", "os.kill(os.getppid(), 9); time.sleep(600)"],
    ids=["ends", "hangs", "kills its runner"],
)
def test_nothing_survives_in_the_sandbox(tmp_path: Path, last: str) -> None:
    done = sandboxed(tmp_path, daemon(tmp_path / "leg" / "note", last), seconds=3)
    assert done.status == (None if last else 0), "what it sends its runner does not reach it"
    assert (tmp_path / "leg" / "note").read_text()
    assert none_left_with(str(tmp_path / "leg" / "note"))


def test_memory_is_watched_in_the_sandbox(tmp_path: Path) -> None:
    assert sandboxed(tmp_path, EATER, memory=300 << 20).reason == "used more than 300 MiB of memory"


def test_a_repro_can_still_mount_a_small_shm(tmp_path: Path) -> None:
    """Some scripts make a world of their own to show what a small /dev/shm does."""
    code = "import os; raise SystemExit(os.waitstatus_to_exitcode(os.system('unshare -Urm sh -c \"mount -t tmpfs -o size=8m tmpfs /dev/shm && df -k /dev/shm\"')))"
    outside = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    done = sandboxed(tmp_path, code, namespaces=True)
    assert done.status == outside.returncode
    assert outside.returncode or " 8192 " in done.stdout


def test_a_bubblewrap_that_may_not_work_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert sandbox.jail(str(tmp_path)).words == ()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert sandbox.jail(str(tmp_path)).words == ()


# A jail without powers


@pytest.mark.parametrize("namespaces", [False, True])
def test_a_leg_has_no_capabilities(tmp_path: Path, namespaces: bool) -> None:
    code = "import re; print(*re.findall(r'Cap(?:Inh|Prm|Eff|Amb):\\s*(\\w+)', open('/proc/self/status').read()))"
    assert set(sandboxed(tmp_path, code, namespaces=namespaces).stdout.split()) == {"0" * 16}


@pytest.mark.parametrize("namespaces", [False, True])
def test_a_leg_cannot_remount_what_it_may_only_read(tmp_path: Path, namespaces: bool) -> None:
    (tmp_path / "precious").write_text("the user's")
    code = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
MS_REMOUNT, MS_BIND, CLONE_NEWNS, CLONE_NEWUSER = 32, 4096, 0x20000, 0x10000000
def attack():
    for flags in (MS_REMOUNT, MS_REMOUNT | MS_BIND):
        for place in (b"/", {str(tmp_path)!r}.encode(), b"/proc/sys"):
            libc.mount(None, place, None, flags, None)
    for path in ({str(tmp_path / "precious")!r}, "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger"):
        try:
            open(path, "r+" if "precious" in path else "w").close()
            print("WROTE", path)
        except OSError:
            pass
attack()
print("nested", libc.unshare(CLONE_NEWUSER | CLONE_NEWNS))
attack()
print("end")
"""
    done = sandboxed(tmp_path, code, namespaces=namespaces)
    assert "WROTE" not in done.stdout
    assert done.stdout.endswith("end\n"), done.output
    if not namespaces:
        assert "nested -1" in done.stdout


def test_a_leg_neither_sees_nor_signals_a_foreign_process(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as victim:
        code = f"""
import os
print(*sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
for pid in ({victim.pid},):
    try:
        if open(f"/proc/{{pid}}/environ").read(): print("READ")
    except OSError:
        print("no")
    try:
        os.kill(pid, 9)
        print("SIGNALLED")
    except OSError:
        print("no")
"""
        done = sandboxed(tmp_path, code)
        ended = victim.poll()
        victim.kill()
    assert ended is None
    numbers, *answers = done.stdout.splitlines()
    assert answers == ["no"] * 2, done.output
    assert len(numbers.split()) <= 4, "bubblewrap, the supervisor and the leg"


def test_nothing_outlives_a_leg_that_clears_its_traces(tmp_path: Path) -> None:
    """A daemon with an empty environment, whose supervisor was killed, was found by nobody; now none is."""
    mark = f"torchwhy-outlives-{os.getpid()}"
    code = f"""
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-c", "import time; open('ready', 'w').close(); time.sleep(60)", {mark!r}], {{}})
    os._exit(0)
while not os.path.exists("ready"):
    time.sleep(0.01)
for number in (19, 2, 15, 9):
    os.kill(os.getppid(), number)
time.sleep(60)
"""
    (tmp_path / "leg").mkdir()
    (tmp_path / "leg" / "script.py").write_text(code)
    done = sandboxed(tmp_path, "exec(open('script.py').read())", seconds=5)
    left = alive_with(mark)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert done.reason == "still running after 5 s", "no signal of the leg reaches its supervisor"
    assert left == []


def test_a_status_is_not_forged(tmp_path: Path) -> None:
    """In the jail nobody can; outside it root can, and that is no traceback."""
    code = """
import os, time
for name in os.listdir(f"/proc/{os.getppid()}/fd"):
    try:
        os.write(os.open(f"/proc/{os.getppid()}/fd/{name}", os.O_WRONLY), b"\\xff nonsense")
    except OSError:
        pass
time.sleep(2)
raise SystemExit(7)
"""
    assert leg(tmp_path, code).status == (-signal.SIGKILL if os.geteuid() == 0 else 7)
    assert sandboxed(tmp_path, code).status == 7


def test_devices_are_those_of_gpus_alone(tmp_path: Path) -> None:
    code = "import os; print(*sorted(os.listdir('/dev'))); print(os.statvfs('/dev/shm').f_blocks * os.statvfs('/dev/shm').f_frsize); open('/dev/shm/torchwhy-test', 'w').write('x'); open('/dev/x', 'w')"
    done = sandboxed(tmp_path, code)
    names, size = done.stdout.splitlines()
    harmless = [
        "console",
        "core",
        "fd",
        "full",
        "null",
        "ptmx",
        "pts",
        "random",
        "shm",
        "stderr",
        "stdin",
        "stdout",
        "tty",
        "urandom",
        "zero",
    ]
    assert [
        name
        for name in names.split()
        if name not in harmless and not name.startswith(("nvidia", "dri", "kfd", "dxg", "accel"))
    ] == []
    assert int(size) == limits.MAX_SHM_BYTES
    assert "Read-only file system" in done.stderr
    assert not os.path.exists("/dev/shm/torchwhy-test")


# Bounds, with and without a jail

BOMB = "import os, time\nfor _ in range(11): os.fork()\ntime.sleep(60)"  # 2,048 processes
WRITER = """
import os, time
kept = []
for name in ("one", "two"):
    kept.append(open(name, "wb", buffering=0))
    {unlink}
    for _ in range(80):
        kept[-1].write(bytes(1 << 20))
time.sleep(20)
"""


@pytest.fixture(params=["jailed", "bare"])
def jail(request: pytest.FixtureRequest, tmp_path: Path) -> Jail:
    (tmp_path / "leg").mkdir()
    made = sandbox.jail(str(tmp_path / "leg"))
    if request.param == "jailed" and not made.words:
        pytest.skip("bubblewrap is missing, or may not work here")
    return made if request.param == "jailed" else Jail((), made.filter)


def test_a_fork_bomb_is_ended_and_said(tmp_path: Path, jail: Jail) -> None:
    code = BOMB + f"\n# {tmp_path}"
    done = leg(tmp_path, code, jail=jail, processes=200, seconds=30)
    left = alive_with(str(tmp_path))
    assert done.status is None
    assert done.reason == "process limit: more than 200 processes at once"
    assert left == []
    assert done.seconds < 10


def test_threads_are_counted(tmp_path: Path, jail: Jail) -> None:
    code = "import threading, time\nfor _ in range(100): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()\ntime.sleep(20)"
    done = leg(tmp_path, code, jail=jail, threads=50)
    assert done.reason == "process limit: more than 50 threads at once"


@pytest.mark.parametrize("unlink", ["pass", "os.unlink(name)"], ids=["named", "unlinked"])
def test_what_is_written_is_bounded(tmp_path: Path, jail: Jail, unlink: str) -> None:
    done = leg(tmp_path, WRITER.format(unlink=unlink), jail=jail, disk=100 << 20)
    assert done.reason == "disk limit: wrote more than 100 MiB", done.output


def test_one_file_is_bounded(tmp_path: Path, jail: Jail) -> None:
    done = leg(tmp_path, "open('x', 'wb').truncate(200 << 20)", jail=jail, disk=100 << 20)
    assert done.status == 1
    assert "File too large" in done.stderr


RESERVER = """
import os, time
for number in range(8):
    file = os.open(str(number), os.O_CREAT | os.O_RDWR)
    try:
        os.posix_fallocate(file, 0, 99 << 20)
    except OSError:  # of a C library that does not write zeros instead
        os.write(file, bytes(99 << 20))
time.sleep(20)
"""
UNWAITED = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for number in range(60):
    if os.fork() == 0:
        with open(str(number), "wb") as file:
            file.write(bytes(8 << 20))
        os._exit(0)
    time.sleep(0.03)
time.sleep(20)
"""
UNNAMED = """
import os, time
kept = []
for number in range(8):
    kept.append(open(str(number), "w+b"))
    os.unlink(str(number))
    if os.fork() == 0:
        kept[-1].write(bytes(60 << 20))
        kept[-1].flush()
        os._exit(0)
    os.wait()
time.sleep(20)
"""


@pytest.mark.parametrize("code", [RESERVER, UNWAITED, UNNAMED], ids=["reserved", "unwaited", "unnamed"])
def test_room_that_no_process_is_told_to_have_written(tmp_path: Path, code: str) -> None:
    """Neither what is only set aside nor what a process wrote that nobody waited for is in /proc/PID/io."""
    done = sandboxed(tmp_path, code, disk=100 << 20)
    assert done.reason.startswith("disk limit: "), done.output
    assert done.seconds < 15


def test_no_disk_is_reserved_at_once(tmp_path: Path) -> None:
    code = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nf = os.open('x', os.O_CREAT | os.O_RDWR)\nprint(libc.fallocate(f, 0, ctypes.c_long(0), ctypes.c_long(1 << 20)), ctypes.get_errno(), os.stat('x').st_blocks)"
    assert sandboxed(tmp_path, code).stdout.split() == ["-1", str(errno.EOPNOTSUPP), "0"]
    assert sandboxed(tmp_path, code, namespaces=True).stdout.split()[0] in ("0", "-1")


RESERVED = """
import errno, fcntl, os, struct
asked = struct.pack("hhxxxxqqiI16x", 0, 0, 0, 1 << 20, 0, 0)
for opened in (os.open("x", os.O_CREAT | os.O_RDWR), os.memfd_create("x")):
    for call in (0x40305828, 0x4030582A, 0x40305839):
        try:
            fcntl.ioctl(opened, call, asked)
        except OSError as error:
            print(errno.errorcode[error.errno], os.fstat(opened).st_blocks)
"""


@pytest.mark.parametrize("namespaces", [False, True])
def test_nor_by_the_calls_that_xfs_brought(tmp_path: Path, namespaces: bool) -> None:
    """Every file system knows them; one of them took a whole disk, as fallocate does."""
    assert sandboxed(tmp_path, RESERVED, namespaces=namespaces).stdout.split() == ["EPERM", "0"] * 6


def test_files_are_counted(tmp_path: Path, jail: Jail, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_FILES", 2000)
    if os.statvfs(tmp_path).f_files == 0:
        pytest.skip("this disk does not count its files")
    code = "import time\nfor number in range(20_000): open(str(number), 'w').close()\ntime.sleep(20)"
    assert leg(tmp_path, code, jail=jail, disk=1 << 30).reason == "disk limit: more than 2000 files"


def test_open_files_are_counted(tmp_path: Path, jail: Jail) -> None:
    code = "import os, time\nkept = [os.dup(0) for _ in range(400)]\nos.fork()\ntime.sleep(20)"
    done = leg(tmp_path, code, jail=jail, files=500)
    assert done.reason == "process limit: more than 500 files open at once"


TABLES = """
import mmap, time
space = mmap.mmap(-1, 256 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # MAP_NORESERVE
space.madvise(mmap.MADV_NOHUGEPAGE)
for at in range(0, 256 << 30, 2 << 20):
    space[at]
time.sleep(20)
"""


def test_tables_of_pages_count(tmp_path: Path) -> None:
    assert leg(tmp_path, TABLES, memory=200 << 20).reason == "used more than 200 MiB of memory"


def test_what_the_machine_has_left_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the kernel holds for a leg, as the buffers of sockets, is memory of no process."""
    rest = [4 << 30]
    monkeypatch.setattr(process, "available_memory", lambda: rest[0])
    timer = threading.Timer(0.5, lambda: rest.__setitem__(0, 255 << 20))
    timer.start()
    done = leg(tmp_path, "import time; time.sleep(20)", memory=1 << 30)
    timer.join()
    assert done.reason == "memory limit: less than 256 MiB of the machine's memory are left"


def test_a_crash_leaves_no_core_and_goes_first(tmp_path: Path, jail: Jail) -> None:
    code = "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE)[0] in (0, 1), open('/proc/self/oom_score_adj').read())"
    assert leg(tmp_path, code, jail=jail).stdout.split() == ["True", "1000"]


MAPPED = """
import ctypes, os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
libc = ctypes.CDLL(None)
number, long = ctypes.c_int, ctypes.c_size_t
libc.mmap.argtypes = [ctypes.c_void_p, long, number, number, number, long]
for name in "abcde":
    if os.fork() == 0:
        with open(name, "wb") as file:
            file.write(bytes(60 << 20))
            os.fsync(file.fileno())
        os._exit(0)
    while not os.path.exists(name) or os.stat(name).st_size < 60 << 20:
        time.sleep(0.01)
    file = os.open(name, os.O_RDWR)
    libc.mmap(None, 4096, 1, 1, file, 0)  # Python's own mmap keeps the file open
    os.close(file)
    os.unlink(name)
time.sleep(5)
"""


def test_a_page_of_a_file_without_a_name_counts(tmp_path: Path, jail: Jail) -> None:
    """It keeps the whole file, and nobody has that open: whoever wrote it is gone."""
    done = leg(tmp_path, MAPPED, jail=jail, disk=100 << 20)
    assert done.reason.startswith("disk limit: "), done.output


def test_no_leg_goes_before_other_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user of audio or robots may give real time to his programs, and a leg of real time stops all others."""
    told, say = os.pipe()
    record = lambda kind, limits: os.write(say, f"{kind} {limits}\n".encode())  # noqa: E731
    monkeypatch.setattr(resource, "setrlimit", record)
    pid, wrong = supervisor.start(["true"], False, 0, b"")
    assert not wrong and os.waitpid(pid, 0)[1] == 0
    os.close(say)
    with os.fdopen(told) as file:
        lines = file.read().splitlines()
    assert {f"{resource.RLIMIT_RTPRIO} (0, 0)", f"{resource.RLIMIT_NICE} (0, 0)"} <= set(lines)


HIDER = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork() == 0:
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")
    for number in range(30):
        if os.fork() == 0:
            with open(str(number), "wb") as file:
                file.write(bytes(8 << 20))
            os._exit(0)
        time.sleep(0.03)
    os._exit(0)
time.sleep(20)
"""


def test_no_entry_asks_for_time_without_end(
    tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_SECONDS", 1.0)
    entry = entry_of(tmp_path, "import time\ntime.sleep(600)")
    assert entry.needs.seconds > 1
    result = confirm(entry, python=sys.executable)
    assert (result.verdict, result.reason) == ("timeout", "still running after 1 s")


def test_a_folder_that_lies_too_deep_hides_nothing(tmp_path: Path) -> None:
    """A path of more than 4096 bytes cannot be looked at."""
    done = sandboxed(tmp_path, HIDER, disk=100 << 20)
    folders.remove(str(tmp_path / "leg"))
    assert done.reason.startswith("disk limit: "), done.output


def test_what_others_write_is_not_a_legs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk lost more than the leg may write, by another program."""
    watched = folders.Watched(str(tmp_path), 100 << 20)
    (tmp_path / "x").write_bytes(bytes(1 << 20))
    (free, files), less = watched._free(), 300 << 20
    monkeypatch.setattr(folders.Watched, "_free", lambda self: (free - less, files))
    assert watched.exceeded(0) == ""
    monkeypatch.setattr(folders.Watched, "_use", lambda self: pytest.fail("it was looked through again"))
    assert watched.exceeded(0) == ""
    less = 500 << 20
    monkeypatch.setattr(folders.Watched, "_use", lambda self: (101 << 20, 1))
    assert watched.exceeded(0) == "disk limit: its files take more than 100 MiB"


DEEP = """
import os
for _ in range(3000):
    os.mkdir("d")
    os.chdir("d")
open("x", "w").close()
"""


def test_a_folder_is_removed_whatever_lies_in_it(
    tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders in folders without end were a RecursionError, and stayed; a link could cost another file its mode."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "precious").mkdir(mode=0o755)
    (tmp_path / "precious/file").write_text("the user's")
    (tmp_path / "precious/file").chmod(0o640)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    closed = f"import os\nos.makedirs('a/b')\nfor at, name in enumerate(('', '/file')):\n    os.symlink({str(tmp_path / 'precious')!r} + name, f'a/{{at}}')\nos.mkfifo('a/pipe')\nos.chmod('a/b', 0)\nos.chmod('a', 0o500)"
    try:
        result = confirmed(tmp_path, f"{DEEP}\nraise RuntimeError({MESSAGE!r})", closed)
        left = os.listdir(tmp_path / "temporary")
    finally:  # pytest could not remove it either
        subprocess.run(["rm", "-rf", str(tmp_path / "temporary")], check=True)
    assert result.verdict == "reproduces-here", result
    assert left == []
    assert (tmp_path / "precious").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "precious/file").stat().st_mode & 0o777 == 0o640


def test_memory_that_is_not_mapped_counts(tmp_path: Path, jail: Jail) -> None:
    code = "import os, time\nf = os.memfd_create('x')\nfor _ in range(400): os.write(f, bytes(1 << 20))\ntime.sleep(20)"
    done = leg(tmp_path, code, jail=jail, memory=300 << 20)
    assert done.reason == "used more than 300 MiB of memory"


WITHOUT_ITS_FIRST_THREAD = """
import ctypes, os, threading, time
def rest():
    time.sleep(0.3)
    {held}
    time.sleep(20)
    os._exit(0)
threading.Thread(target=rest).start()
time.sleep(0.1)
ctypes.CDLL(None).syscall({exit}, 0)
"""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="the number of a system call")
@pytest.mark.parametrize(
    ("held", "reason"),
    [
        ("kept = bytes(400 << 20).replace(b'x', b'y') + b'z'", "used more than 300 MiB of memory"),
        (
            "kept = [os.write(os.memfd_create('x'), bytes(100 << 20)) for _ in range(4)]",
            "used more than 300 MiB of memory",
        ),
        (
            "kept = [os.dup(0) for _ in range(300)]",
            "process limit: more than 200 files open at once",
        ),
    ],
    ids=["memory", "files in memory", "open files"],
)
def test_a_process_whose_first_thread_ended_is_counted(
    tmp_path: Path, jail: Jail, held: str, reason: str
) -> None:
    """The kernel tells neither memory nor files of such a process in its own folder, only in its threads'."""
    code = WITHOUT_ITS_FIRST_THREAD.format(held=held, exit=60 if platform.machine() == "x86_64" else 93)
    assert leg(tmp_path, code, jail=jail, memory=300 << 20, files=200).reason == reason


def test_room_of_the_disk_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files without a name that nobody has open, but a socket on its way, are counted nowhere."""
    rest = [4 << 30]
    monkeypatch.setattr(folders.Watched, "_free", lambda self: (rest[0], 1 << 20))
    watched = folders.Watched(str(tmp_path), 100 << 30)
    assert watched.exceeded(0) == ""
    rest[0] = 255 << 20
    assert watched.exceeded(0) == "disk limit: less than 256 MiB of the disk are left"


def test_a_leg_has_no_descriptor_but_its_own(tmp_path: Path, jail: Jail) -> None:
    code = (
        "import os\nprint([number for number in range(3, 100) if os.path.exists(f'/proc/self/fd/{number}')])"
    )
    assert leg(tmp_path, code, jail=jail).stdout == "[]\n"


def test_the_verdict_says_which_limit_was_hit(
    tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_PROCESSES", 100)
    result = confirmed(tmp_path, BOMB)
    assert (result.verdict, result.reason) == ("cannot-run", "process limit: more than 100 processes at once")


def test_processes_that_could_not_be_ended_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "supervisor.py").write_text(
        sandbox.SUPERVISOR.read_text().replace("KILL_TIMEOUT_S = 20.0", "KILL_TIMEOUT_S = 0.0")
    )
    monkeypatch.setattr(sandbox, "SUPERVISOR", tmp_path / "supervisor.py")
    done = leg(tmp_path, "import time; time.sleep(60)", seconds=0.5)
    assert done.reason == "still running after 0.5 s; not all of its processes could be ended"


# The environment


def test_no_secret_of_the_environment_reaches_a_leg(
    tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = [
        "AWS_SECRET_ACCESS_KEY",
        "HF_TOKEN",
        "TORCHWHY_LLM_KEY",
        "SSH_AUTH_SOCK",
        "WANDB_API_KEY",
        "NVIDIA_API_KEY",
        "TORCH_HUB_TOKEN",
        "TORCH_PASSPHRASE",
        "LC_PASS",
        "TRITON_SIGNING",
        "https_proxy",
        "HTTP_PROXY",
        "SOME_URL",
    ]
    kept = [
        "LD_LIBRARY_PATH",
        "OMP_NUM_THREADS",
        "NCCL_DEBUG",
        "TORCH_HOME",
        "CUDA_HOME",
        "PYTHONHASHSEED",
        "VIRTUAL_ENV",
        "PYTHONPATH",
    ]
    for name in (*secrets, *kept):
        monkeypatch.setenv(name, "canary-0" if name != "PYTHONHASHSEED" else "7")
    monkeypatch.setenv("PYTORCH_INDEX", "https://me:canary@example.com/simple")
    secrets.append("PYTORCH_INDEX")
    code = "import os\nprint(sorted(os.environ))\nprint('canary' in str([os.environ.get(n) for n in ('HF_TOKEN',)]))\nprint(os.listdir(os.path.expanduser('~')))\n"
    result = confirmed(tmp_path, code + f"raise RuntimeError({MESSAGE!r})")
    assert result.verdict == "reproduces-here", result.reason
    names, _, home = result.legs[0].output.splitlines()[:3]
    assert [name for name in secrets if repr(name) in names] == []
    assert [name for name in kept if repr(name) not in names] == []
    assert home == "[]"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TORCH_INDEX_URL", "https://ghp_{}@example.com/simple"),
        ("PYTORCH_INDEX", "https://plainword@example.com/simple"),
        ("TRITON_HUB", "hf_{}"),
        ("PYTORCH_BUILD", "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{}0w5N_XgL0n3I9"),
        ("TORCH_CREDS", "x"),
        ("XLA_BEARER", "x"),
        ("TORCH_ACCESSKEY", "x"),
        ("CUDA_PASSCODE", "x"),
    ],
)
def test_a_secret_under_a_harmless_name_reaches_no_leg(name: str, value: str) -> None:
    value = value.format("Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j")
    kept = {
        "PATH": "/usr/bin",
        "PYTHONPATH": "/data/hf_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j/lib",
        "CUDA_HOME": "/usr/local/cuda",
    }
    assert set(allowed_env({name: value, **kept})) - {"PYTHONUSERBASE"} == set(kept)


def test_packages_of_the_users_own_home_are_found(
    tmp_path: Path, quick_probe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PYTHONUSERBASE", raising=False)
    code = f"import site\nassert site.getuserbase() == {str(tmp_path / '.local')!r}\nraise RuntimeError({MESSAGE!r})"
    assert confirmed(tmp_path, code).verdict == "reproduces-here"


# As the user meets it


@pytest.mark.parametrize(
    "home", [pytest.param("/sys", id="read-only"), pytest.param("/dev/null/home", id="missing")]
)
def test_a_home_that_cannot_be_written(torchwhy: Run, tmp_path: Path, home: str) -> None:
    env = {"HOME": home, "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "TORCHWHY_CACHE": "", "TORCHWHY_DATA": ""}
    done = torchwhy("confirm", "backward-twice", "--no-vectors", env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# reproduces-here")
    done = torchwhy("confirm", "--all", "--only", "backward-twice", env=env)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr and "--into" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("leg", ["broken", "fixed"])
def test_ctrl_c_ends_everything(tmp_path: Path, leg: str) -> None:
    (tmp_path / "temporary").mkdir()
    hang = "\n".join(daemon(Path("note"), "time.sleep(600)").strip().splitlines())
    entry_of(
        tmp_path,
        *((hang, "pass") if leg == "broken" else (f"raise RuntimeError({MESSAGE!r})", hang)),
        id="hangs",
    )
    program = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "assistant",
            "confirm",
            "hangs",
            "--trust",
            "--kb",
            str(tmp_path / "kb"),
            "--no-vectors",
        ],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(tmp_path / "temporary"),
            "TORCHWHY_CACHE": str(tmp_path / "cache"),
        },
    )
    with program:
        number_in(tmp_path / "temporary" / "torchwhy-*" / "leg" / "note", 300)
        program.send_signal(signal.SIGINT)
        told = program.communicate(timeout=30)[1].decode()
    assert program.returncode == 130
    assert "interrupted" in told and "Traceback" not in told
    assert none_left_with(str(tmp_path / "temporary"), 10)
    assert [
        path.name for path in (tmp_path / "temporary").iterdir() if path.name.startswith("torchwhy-")
    ] == []


class Pressed:
    """A lock during whose taking Ctrl-C is pressed, as it may happen in Popen.poll between the taking and the `try` behind it."""

    def __init__(self) -> None:
        self.lock, self.pressed = threading.Lock(), False

    def acquire(self, blocking: bool = True) -> bool:
        taken = self.lock.acquire(blocking)
        if taken and not self.pressed:
            self.pressed = True
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)  # the signal is handled here, with the lock taken
        return taken

    def release(self) -> None:
        self.lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


@pytest.mark.parametrize("kind", ["_Guarded", "_Child"])
def test_ctrl_c_in_the_midst_of_asking_for_the_status(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    made, child = [], getattr(process, kind)

    def start(command: list[str], env: dict[str, str], cwd: str, *_: object) -> object:
        made.append(child(command, env, cwd, False) if kind == "_Guarded" else child(command, env, cwd))
        made[0].process._waitpid_lock = Pressed()
        return made[0]

    monkeypatch.setattr(process, "_Guarded", start)
    with pytest.raises(KeyboardInterrupt):
        process.run(
            [sys.executable, "-c", "import time; time.sleep(600)"],
            env=dict(os.environ),
            cwd=str(tmp_path),
            seconds=60,
        )
    assert made[0].process._waitpid_lock.pressed and made[0].process.returncode is not None
