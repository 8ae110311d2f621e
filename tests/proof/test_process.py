"""The bounds of a leg, with legs that really try: time, memory, output, and an end that its whole group shares."""

from __future__ import annotations

import glob
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.support.scripts import GOOD, MESSAGE, made_up, mine, script
from torchwhy.knowledge.entry import Pitfall
from torchwhy.machine import linux
from torchwhy.proof import process, sandbox
from torchwhy.proof.confirm import confirm
from torchwhy.proof.confirmation import Confirmation
from torchwhy.proof.judge import last_object
from torchwhy.proof.process import Finished
from torchwhy.proof.verdict import confirmation_markdown

pytestmark = [
    pytest.mark.usefixtures("quick_probe"),
    pytest.mark.promise(2),
    pytest.mark.skipif(sys.platform != "linux", reason="its memory is watched on Linux"),
]
unjailed = pytest.mark.skipif(sandbox.bubblewrap() is not None, reason="it has process numbers of its own")


def leg(tmp_path: Path, code: str, *, seconds: float = 30, **more) -> Finished:
    """Run Python code as a leg is run."""
    command = [sys.executable, "-B", "-c", code]
    return process.run(command, env=dict(os.environ), cwd=str(tmp_path), seconds=seconds, **more)


def entry_of(tmp_path: Path, broken: str, fixed: str = "pass", id: str = "made-up") -> Pitfall:
    return made_up(tmp_path / "kb", script(broken, fixed), id=id)


def confirmed(tmp_path: Path, broken: str, fixed: str = "pass", **more) -> Confirmation:
    entry = entry_of(tmp_path, broken, fixed, more.pop("id", "made-up"))
    return confirm(entry, permit=mine(entry), python=sys.executable, seconds=more.pop("seconds", 30), **more)


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


# How a leg ends


@pytest.mark.parametrize("status", [0, 1, 3, 125, 255])
@pytest.mark.parametrize("wrapped", [False, True])
def test_exit_statuses_come_through(tmp_path: Path, status: int, wrapped: bool) -> None:
    assert leg(tmp_path, f"raise SystemExit({status})", wrapped=wrapped).status == status


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGPIPE])
def test_signals_come_through(tmp_path: Path, number: signal.Signals) -> None:
    default = f"signal.signal({int(number)}, signal.SIG_DFL) if {int(number)} != 9 else None"
    code = f"import os, signal; {default}; os.kill(os.getpid(), {int(number)})"
    done = leg(tmp_path, code)
    assert done.status == -number and f"killed by signal {number.name}" in done.output
    again = leg(
        tmp_path, f"raise SystemExit({128 + number})", wrapped=True
    )  # as what stands in front says it
    assert again.status == -number


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        process.run([str(tmp_path / "none")], env={}, cwd=str(tmp_path), seconds=5)
    (tmp_path / "text").write_text("not a program")
    with pytest.raises(PermissionError):
        process.run([str(tmp_path / "text")], env={}, cwd=str(tmp_path), seconds=5)


IGNORES = "import signal\nfor n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n    except OSError: pass\n"


@pytest.mark.parametrize(
    "first", ["", IGNORES, "os.kill(os.getpid(), 19)\n"], ids=["hangs", "ignores", "stops"]
)
def test_a_hang_is_ended(tmp_path: Path, first: str) -> None:
    note = tmp_path / "note"
    code = f"import os, time\nopen({str(note)!r}, 'w').write(str(os.getpid()))\n{first}time.sleep(600)"
    done = leg(tmp_path, code, seconds=1.5)
    assert done.status is None and done.reason == "still running after 1.5 s"
    assert gone(int(note.read_text()))


