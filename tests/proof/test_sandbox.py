"""What stands around a leg: bubblewrap where it works, the user's own runner, and what is said where neither is there."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.scripts import GOOD, made_up, mine, script
from torchwhy.errors import ConfirmError
from torchwhy.machine import sandbox_paths
from torchwhy.proof import process, sandbox
from torchwhy.proof.confirm import confirm
from torchwhy.proof.confirmation import confirmation_json
from torchwhy.proof.process import Finished
from torchwhy.proof.trust import Permit
from torchwhy.proof.verdict import confirmation_markdown
from torchwhy.text.phrases import phrase

pytestmark = [
    pytest.mark.promise(2),
    pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux"),
]
bubblewrap = pytest.mark.skipif(sandbox.bubblewrap() is None, reason="bubblewrap is missing, or may not work")
PYTHON = (sys.executable, *sandbox_paths.of_python(sys.executable))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "leg").mkdir()
    return tmp_path / "leg"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A system without bubblewrap."""
    monkeypatch.setenv("PATH", str(tmp_path))


def jailed(
    folder: Path, code: str, seconds: float = 60, needed: tuple[str, ...] = PYTHON, **env: str
) -> Finished:
    """Run Python code in bubblewrap."""
    command = [needed[0], "-B", "-c", code]
    start = sandbox.start(command, {**os.environ, **env}, str(folder), needed, shut_in=True)
    return process.run(start.command, env=start.env, cwd=str(folder), seconds=seconds, wrapped=start.wrapped)


ATTEMPTS = """
import json, os, socket
def done(attempt):
    try:
        return attempt() or True
    except OSError:
        return False
def outside():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("203.0.113.1", 9))
def lo():
    server = socket.create_server(("127.0.0.1", 0))
    socket.create_connection(server.getsockname(), timeout=5).close()
for name in WRITTEN:
    done(lambda: open(name + "/torchwhy-was-here", "w").close())
print(json.dumps({
    "network": done(outside), "lo": done(lo), "own folder": done(lambda: open("x", "w").close()),
    "seen": [name for name in SEEN if os.path.lexists(name)], "home": os.listdir(os.path.expanduser("~")),
    "processes": [name for name in os.listdir("/proc") if name.isdigit() and int(name) > 10],
    "capabilities": [line.split()[1] for line in open("/proc/self/status") if line.startswith("CapEff")],
}))
"""


