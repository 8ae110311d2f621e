"""What a leg sees, reaches and may call: each attack is run for real, in the jail and where bubblewrap is missing."""

from __future__ import annotations

import errno
import json
import os
import platform
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.knowledge import load
from assistant.machine import places, torch_probe
from assistant.proof import calls, process, sandbox
from assistant.proof.as_json import confirmation_json
from assistant.proof.confirm import confirm
from assistant.proof.phrases import phrase
from assistant.proof.process import Finished
from assistant.proof.sandbox import Jail
from assistant.proof.verdict import confirmation_markdown
from tests.conftest import ROOT, write_entry
from tests.support.scripts import GOOD, script

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jails are for Linux")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A leg's folder with a path as short as a real one: a socket's path below it ends at 108 bytes."""
    with tempfile.TemporaryDirectory() as parent:
        leg = Path(parent) / "leg"
        leg.mkdir()
        yield leg


def bare(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Jail:
    """What is left where bubblewrap is missing."""
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(folder))
        return sandbox.jail(str(folder))


@pytest.fixture(params=["jailed", "bare"])
def jail(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Jail:
    if request.param == "bare":
        return bare(folder, monkeypatch)
    return jailed(folder)


def jailed(folder: Path, *, namespaces: bool = False) -> Jail:
    needed = (sys.executable, *places.of_python(sys.executable))
    made = sandbox.jail(str(folder), needed, namespaces=namespaces)
    if not made.words:
        pytest.skip("bubblewrap is missing, or may not work here")
    return made


def leg(folder: Path, jail: Jail, code: str, seconds: float = 60) -> Finished:
    return process.run(
        [sys.executable, "-B", "-c", code],
        env={**os.environ, "HOME": str(folder)},
        cwd=str(folder),
        seconds=seconds,
        jail=jail,
    )


# What it sees

LOOK = """
import json, os
seen, shown = [], {shown!r}
for root in {roots!r}:
    for top, folders, files in os.walk(root):
        folders[:] = [name for name in folders if os.path.join(top, name) not in shown]
        seen += [os.path.join(top, name) for name in files]
print(json.dumps([name for name in seen if name not in shown]))
"""


def test_homes_and_what_is_everybodys_are_not_there(folder: Path) -> None:
    """Of /root, /home, /tmp, /var, /run and /mnt nothing is seen but the leg's folder and what its Python needs."""
    home = os.path.expanduser(f"~{_user()}")
    shown = [
        *places.shown((sys.prefix, sys.base_prefix, *places.of_python(sys.executable)), [home]),
        str(folder),
    ]
    shown += [str(sandbox.SUPERVISOR), *places.links_to(sys.executable)]
    roots = ["/root", "/home", "/tmp", "/var", "/run", "/mnt", "/media", "/srv", home]
    done = leg(folder, jailed(folder), LOOK.format(roots=roots, shown=shown))
    assert done.stdout == "[]\n", done.output


def test_a_link_by_way_of_the_systems_alternatives(folder: Path, tmp_path: Path) -> None:
    """As CUDA_HOME=/usr/local/cuda is on Debian: what lies between is there already, and not made a second time."""
    alternative = next((one for one in Path("/etc/alternatives").glob("*") if one.exists()), None)
    if alternative is None:
        pytest.skip("this system keeps no alternatives")
    (tmp_path / "cuda").symlink_to(alternative)
    made = sandbox.jail(str(folder), [str(tmp_path / "cuda")])
    if not made.words:
        pytest.skip("bubblewrap is missing, or may not work here")
    done = leg(folder, made, f"import os; print(os.path.exists({str(tmp_path / 'cuda')!r}))")
    assert done.stdout == "True\n", done.output


def _user() -> str:
    import pwd

    return pwd.getpwuid(os.geteuid()).pw_name


def test_keys_in_a_home_are_not_read(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the Python lies in the same home: of it that Python alone is seen."""
    home = tmp_path / "home"
    for name in (".ssh/id_rsa", ".aws/credentials", ".netrc", ".config/gh/hosts.yml", ".bash_history"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("canary")
    python = home / ".pyenv/versions/3.x"
    (python / "lib").mkdir(parents=True)
    (python / "lib/module.py").write_text("here")
    monkeypatch.setenv("HOME", str(home))
    made = sandbox.jail(str(folder), [str(python)])
    if not made.words:
        pytest.skip("bubblewrap is missing, or may not work here")
    seen = json.loads(leg(folder, made, LOOK.format(roots=[str(home)], shown=[])).stdout)
    assert seen == [str(python / "lib/module.py")]


def test_a_prefix_that_is_a_home_shows_its_programs_alone(tmp_path: Path) -> None:
    for name in ("bin/python", "lib/python3.11/os.py", ".ssh/id_rsa", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    home = str(tmp_path)
    assert places.shown([home], [home]) == [f"{home}/bin", f"{home}/lib"]
    assert places.shown([f"{home}/lib/python3.11", f"{home}/lib"], [home]) == [f"{home}/lib"]


@pytest.mark.parametrize("name", ["/{home}", "{link}", "{link}/", "/proc/self/root{home}"])
def test_a_home_by_another_name_is_a_home(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As a PYTHONPATH of $HOME/lib makes it where HOME is /, or one that names a link."""
    home, link = tmp_path / "homes/own", tmp_path / "link"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh/id_rsa").write_text("canary")
    (home / "lib").mkdir()
    link.symlink_to(home)
    monkeypatch.setenv("HOME", str(home))
    named = name.format(home=home, link=link)
    made = sandbox.jail(str(folder), [sys.executable, *places.of_python(sys.executable), named])
    if not made.words:
        pytest.skip("bubblewrap is missing, or may not work here")
    keys = [f"{top}/.ssh/id_rsa" for top in (home, link, f"/proc/self/root{home}")]
    done = leg(folder, made, f"import os\nprint([name for name in {keys!r} if os.path.exists(name)])")
    assert done.stdout == "[]\n", done.output


def test_a_home_that_lies_in_a_folder_of_the_system_by_a_link(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not os.access("/opt", os.W_OK):
        pytest.skip("only who may write to /opt can have a home there")
    with tempfile.TemporaryDirectory(dir="/opt") as home:
        Path(home, "id_rsa").write_text("canary")
        (tmp_path / "home").symlink_to(home)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        look = f"import os\nprint(os.path.exists({home + '/id_rsa'!r}))"
        done = leg(folder, jailed(folder), look)
        assert done.stdout == "False\n", done.output
        # also with the temporary folder in it
        inside = Path(home, "tmp")
        inside.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(inside))
        sandbox._features.cache_clear()
        try:
            done = leg(inside, jailed(inside), f"{look}\nopen('x', 'w')")
        finally:
            sandbox._features.cache_clear()
        assert (done.stdout, done.status) == ("False\n", 0), done.output


@pytest.mark.parametrize("part", ["", "."])
def test_no_bubblewrap_of_the_current_folder_is_started(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    planted = tmp_path / "bwrap"
    real = shutil.which("bwrap") or "false"
    planted.write_text(f'#!/bin/sh\ntouch {tmp_path}/ran\nexec {real} "$@"\n')
    planted.chmod(0o700)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{part}{os.pathsep}{os.environ['PATH']}")
    words = sandbox.jail(str(folder)).words
    assert not words or os.path.isabs(words[0])
    assert not (tmp_path / "ran").exists()


def test_no_password_of_the_system_is_read(folder: Path) -> None:
    code = "import os\nprint([name for name in ('/etc/shadow', '/etc/ssh', '/etc/ssl/private', '/etc/sudoers', '/etc/krb5.keytab', '/var/lib') if os.path.lexists(name)])"
    assert leg(folder, jailed(folder), code).stdout == "[]\n"


def test_a_socket_of_another_program_is_not_reached(folder: Path, tmp_path: Path) -> None:
    paths = [str(tmp_path / "agent.sock")]
    if os.access("/run", os.W_OK):
        paths.append(f"/run/torchwhy-test-{os.getpid()}.sock")
    servers = []
    try:
        for path in paths:
            server = socket.socket(socket.AF_UNIX)
            server.bind(path)
            server.listen()
            servers.append(server)
        code = f"""
import socket
for path in {paths!r}:
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print("CONNECTED", path)
    except OSError as error:
        print(error.errno)
"""
        assert leg(folder, jailed(folder), code).stdout.split() == [str(errno.ENOENT)] * len(paths)
    finally:
        for server, path in zip(servers, paths, strict=False):
            server.close()
            os.unlink(path)


def test_a_socket_in_a_folder_that_a_leg_reads_is_not_reached(folder: Path) -> None:
    """To be read-only keeps nobody from speaking to a socket; one that is of no use to the leg is left alone."""
    with tempfile.TemporaryDirectory(dir="/opt" if os.access("/opt", os.W_OK) else None) as place:
        shown, closed = Path(place, "shown"), Path(place, "closed")
        servers = []
        for path in (shown, closed):
            path.mkdir()
            servers.append(socket.socket(socket.AF_UNIX))
            servers[-1].bind(str(path / "s"))
            servers[-1].listen()
        (shown / "module.py").write_text("here")
        closed.chmod(0o600)
        code = f"""
import os, socket
print(open({str(shown / "module.py")!r}).read())
for path in {[str(shown / "s"), str(closed / "s")]!r}:
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print("CONNECTED", path)
    except OSError as error:
        print(error.errno)
"""
        needed = (sys.executable, *places.of_python(sys.executable), str(shown))
        made = sandbox.jail(str(folder), needed)
        if not made.words:
            pytest.skip("bubblewrap is missing, or may not work here")
        seen, reached, hidden = leg(folder, made, code).stdout.split()
        for server in servers:
            server.close()
    assert (seen, int(reached)) == ("here", errno.ECONNREFUSED)
    assert int(hidden) in (errno.EACCES, errno.ENOENT)


def test_sockets_without_end_hide_no_other_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write to /tmp can hold as many open there as he likes."""
    if not os.access("/opt", os.W_OK):
        pytest.skip("only who may write to /opt can have a socket there")
    monkeypatch.setattr(sandbox, "MAX_SOCKETS", 3)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as many, tempfile.TemporaryDirectory(dir="/opt") as seen:
        servers = []
        for path in (*(f"{many}/{number}" for number in range(9)), f"{seen}/s"):
            servers.append(socket.socket(socket.AF_UNIX))
            servers[-1].bind(path)
            servers[-1].listen()
        code = f"import socket\nprint(socket.socket(socket.AF_UNIX).connect_ex({seen + '/s'!r}))"
        done = leg(folder, jailed(folder), code)
        for server in servers:
            server.close()
    assert done.stdout == f"{errno.ECONNREFUSED}\n", done.output


def test_a_folder_that_a_group_may_enter_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The leg is in the groups of its user: a socket in such a folder is one that it would reach."""
    if os.geteuid() != 0:
        pytest.skip("only root gives a folder to any group")
    cases = ((0o710, [4322], True), (0o710, [], False), (0o701, [4322], False), (0o701, [], True))
    ask = (
        "import os, sys\nos.setgroups([4322]); os.setgid(4323); os.setuid(4324)\nfrom pathlib import Path\n"
        "from assistant.proof import sandbox\nprint(sandbox._may_enter(Path(sys.argv[1])))"
    )
    with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
        os.chown(place, 4321, 4322)
        for mode, groups, enters in cases:
            os.chmod(place, mode)
            monkeypatch.setattr(os, "getgroups", lambda groups=groups: groups)
            assert sandbox._may_enter(Path(place)) is enters, (oct(mode), groups)
        os.chmod(place, 0o750)
        python = shutil.which("python3", path="/usr/bin") or sys.executable
        done = subprocess.run(
            [python, "-c", ask, place], cwd=ROOT, capture_output=True, text=True, check=False
        )
    if "Error" in done.stderr:
        pytest.skip("no Python here with which another user may run this code")
    assert done.stdout == "True\n", done.stderr


def test_the_table_of_sockets_may_hold_anything(tmp_path: Path) -> None:
    table = tmp_path / "unix"
    table.write_bytes(
        b"Num RefCount Protocol Flags Type St Inode Path\n"
        b"0: 2 0 0 1 1 7 @abstract\n0: 2 0 0 1 1 7\n"
        b"0: 2 0 0 1 1 7 /gone\n0: 2 0 0 1 1 7 /x\0y\n0: 2 0 0 1 1 7 /\xff\n0: 2 0 0 1 1 7 /etc/passwd\n"
    )
    assert sandbox._sockets(table) == []
    assert sandbox._sockets(tmp_path / "none") == []


def test_a_private_python_still_works(folder: Path, tmp_path: Path) -> None:
    """One in a folder that its owner alone may enter, reached by links from a bin folder beside it."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", "--symlinks", str(private / "venv")], check=False
    )
    assert made.returncode == 0
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").symlink_to("../private/venv/bin/python")
    program = str(tmp_path / "bin/python")
    jail = sandbox.jail(str(folder), [program, *places.of_python(program)])
    if not jail.words:
        pytest.skip("bubblewrap is missing, or may not work here")
    done = process.run(
        [program, "-c", "import sys, json; print(sys.prefix)"], env={}, cwd=str(folder), seconds=30, jail=jail
    )
    outside = subprocess.run(
        [program, "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True, check=True
    )
    assert (done.status, done.stdout) == (0, outside.stdout), done.stderr


def test_a_mount_whose_name_has_a_blank_is_known(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(
        "21 1 8:1 / / rw - ext4 /dev/a rw\n22 21 0:20 / /my\\040tmp rw - tmpfs none rw\n"
        "23 22 8:2 / /my\\040tmp/on\\134disk rw - ext4 /dev/b rw\n"
    )
    said = [sandbox.in_memory(name, table) for name in ("/my tmp/x", "/my tmp", "/my", r"/my tmp/on\disk/x")]
    assert said == [True, True, False, False]


def test_a_temporary_folder_in_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written to a /tmp that is a tmpfs is neither memory of a process nor written to a disk."""
    if not sandbox.in_memory("/dev/shm"):
        pytest.skip("/dev/shm is no tmpfs here")
    assert not sandbox.in_memory("/proc") and not sandbox.in_memory("/no/such", tmp_path / "none")
    monkeypatch.setattr(sandbox, "MAX_SHM_BYTES", 64 << 20)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        os.mkdir(f"{folder}/home")
        os.mkdir(f"{folder}/script")
        Path(folder, "script/repro.py").write_text(
            "import os\nopen('home/x', 'w').write('x')\nprint(os.listdir('.'), flush=True)\n"
            "for at in range(200):\n    open(f'home/{at}', 'wb').write(bytes(1 << 20))\n"
        )
        jail = jailed(Path(folder))
        done = process.run(
            [sys.executable, "-B", f"{folder}/script/repro.py"],
            env={},
            cwd=folder,
            seconds=60,
            jail=jail,
        )
        assert sorted(eval(done.stdout)) == ["home", "script"], done.output
        assert done.status == 1 and "No space left on device" in done.stderr
        assert os.listdir(f"{folder}/home") == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave a program for other users to be root with")
def test_what_a_leg_leaves_is_closed_to_other_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script run by root could else leave a program that makes root of whoever starts it, as long as the leg runs."""
    found = torch_probe.Probe(sys.executable, "3.11.0", sys.platform, torch="2.13.0")
    monkeypatch.setattr(torch_probe, "probe", lambda interpreter: found)
    (tmp_path / "temporary").mkdir(mode=0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    attack = "import os, time\nopen('s', 'w').close()\nos.chmod('s', 0o4755)\nos.chmod('.', 0o777)\nprint('ready', flush=True)\ntime.sleep(1)\n"
    write_entry(tmp_path / "kb", "made-up", repro=script(attack + GOOD))
    entry = load.load_knowledge([tmp_path / "kb"], {}).pitfalls["made-up"]
    modes = []

    def hear(kind: str, text: str) -> None:
        if text == "ready":
            modes.extend(
                oct(path.stat().st_mode & 0o777) for path in (tmp_path / "temporary").glob("torchwhy-*")
            )

    assert confirm(entry, python=sys.executable, seconds=60, on_event=hear).verdict == "reproduces-here"
    assert modes == ["0o700"]


# What it may call

CALL = """
import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
found = {{}}
for name, number in {numbers!r}.items():
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6)
    found[name] = ctypes.get_errno() if result == -1 else 0
print(json.dumps(found), flush=True)
os._exit(0)
"""


def numbers(refused: dict[str, tuple[int, int | None]]) -> dict[str, int]:
    column = calls.MACHINES[platform.machine()].column
    return {name: number for name, pair in refused.items() if (number := pair[column]) is not None}


@pytest.mark.skipif(platform.machine() not in calls.MACHINES, reason="no filter for this kind of machine")
def test_each_refused_call_gives_eperm(folder: Path, jail: Jail) -> None:
    wanted = numbers({**calls.REFUSED, **calls.REFUSED_WITHOUT_NAMESPACES})
    code = CALL.format(numbers=wanted)
    assert json.loads(leg(folder, jail, code).stdout) == dict.fromkeys(wanted, errno.EPERM)
    if jail.words:  # what follows is not tried outside a jail
        without = json.loads(leg(folder, Jail(jail.words), code).stdout)
        assert sum(number != errno.EPERM for number in without.values()) > 8, (
            "else the filter is not what refuses"
        )


SYSTEM_V = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.semget(0, 32000, 0o1600), libc.msgget(0, 0o1600), libc.shmget(0, 1 << 20, 0o1600))
"""


@pytest.mark.skipif(platform.machine() not in calls.MACHINES, reason="no filter for this kind of machine")
def test_no_leg_has_what_the_kernel_keeps_for_nobody(folder: Path, jail: Jail) -> None:
    """Sets of semaphores take 2 MB each, 32,000 of them, and no process holds any."""
    assert leg(folder, jail, SYSTEM_V).stdout == "-1 -1 -1\n"


LEASES = """
import errno, fcntl, os
opened = os.open({file!r}, os.O_RDONLY)
for call in (1024, 1040):
    for kind in (fcntl.F_RDLCK, fcntl.F_WRLCK):
        try:
            print(fcntl.fcntl(opened, call, kind))
        except OSError as error:
            print(errno.errorcode[error.errno])
print(fcntl.fcntl(opened, fcntl.F_GETFL) >= 0)
"""


@pytest.mark.skipif(platform.machine() not in calls.MACHINES, reason="no filter for this kind of machine")
def test_no_leg_holds_up_who_opens_a_file(folder: Path, jail: Jail) -> None:
    """With a lease on a file that it only reads, each program that opened it waited 45 seconds."""
    mine = folder / "mine.py"
    mine.write_text("x = 1\n")
    assert leg(folder, jail, LEASES.format(file=str(mine))).stdout.split() == ["EPERM"] * 4 + ["True"]


@pytest.mark.skipif(platform.machine() not in calls.MACHINES, reason="no filter for this kind of machine")
def test_calls_that_are_looked_at_in_detail(folder: Path, jail: Jail) -> None:
    code = """
import ctypes, errno, fcntl, os, pty, socket, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
def says(result):
    return errno.errorcode[ctypes.get_errno()] if result == -1 else "done"
for flag in (0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x80):
    print(says(libc.unshare(flag)), end=" ")
print(says(libc.unshare(0x200)))  # the current folder: no namespace
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 40, 38, 17):
    try:
        socket.socket(family, socket.SOCK_STREAM if family != 38 else socket.SOCK_SEQPACKET).close()
        print("done", end=" ")
    except OSError as error:
        print(errno.errorcode[error.errno], end=" ")
try:
    fcntl.ioctl(pty.openpty()[1], 0x5412, b"x")
    print("typed")
except OSError as error:
    print(errno.errorcode[error.errno])
threads = [threading.Thread(target=sys.stdout.write, args=("thread\\n",)) for _ in range(2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
os.waitpid(os.spawnlp(os.P_NOWAIT, "true", "true"), 0)
"""
    done = leg(folder, jail, code)
    spaces, families, *rest = done.stdout.splitlines()
    assert spaces.split() == ["EPERM"] * 8 + ["done"], done.output
    assert families.split()[:2] == ["done"] * 2 and families.split()[3:6] == ["EAFNOSUPPORT"] * 3, done.output
    assert families.split()[6] == "EPERM" and rest == ["thread"] * 2
    assert done.unguarded == jail.missing


@pytest.mark.skipif(platform.machine() != "x86_64", reason="numbers of system calls")
def test_no_thread_has_open_files_of_its_own(folder: Path, jail: Jail) -> None:
    """They would be in no list that is looked at."""
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    print(ctypes.get_errno() if libc.syscall(*words) == -1 else "done")
call(272, 0x400)  # unshare(CLONE_FILES)
call(436, 1000, 1001, 2)  # close_range, with CLOSE_RANGE_UNSHARE
call(436, 1000, 1001, 0)
call(436, 1000, 1001, 4)  # CLOSE_RANGE_CLOEXEC
call(56, 0x10900, 0, 0, 0, 0)  # clone: a thread with this one's memory and signals, but not its files
"""
    assert leg(folder, jail, code).stdout.split() == ["1", "1", "done", "done", "1"]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="a second table of calls")
def test_numbers_of_another_table_are_refused(folder: Path, jail: Jail) -> None:
    done = leg(folder, jail, CALL.format(numbers={"x32 getpid": 0x40000000 + 39, "getpid": 39}))
    found = json.loads(done.stdout)
    assert found == {"x32 getpid": errno.EPERM, "getpid": 0}


@pytest.mark.parametrize("machine", sorted(calls.MACHINES))
@pytest.mark.parametrize("namespaces", [False, True])
def test_the_filter_in_a_small_machine_of_our_own(machine: str, namespaces: bool) -> None:
    """Each instruction carried out here, for both kinds of processors, over all numbers of calls."""
    kind = calls.MACHINES[machine]
    program = calls.program(namespaces=namespaces, machine=machine)
    lines = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    tables = {**calls.REFUSED, **({} if namespaces else calls.REFUSED_WITHOUT_NAMESPACES)}
    refused = {pair[kind.column] for pair in tables.values()}
    looked_at = {kind.clone, kind.unshare, kind.ioctl, kind.socket, kind.clone3, kind.fallocate}
    looked_at.add(kind.fcntl)
    assert len(lines) < 4096
    for number in range(600):
        if number not in looked_at:
            wanted = calls.REFUSE | errno.EPERM if number in refused else calls.ALLOW
            assert carried_out(lines, kind.audit, number) == wanted, number
    assert carried_out(lines, 0x40000003, 20) == calls.REFUSE | errno.EPERM, "the table of 32 bits"
    new = calls.ALLOW if namespaces else calls.REFUSE | errno.EPERM
    assert carried_out(lines, kind.audit, kind.clone, 0x10000000 | 17) == new
    assert carried_out(lines, kind.audit, kind.clone, 0x003D0F00) == calls.ALLOW, "a thread"
    assert carried_out(lines, kind.audit, kind.unshare, 0x20000) == new
    assert carried_out(lines, kind.audit, kind.clone3) == (
        calls.ALLOW if namespaces else calls.REFUSE | errno.ENOSYS
    )
    assert carried_out(lines, kind.audit, kind.fallocate) == (
        calls.ALLOW if namespaces else calls.REFUSE | errno.EOPNOTSUPP
    )
    for family in range(50):
        known = carried_out(lines, kind.audit, kind.socket, family) == calls.ALLOW
        assert known == (family in calls.SOCKET_FAMILIES)
    assert carried_out(lines, kind.audit, kind.ioctl, 0, 0x5412) == calls.REFUSE | errno.EPERM
    assert carried_out(lines, kind.audit, kind.ioctl, 0, 0x5413) == calls.ALLOW
    for code in (0x40305828, 0x4030582A, 0x40305839):
        assert carried_out(lines, kind.audit, kind.ioctl, 0, code) == calls.REFUSE | errno.EPERM
    assert carried_out(lines, kind.audit, kind.fcntl, 0, 1024) == calls.REFUSE | errno.EPERM
    assert carried_out(lines, kind.audit, kind.fcntl, 0, 1025) == calls.ALLOW
    assert calls.program(machine="riscv64") == b""


def carried_out(lines: list[tuple[int, int, int, int]], arch: int, number: int, *arguments: int) -> int:
    data = struct.pack("<IIQ6Q", number, arch, 0, *arguments, *[0] * (6 - len(arguments)))
    at = value = 0
    for _ in lines:
        code, yes, no, given = lines[at]
        at += 1
        if code == calls.RETURN:
            return given
        if code == calls.LOAD:
            (value,) = struct.unpack_from("<I", data, given)
        else:
            true = {
                calls.JUMP_EQUAL: value == given,
                calls.JUMP_AT_LEAST: value >= given,
                calls.JUMP_ANY_BIT: bool(value & given),
            }[code]
            at += yes if true else no
    raise AssertionError("it does not return")


def test_torch_processes_and_gloo_still_work(folder: Path, jail: Jail) -> None:
    (folder / "work.py").write_text("""
import os, sys
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
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = process.run(
        [sys.executable, "-B", "work.py"],
        # one thread each: a DataLoader's workers are forked, and a fork may catch torch's threads in a lock
        env={**env, "HOME": str(folder), "TMPDIR": str(folder), "OMP_NUM_THREADS": "1"},
        cwd=str(folder),
        seconds=240,
        jail=jail,
    )
    assert done.status == 0, done.output
    assert done.stdout.split("\n")[0] == "[8.0, 8.0] 84.0"


# What is missing is said


def test_without_bubblewrap_the_missing_guards_are_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = bare(folder, monkeypatch)
    assert left.words == () and left.filter
    assert left.missing == (sandbox.FILES, sandbox.PROCESSES, sandbox.SHM)
    done = process.run(
        [sys.executable, "-c", "pass"], env={}, cwd=str(folder), seconds=20, offline=True, jail=left
    )
    assert set(done.unguarded) - {sandbox.NETWORK} == set(left.missing)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_verdict_says_which_guards_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    found = torch_probe.Probe(sys.executable, "3.11.0", sys.platform, torch="2.13.0")
    monkeypatch.setattr(torch_probe, "probe", lambda interpreter: found)
    write_entry(tmp_path / "kb", "made-up", repro=script(GOOD))
    entry = load.load_knowledge([tmp_path / "kb"], {}).pitfalls["made-up"]
    for path in (os.environ["PATH"], str(tmp_path)):
        monkeypatch.setenv("PATH", path)
        result = confirm(entry, python=sys.executable, seconds=60)
        page = confirmation_markdown(result, entry, lang)
        assert result.verdict == "reproduces-here"
        named = [name for name in GUARDS if phrase(f"guard_{name}", lang) in page]
        assert named == [name for name in GUARDS if name in result.unguarded]
        assert confirmation_json(result)["unguarded"] == list(result.unguarded)
    assert {sandbox.FILES, sandbox.PROCESSES, sandbox.SHM} <= set(result.unguarded)
    assert "bubblewrap" in page


GUARDS = (
    *(sandbox.FILES, sandbox.NETWORK, sandbox.PROCESSES),
    *(sandbox.TREE, sandbox.SHM, sandbox.CALLS),
)


def test_a_kernel_that_takes_no_filter_is_told(folder: Path) -> None:
    """A program that the kernel refuses (its last line is no return) stands for a kernel without filters."""
    wrong = struct.pack("<HBBI", calls.LOAD, 0, 0, 0)
    done = leg(folder, Jail(filter=wrong), "print('ran')")
    assert (done.stdout, done.status, done.unguarded) == ("ran\n", 0, (sandbox.CALLS,))


def test_the_supervisor_is_closed_to_the_leg(folder: Path, jail: Jail) -> None:
    """Nobody but it writes the status, reads its memory, or finds its pipe to torchwhy."""
    if not jail.words and os.geteuid() == 0:
        pytest.skip("nothing is closed to root outside a jail")
    code = """
import os
def attempt(what):
    try:
        what()
        print("DONE")
    except OSError:
        print("no")
parent = os.getppid()
for number in range(20):
    if os.path.lexists(f"/proc/{parent}/fd/{number}"):
        attempt(lambda: open(f"/proc/{parent}/fd/{number}", "wb"))
attempt(lambda: open(f"/proc/{parent}/mem", "rb"))
attempt(lambda: open(f"/proc/{parent}/environ").read())
raise SystemExit(7)
"""
    done = leg(folder, jail, code)
    assert (set(done.stdout.split()), done.status) == ({"no"}, 7)


# As an ordinary user too

ATTACK = """
import json, os, socket, sys, tempfile
sys.path[:0] = {path!r}
from assistant.proof import process, sandbox
# Not /tmp itself: where the Python of the test lies there too, the leg sees that beside its folder.
folder = tempfile.mkdtemp() + "/leg"
os.mkdir(folder)
open(folder + "/../canary", "w").close()
jail = sandbox.jail(folder)
inside = '''
import ctypes, os
print(os.getuid())
for path in ("/etc/shadow", "/run", "/home", "/var", "/etc/ssh"):
    print(os.path.exists(path), end=" ")
print()
libc = ctypes.CDLL(None, use_errno=True)
print(libc.unshare(0x10000000), libc.mount(b"x", b"/tmp", b"tmpfs", 0, None), libc.ptrace(0, 0, 0, 0))
for path in ("/x", "/usr/x", "/tmp/x", "own"):
    try:
        open(path, "w").close(); print("written", end=" ")
    except OSError as error:
        print(error.errno, end=" ")
print()
print(os.listdir(os.path.dirname(os.getcwd())) == [os.path.basename(os.getcwd())])
print(len([name for name in os.listdir("/proc") if name.isdigit()]) <= 4)
'''
done = process.run([sys.executable, "-c", inside], env={{}}, cwd=folder, seconds=30, jail=jail)
print(json.dumps([bool(jail.words), done.stdout, done.stderr, done.status]))
"""


def as_user(who: str, code: str) -> subprocess.CompletedProcess[str]:
    """Run this Python code, a format with a `path`, as root or as an ordinary user."""
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    python, before = sys.executable, list[str]()
    if who == "root" and os.geteuid() != 0:
        pytest.skip("this test does not run as root")
    if who == "user" and os.geteuid() == 0:
        before = [shutil.which("setpriv") or "", "--reuid=65534", "--regid=65534", "--clear-groups"]
        python = next(
            (path for path in (f"/usr/bin/{name}", f"/usr/local/bin/{name}") if os.path.isfile(path)), ""
        )
        if not before[0] or not python:
            pytest.skip(f"no setpriv, or no {name} that every user may start")
    path = [str(ROOT), next(path for path in sys.path if path.endswith("site-packages"))]
    done = subprocess.run(
        [*before, python, "-B", "-c", code.format(path=path)],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
        cwd="/",
        check=False,
    )
    if done.returncode and "Error" in done.stderr and before:
        pytest.skip(f"an ordinary user cannot read this checkout: {done.stderr.splitlines()[-1]}")
    return done


HIDDEN = """
import json, os, shutil, sys, tempfile
sys.path[:0] = {path!r}
from assistant.proof import calls, process, sandbox
outer = tempfile.mkdtemp()
folder = outer + "/leg"
os.mkdir(folder)
jails = [sandbox.Jail(filter=calls.program()), sandbox.jail(folder)]
closed = "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE"
# a program that nobody may read is closed as well
again = '''
import os, shutil, sys
if not os.environ.get("AGAIN"):
    shutil.copy(os.path.realpath(sys.executable), "py")
    os.chmod("py", 0o111)
    os.environ.update(AGAIN="1", PYTHONHOME=sys.base_prefix)
    code = open("/proc/self/cmdline").read().split(chr(0))[2]
    os.execv("./py", ["./py", "-c", code])
'''
memory = '''
import os, time
kept = [os.memfd_create("x") for _ in range(3)]
for file in kept:
    for _ in range(90):
        os.write(file, bytes(1 << 20))
'''
files = "import os, time; kept = [os.dup(0) for _ in range(400)]"
disk = '''
import os, time
for name in "abc":
    file = os.open(name, os.O_CREAT | os.O_RDWR)
    os.unlink(name)
    for _ in range(50):
        os.write(file, bytes(1 << 20))
    os.fsync(file)
'''
busy = '''
import subprocess, time
until = time.monotonic() + 3
while time.monotonic() < until:
    some = [subprocess.Popen(["true"]) for _ in range(20)]
    time.sleep(0.05)
    [one.wait() for one in some]
'''
told = []
for jail in jails:
    def run(code):
        shutil.rmtree(folder)
        os.mkdir(folder)
        bounds = process.Bounds(200 << 20, 100, 300, 100 << 20, 300)
        words = [sys.executable, "-c", code]
        done = process.run(words, env=dict(os.environ), cwd=folder, seconds=20, bounds=bounds, jail=jail)
        return (done.reason or str(done.status)) + done.stderr
    hidden = [run(way + "\\n" + what + "\\ntime.sleep(5)") for way in (closed, again) for what in (memory, files, disk)]
    told.append([hidden, run(busy)])
shutil.rmtree(outer)
print(json.dumps(told))
"""


def test_no_leg_hides_what_it_holds() -> None:
    """One that is closed to its own user: its open files, and the bytes in them, counted as none."""
    done = as_user("user", HIDDEN)
    assert done.returncode == 0, done.stderr
    for hidden, busy in json.loads(done.stdout.splitlines()[-1]):
        assert [said.split(":")[0] for said in hidden] == ["process limit"] * 6, hidden
        assert busy == "0", "children that come and go are no hidden ones"


@pytest.mark.parametrize("who", ["root", "user"])
def test_the_attacks_as_root_and_as_an_ordinary_user(who: str) -> None:
    done = as_user(who, ATTACK)
    works, out, err, status = json.loads(done.stdout.splitlines()[-1])
    if not works:
        pytest.skip("bubblewrap is missing, or may not work for this user")
    assert status == 0, err
    uid, seen, called, written, alone, few = out.splitlines()
    assert int(uid) == (65534 if who == "user" and os.geteuid() == 0 else os.getuid())
    assert seen.split() == ["False"] * 5
    assert called.split() == ["-1"] * 3
    assert written.split() == [str(errno.EROFS)] * 3 + ["written"]
    assert (alone, few) == ("True", "True")


def test_no_process_of_the_jail_is_open_and_without_the_filter(folder: Path) -> None:
    """bubblewrap's own first process was: by /proc/1/mem a leg could write code into it, which called what it liked."""
    code = """
import os
for pid in filter(str.isdigit, os.listdir("/proc")):
    if pid != str(os.getpid()):
        try:
            os.close(os.open(f"/proc/{pid}/mem", os.O_RDWR))
            print("OPENED", pid, open(f"/proc/{pid}/comm").read())
        except OSError as error:
            print(pid, error.errno)
"""
    assert leg(folder, jailed(folder), code).stdout == f"1 {errno.EACCES}\n"


def test_what_the_kernel_tells_root_is_not_there(folder: Path) -> None:
    code = f"import os\nprint([name for top in {sandbox.SYS_HIDDEN!r} if os.path.isdir(top) for name in os.listdir(top)])"
    assert leg(folder, jailed(folder), code).stdout == "[]\n"


def test_what_is_hidden_takes_no_file(folder: Path) -> None:
    """A folder in memory lies over it: it would take half of the machine's, which counts as nobody's."""
    code = f"""
import os
for top in filter(os.path.isdir, {sandbox.SYS_HIDDEN!r}):
    try:
        open(top + "/x", "w").close()
        print("WRITTEN", top)
    except OSError as error:
        if error.errno != {errno.EROFS}:
            print(top, error)
"""
    assert leg(folder, jailed(folder), code).output.strip() == ""


def test_children_are_no_way_around_the_filter(folder: Path, jail: Jail) -> None:
    """The filter binds what is started later, too."""
    number = numbers(calls.REFUSED)["keyctl"] if platform.machine() in calls.MACHINES else 0
    code = f"import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', {CALL.format(numbers={'keyctl': number})!r}], capture_output=True, text=True).stdout)"
    assert json.loads(leg(folder, jail, code).stdout) == {"keyctl": errno.EPERM}


def test_a_jail_that_cannot_be_made_is_no_failure_of_the_script(tmp_path: Path) -> None:
    """As where a device goes while scripts run: each had been "killed by SIGKILL", which no script was."""
    broken = Jail(("/bin/sh", "-c", "echo cannot mount >&2; exit 1"))
    with pytest.raises(OSError, match="jail could not be made: cannot mount"):
        process.run(
            [sys.executable, "-c", "pass"], env=dict(os.environ), cwd=str(tmp_path), seconds=60, jail=broken
        )