@pytest.mark.parametrize("last", ["", "time.sleep(600)"], ids=["ended", "hangs"])
def test_the_group_of_a_leg_ends_with_it(tmp_path: Path, last: str) -> None:
    note = tmp_path / "note"
    code = f"""
import os, time
if os.fork() == 0:
    if os.fork() == 0:
        open({str(note)!r}, "w").write(f"{{os.getpid()}}\\n")
        time.sleep(600)
    os._exit(0)
os.wait()
while not (os.path.exists({str(note)!r}) and open({str(note)!r}).read()): time.sleep(0.01)
{last}
"""
    leg(tmp_path, code, seconds=2)
    assert gone(int(note.read_text()))


def test_workers_with_a_group_of_their_own_end_with_a_leg_that_hangs(tmp_path: Path) -> None:
    """As torchrun starts them."""
    note = tmp_path / "note"
    worker = f"import os, time; open({str(note)!r}, 'w').write(f'{{os.getpid()}}\\n'); time.sleep(600)"
    code = (
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {worker!r}], start_new_session=True)"
    )
    leg(tmp_path, code, seconds=3)
    assert gone(number_in(note))


def test_who_stands_in_front_ends_what_it_started_by_itself(tmp_path: Path) -> None:
    """A container goes on where its client is killed."""
    code = f"trap 'touch {tmp_path}/ended; exit' TERM; while :; do sleep 0.05; done"
    command = [shutil.which("sh"), "-c", code]
    process.run(command, env={**os.environ}, cwd=str(tmp_path), seconds=0.5, grace=30)  # type: ignore[list-item]
    assert (tmp_path / "ended").exists()


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
    code = "import os, time\nos.write(1, b'one ')\ntime.sleep(0.2)\nos.write(1, 'lin\u00e9\\ntwo'.encode())"
    leg(tmp_path, code, on_line=heard.append)
    assert heard == ["one lin\u00e9", "two"]


def test_escape_codes_reach_nobody(tmp_path: Path) -> None:
    heard: list[str] = []
    broken = f"print('\\x1b[31mred\\x1b[0m \\x1b]0;owned\\x07 \\x9b2J back\\x08')\nraise RuntimeError('\\x1b[1m' + {MESSAGE!r} + '\\x1b[0m')"
    result = confirmed(tmp_path, broken, on_event=lambda kind, text: heard.append(text))
    assert (result.verdict, result.message) == ("reproduces-here", f"RuntimeError: {MESSAGE}")
    for text in (result.legs[0].output, result.message, *heard):
        assert not set(text) & {"\x1b", "\x9b", "\x07", "\x08"}


def test_no_escape_code_comes_by_json_or_by_a_reason(tmp_path: Path) -> None:
    r"""JSON writes an escape code in letters (\u001b), so it passed what is made harmless of an output."""
    told = {"\x1b]0;owned\x07\n# confirmed": 1, "v": "\x1b[31m\u202e", "l": [{"\x1b[2J": "\x9b2J"}]}
    line = f"import json\nprint(json.dumps({told!r}))"
    result = confirmed(tmp_path, f"{line}\n{GOOD}", line)
    assert result.legs[0].numbers == {"# confirmed": 1, "v": "", "l": [{"": ""}]}
    page = confirmation_markdown(result, entry_of(tmp_path / "again", "pass"), "en")
    assert "\n# confirmed" not in page and not set(page) & {"\x1b", "\x9b", "\x07", "\u202e"}
    unable = "import sys\nsys.stderr.write('no \\x1b]0;owned\\x07\\x1b[2J gpu')\nsys.exit(125)"
    result = confirmed(tmp_path, unable, id="unable")
    assert (result.verdict, result.reason) == ("cannot-run", "no  gpu")


def test_a_number_that_is_none_is_a_word_in_json() -> None:
    """JSON knows neither NaN nor Infinity, which Python's writes and reads, and no other reader."""
    read = last_object('{"loss": NaN, "l": [Infinity, -1e999, 0.5]}')
    assert read == {"loss": "nan", "l": ["inf", "-inf", 0.5]}


# Memory, files, cores