@bubblewrap
def test_no_network_no_home_no_other_process_no_other_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    python = home / ".pyenv/versions/3.x"
    for name in (".ssh/id_rsa", ".netrc", ".pyenv/versions/3.x/lib/module.py"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("canary")
    monkeypatch.setenv("HOME", str(home))
    (folder / "home").mkdir()
    seen = [
        str(home / ".ssh"),
        str(home / ".netrc"),
        "/etc/shadow",
        "/etc/ssh",
        "/root/.bashrc",
        "/var/lib",
        "/home",
    ]
    written = ["/usr", "/etc", str(python), str(tmp_path), *sys.path[1:]]
    code = f"SEEN, WRITTEN = {seen!r}, {written!r}\n{ATTEMPTS}"
    own_home = {"HOME": str(folder / "home")}
    result = json.loads(jailed(folder, code, needed=(*PYTHON, str(python)), **own_home).stdout)
    assert result == {
        "network": False,
        "lo": True,
        "own folder": True,
        "seen": [],
        "home": [],
        "processes": [],
        "capabilities": ["0" * 16],
    }
    assert [name for name in written if Path(name, "torchwhy-was-here").exists()] == []
    needed = (*PYTHON, str(python))
    look = f"import os; print(os.listdir({str(home)!r}), os.listdir({str(python)!r}))"
    assert jailed(folder, look, needed=needed).stdout == "['.pyenv'] ['lib']\n", "of a home its Python alone"


@bubblewrap
@pytest.mark.parametrize("number", [6, 7, 9])
def test_signals_come_out_of_it(folder: Path, number: int) -> None:
    assert jailed(folder, f"import os; os.kill(os.getpid(), {number})").status == -number


@bubblewrap
@pytest.mark.parametrize("last", ["", "time.sleep(600)"], ids=["ended", "hangs"])
def test_nothing_survives_it(folder: Path, last: str) -> None:
    mark = f"torchwhy-{os.getpid()}-{last[:4]}"
    code = (
        f"import os, subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', "
        f"'import time; time.sleep(600)', {mark!r}], start_new_session=True)\ntime.sleep(0.5)\n{last}"
    )
    jailed(folder, code, seconds=3)
    until = time.monotonic() + 10
    while found := subprocess.run(["pgrep", "-f", f"[t]{mark[1:]}"], capture_output=True, check=False).stdout:
        assert time.monotonic() < until, found
        time.sleep(0.1)


@bubblewrap
def test_a_script_can_still_mount_a_small_shm(folder: Path) -> None:
    """Some shipped scripts make a world of their own to show what a small /dev/shm does."""
    inner = 'unshare -Urm sh -c "mount -t tmpfs -o size=8m tmpfs /dev/shm && df -k /dev/shm"'
    code = f"import os; raise SystemExit(os.waitstatus_to_exitcode(os.system({inner!r})))"
    outside = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    done = jailed(folder, code)
    assert done.status == outside.returncode
    assert outside.returncode or " 8192 " in done.stdout


@bubblewrap
def test_a_private_python_still_works(folder: Path, tmp_path: Path) -> None:
    """One in a folder that its owner alone may enter, reached by links from a bin folder beside it."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", "--symlinks", str(private / "venv")], check=True
    )
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").symlink_to("../private/venv/bin/python")
    program, code = str(tmp_path / "bin/python"), "import sys; print(sys.prefix)"
    done = jailed(folder, code, needed=(program, *sandbox_paths.of_python(program)))
    outside = subprocess.run([program, "-c", code], capture_output=True, text=True, check=True)
    assert (done.status, done.stdout) == (0, outside.stdout), done.stderr


@bubblewrap
def test_torch_processes_and_gloo_still_work(folder: Path) -> None:
    (folder / "work.py").write_text("""
import os
import torch, torch.distributed as dist, torch.multiprocessing as mp

class Data(torch.utils.data.Dataset):
    def __len__(self): return 8
    def __getitem__(self, at): return torch.full((3,), float(at))

def worker(rank, path, shared):
    dist.init_process_group("gloo", init_method=f"file://{path}", rank=rank, world_size=2)
    one = torch.ones(4)
    dist.all_reduce(one)
    shared[rank] = one.sum()
    dist.destroy_process_group()

if __name__ == "__main__":
    shared = torch.zeros(2).share_memory_()
    mp.spawn(worker, (os.path.abspath("store"), shared), 2)
    batches = torch.utils.data.DataLoader(Data(), batch_size=2, num_workers=2)
    print(shared.tolist(), sum(batch.sum().item() for batch in batches))
""")
    code = "import subprocess, sys; sys.exit(subprocess.run([sys.executable, 'work.py']).returncode)"
    # one thread each: a DataLoader's workers are forked, and a fork may catch torch's threads in a lock
    own = {"HOME": str(folder), "TMPDIR": str(folder), "OMP_NUM_THREADS": "1", "PYTHONPATH": ""}
    done = jailed(folder, code, 240, **own)
    assert done.status == 0, done.output
    assert done.stdout.split("\n")[0] == "[8.0, 8.0] 84.0"


@pytest.mark.parametrize("part", ["", "."])
def test_no_bubblewrap_of_the_current_folder_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (tmp_path / "bwrap").chmod(0o700)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", part)
    assert sandbox.bubblewrap() is None
    assert not (tmp_path / "ran").exists()


def test_a_jail_that_cannot_be_made_is_no_failure_of_the_script(tmp_path: Path) -> None:
    """As where a device goes while scripts run."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: cannot mount' >&2; exit 1\n")
    program.chmod(0o755)
    with pytest.raises(OSError, match="bwrap: cannot mount"):
        process.run([str(program)], env=dict(os.environ), cwd=str(tmp_path), seconds=60, wrapped=True)