EATER = "blocks = []\nimport time\nfor _ in range(200):\n    blocks.append(bytearray(b'x') * (10 << 20))\n    time.sleep(0.01)\ntime.sleep(20)"
SHARED = "import mmap, time\nm = mmap.mmap(-1, 500 << 20)\nfor at in range(0, 500 << 20, 4096): m[at] = 1\ntime.sleep(20)"
BY_A_CHILD = (
    f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {EATER!r}], start_new_session=True)"
)


@pytest.mark.parametrize("code", [EATER, SHARED, BY_A_CHILD], ids=["own", "shared", "a child's"])
def test_memory_is_bounded(tmp_path: Path, code: str) -> None:
    assert leg(tmp_path, code, memory=300 << 20).reason == "used more than 300 MiB of memory"


def test_the_default_limit(tmp_path: Path) -> None:
    free = linux.memory_facts(Path("/"))["ram.free"].value
    assert isinstance(free, int)
    least, most = process.MIN_MEMORY_BYTES, process.MAX_MEMORY_BYTES
    assert least <= process.default_memory() <= max(least, min(most, free))
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text("MemTotal: 32000000 kB\nMemAvailable: 4194304 kB\n")
    assert process.default_memory(tmp_path) == int(0.8 * (4 << 30))
    group = tmp_path / "sys/fs/cgroup"  # a container's limit counts, as in the facts of the machine
    group.mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/\n")
    texts = {"memory.max": 1 << 30, "memory.current": 512 << 20, "memory.stat": "inactive_file 0\n"}
    for name, text in texts.items():
        (group / name).write_text(str(text))
    assert process.default_memory(tmp_path) == int(0.8 * (512 << 20))
    (group / "memory.current").write_text(str(1 << 30))
    assert process.default_memory(tmp_path) == least
    assert process.default_memory(tmp_path / "elsewhere") == most


def test_no_core_and_no_file_without_end(tmp_path: Path) -> None:
    code = "import resource\nprint([resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE)])"
    own = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    core, size = json.loads(leg(tmp_path, code).stdout)
    assert core == 0 and 0 < size <= (8 << 30 if own == resource.RLIM_INFINITY else own)


def test_no_entry_asks_for_time_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "kb/_template/pitfall.yaml").read_text("utf-8")
    asks = text.replace("kind: error", "kind: error\nneeds: {seconds: 100000}")
    entry = made_up(tmp_path / "kb", script("import time; time.sleep(600)"), asks)
    monkeypatch.setattr(process, "MAX_SECONDS", 1.0)
    result = confirm(entry, permit=mine(entry), python=sys.executable)
    assert (result.verdict, result.reason) == ("timeout", "still running after 1 s")


# The script and its folder


def test_a_script_that_changes_its_own_file(tmp_path: Path) -> None:
    result = confirmed(tmp_path, f"open(__file__, 'w').write('raise KeyError(1)')\n{GOOD}")
    assert result.verdict == "reproduces-here", result.reason
    folder = tmp_path / "kb/shapes/made-up"
    assert "KeyError(1)')" in (folder / "repro.py").read_text()
    assert sorted(path.name for path in folder.glob("*.[py]*")) == ["pitfall.yaml", "repro.py"]
    assert 'script/repro.py", line 5, in broken' in result.legs[0].output


def test_what_a_leg_leaves_in_its_folder_is_not_imported(tmp_path: Path) -> None:
    broken = f"open('random.py', 'w').write('raise KeyError(1)')\nimport random\n{GOOD}"
    assert confirmed(tmp_path, broken).verdict == "reproduces-here"


def test_side_by_side_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither folders, also one that the leg made unreadable, nor handles of files."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    code = f"import os\nopen('own', 'x').write('x')\nos.makedirs('a/b')\nos.chmod('a', 0)\n{GOOD}"
    entry = entry_of(tmp_path, code, "open('own', 'x').write('x')")
    handles = len(os.listdir("/proc/self/fd"))
    with ThreadPoolExecutor(8) as pool:
        run = lambda _: confirm(entry, permit=mine(entry), python=sys.executable, seconds=120)  # noqa: E731
        assert {result.verdict for result in pool.map(run, range(8))} == {"reproduces-here"}
    assert list((tmp_path / "temporary").iterdir()) == []
    assert len(os.listdir("/proc/self/fd")) <= handles
    assert leg(tmp_path, "import os\nprint(os.listdir('/proc/self/fd'))").stdout.count(",") == 3