# The user's own runner

RUNNER = """#!/bin/sh
echo "$@" > "$NOTE"
env > "$NOTE.env"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


@pytest.mark.usefixtures("quick_probe")
def test_a_foreign_script_runs_by_the_users_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: None
) -> None:
    """The words, with the folder filled in; then env -i with the leg's variables, the Python and the script."""
    entry = made_up(tmp_path / "kb", script(f"import os; print(sorted(os.environ))\n{GOOD}"))
    runner = tmp_path / "my box"
    runner.write_text(RUNNER)
    runner.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("NOTE", str(tmp_path / "note"))
    monkeypatch.setenv("TORCHWHY_RUNNER", f"{shlex.quote(str(runner))} -v {{folder}}:{{folder}} --")
    permit = Permit(mine(entry).sha256, shut_in=True)
    result = confirm(entry, permit=permit, python=sys.executable, seconds=60)
    assert result.verdict == "reproduces-here", result.legs[0].output
    assert result.unguarded == ()
    words = (tmp_path / "note").read_text().split()
    mounted = words[1].split(":")[0]
    assert words[:5] == ["-v", f"{mounted}:{mounted}", "--", "env", "-i"]
    assert words[-4:] == [sys.executable, "-B", f"{mounted}/script/repro.py", "--fixed"]
    assert f"HOME={mounted}/home" in words
    assert f"NOTE={tmp_path}/note" in (tmp_path / "note.env").read_text(), (
        "the runner has the user's environment"
    )
    assert "NOTE" not in result.legs[0].output.splitlines()[0], "its script has not"


@pytest.mark.parametrize(
    ("runner", "said"), [("'", "No closing quotation"), ("no-such-box run", "no such program")]
)
def test_a_runner_that_is_none_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, runner: str, said: str
) -> None:
    monkeypatch.setenv("TORCHWHY_RUNNER", runner)
    with pytest.raises(ConfirmError, match=f"TORCHWHY_RUNNER: {said}"):
        sandbox.start([sys.executable], {}, str(folder), (), shut_in=True)


def test_a_shipped_script_needs_no_runner(
    folder: Path, monkeypatch: pytest.MonkeyPatch, without: None
) -> None:
    monkeypatch.setenv("TORCHWHY_RUNNER", "no-such-box")
    start = sandbox.start([sys.executable, "x.py"], {"A": "b"}, str(folder), (), shut_in=False)
    assert start == sandbox.Start((sys.executable, "x.py"), {"A": "b"}, missing=sandbox.missing_guards())


# What is missing is said


def test_what_has_to_be_shut_in_never_runs_without(folder: Path, without: None) -> None:
    with pytest.raises(ConfirmError, match="was not run"):
        sandbox.start([sys.executable], {}, str(folder), (), shut_in=True)


@pytest.mark.usefixtures("quick_probe")
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_verdict_says_which_guards_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    entry = made_up(tmp_path / "kb", script(GOOD))
    for path in (os.environ["PATH"], str(tmp_path)):
        monkeypatch.setenv("PATH", path)
        result = confirm(entry, permit=mine(entry), python=sys.executable, seconds=60)
        page = confirmation_markdown(result, entry, lang)
        assert result.verdict == "reproduces-here"
        names = (sandbox.FILES, sandbox.NETWORK, sandbox.PROCESSES, sandbox.TREE)
        named = [name for name in names if phrase(f"guard_{name}", lang) in page]
        assert named == list(result.unguarded) == list(sandbox.missing_guards())
        assert confirmation_json(result)["unguarded"] == named
    assert named == [sandbox.FILES, sandbox.NETWORK, sandbox.PROCESSES] and "bubblewrap" in page