# The environment


SECRETS = (
    "AWS_SECRET_ACCESS_KEY HF_TOKEN TORCHWHY_LLM_KEY SSH_AUTH_SOCK WANDB_API_KEY NVIDIA_API_KEY TORCH_HUB_TOKEN"
    " TORCH_PASSPHRASE LC_PASS TRITON_SIGNING https_proxy HTTP_PROXY SOME_URL PYTORCH_INDEX"
)
KEPT = "LD_LIBRARY_PATH OMP_NUM_THREADS NCCL_DEBUG TORCH_HOME CUDA_HOME PYTHONHASHSEED VIRTUAL_ENV"


def test_no_secret_of_the_environment_reaches_a_leg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets, kept = SECRETS.split(), KEPT.split()
    for name in (*secrets, *kept):
        monkeypatch.setenv(name, "canary-0" if name != "PYTHONHASHSEED" else "7")
    monkeypatch.setenv("PYTORCH_INDEX", "https://me:canary@example.com/simple")
    code = "import os\nprint(sorted(os.environ))\nprint(os.listdir(os.path.expanduser('~')))\n"
    result = confirmed(tmp_path, code + GOOD)
    assert result.verdict == "reproduces-here", result.reason
    names, home = result.legs[0].output.splitlines()[:2]
    assert [name for name in secrets if repr(name) in names] == []
    assert [name for name in kept if repr(name) not in names] == []
    assert home == "[]"


def test_packages_of_the_users_own_home_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PYTHONUSERBASE", raising=False)
    code = f"import site\nassert site.getuserbase() == {str(tmp_path / '.local')!r}\n{GOOD}"
    assert confirmed(tmp_path, code).verdict == "reproduces-here"


# As the user meets it


@pytest.mark.parametrize(
    "home", [pytest.param("/sys", id="read-only"), pytest.param("/dev/null/home", id="missing")]
)
def test_a_home_that_cannot_be_written(torchwhy: Run, home: str) -> None:
    env = {"HOME": home, "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "TORCHWHY_CACHE": "", "TORCHWHY_DATA": ""}
    done = torchwhy("confirm", "backward-twice", "--no-vectors", env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# reproduces-here")
    done = torchwhy("confirm", "--all", "--only", "backward-twice", env=env)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr and "--into" in done.stderr and "Traceback" not in done.stderr


@unjailed
@pytest.mark.parametrize("leg", ["broken", "fixed"])
def test_ctrl_c_ends_everything(tmp_path: Path, leg: str) -> None:
    (tmp_path / "temporary").mkdir()
    hang = (
        "import os, time\nif os.fork() == 0:\n    with open('note', 'w') as file:\n"
        "        file.write(f'{os.getpid()}\\n')\ntime.sleep(600)"
    )
    entry_of(tmp_path, *((hang, "pass") if leg == "broken" else (GOOD, hang)), id="hangs")
    words = ["confirm", "hangs", "--mine", "--kb", str(tmp_path / "kb"), "--no-vectors"]
    own = {"TMPDIR": str(tmp_path / "temporary"), "TORCHWHY_CACHE": str(tmp_path / "cache")}
    program = subprocess.Popen(
        [sys.executable, "-m", "torchwhy", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "assistant"), **own},
    )
    with program:
        child = number_in(tmp_path / "temporary" / "torchwhy-*" / "note", 300)
        program.send_signal(signal.SIGINT)
        told = program.communicate(timeout=30)[1].decode()
    assert program.returncode == 130
    assert "interrupted" in told and "Traceback" not in told
    assert gone(child)
    assert list((tmp_path / "temporary").glob("torchwhy-*")) == []
