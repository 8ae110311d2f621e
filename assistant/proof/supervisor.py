"""The process between torchwhy and a leg (Linux): `python -I -S supervisor.py CONTROL STATUS online|offline
LARGEST FILTER COMMAND...`, LARGEST the bytes that one file of the leg may hold (0: any), FILTER the program
that refuses system calls to it, in hexadecimal digits ("-": none).

In a jail it is the first process of its namespace: no signal of the leg reaches it, SIGKILL included. It
adopts every orphan of the leg (a "child subreaper"), so a child that left its process group or session is
ended too; and it ends all of them when CONTROL is closed, which the kernel does even if torchwhy itself dies
by SIGKILL. Where some could not be ended, it exits with 3. STATUS gets `here` before the command is started
(without it, the jail around this process could not be made), and a line at its end: `exit N`, `signal N`, or
`error ERRNO` where the command could not be started; behind it the guards that could not be set (`network`,
`calls`). Run as a script: it imports the standard library alone and starts in some 30 ms.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import select
import signal
import socket
import struct
import sys
import time

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = (
    1,
    4,
    22,
    36,
    38,
)
SECCOMP_MODE_FILTER = 2
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
# said by the child of a guard that could not be set, or not cleanly
NO_NETWORK_HERE, NO_FILTER_HERE = "network", "calls"
UNENDED = 3  # exit status where processes are left
KILL_TIMEOUT_S = 20.0  # a process that holds a GPU may take some to die

libc = ctypes.CDLL(None, use_errno=True)


def cut_network() -> bool:
    """Move this process to a network of its own with nothing but `lo`. False where that is not allowed.

    A real root needs no user namespace, and better has none: there, files of other users would become
    unreadable. Some systems let a user make the namespace and then forbid to set `lo` up in it: False as
    well.
    """
    uid, gid = os.geteuid(), os.getegid()
    try:
        if libc.unshare(CLONE_NEWNET) != 0:
            if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
                return False
            for name, text in (
                ("setgroups", "deny"),
                ("uid_map", f"{uid} {uid} 1"),
                ("gid_map", f"{gid} {gid} 1"),
            ):
                with open(f"/proc/self/{name}", "w") as file:
                    file.write(text)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
            request = struct.pack("16sH14x", b"lo", 0)
            flags = struct.unpack("16sH14x", fcntl.ioctl(opened, SIOCGIFFLAGS, request))[1]
            fcntl.ioctl(opened, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))
    except OSError:
        return False
    return True


class Program(ctypes.Structure):
    """struct sock_fprog of the kernel: how many instructions, and where they are."""

    _fields_ = (("count", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse_calls(filter: bytes) -> bool:
    """Refuse system calls to this process and all that it starts, for good; False where the kernel cannot."""
    program = Program(len(filter) // 8, filter)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) == 0)


def start(command: list[str], offline: bool, largest: int, filter: bytes) -> tuple[int, str]:
    """Fork and run the command; returns (pid, ""), or (0, what went wrong)."""
    told, say = os.pipe()  # closed by a successful exec
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()  # a leg that kills its own group must not kill this process
            if offline and not cut_network():
                os.write(say, NO_NETWORK_HERE.encode())
                os._exit(0)
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            bound_files(largest)
            leave_no_core()
            take_no_processor()
            if filter and not refuse_calls(filter):
                os.write(say, NO_FILTER_HERE.encode())
                os._exit(0)
            for number in (
                signal.SIGPIPE,
                signal.SIGXFSZ,
            ):  # Python ignores these; a leg starts as from a shell
                signal.signal(number, signal.SIG_DFL)
            os.execvp(command[0], command)  # noqa: S606
        except OSError as error:
            os.write(say, str(error.errno or errno.EIO).encode())
        finally:
            os._exit(127)
    os.close(say)
    with os.fdopen(told) as file:
        wrong = file.read()
    if wrong:
        os.waitpid(pid, 0)
        return 0, wrong
    return pid, ""


def bound_files(largest: int) -> None:
    """Let no file grow beyond that many bytes (0: any), or beyond the user's own limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    limits = [limit for limit in (largest or resource.RLIM_INFINITY, soft) if limit != resource.RLIM_INFINITY]
    if limits:
        resource.setrlimit(resource.RLIMIT_FSIZE, (min(limits), hard if hard == min(limits) else min(limits)))


def leave_no_core() -> None:
    """Write no memory of a crash, be it a file or what the system pipes to a program: that is stopped by a
    limit of 1, not by one of 0.
    """
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    limit = 0 if hard == 0 else 1
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))


def take_no_processor() -> None:
    """Go before no other program, where the user may (audio and robots): a leg of real time stops them."""
    for kind in (resource.RLIMIT_RTPRIO, resource.RLIMIT_NICE):
        resource.setrlimit(kind, (0, 0))


def end_first() -> None:
    """Where memory runs out, let the kernel end this and the leg before anything else."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass


def children(parent: int) -> list[int]:
    """Ids of a process's children (for this process, orphans that it adopted included)."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{parent}/task"):
            with open(f"/proc/{parent}/task/{task}/children") as file:
                found += [int(word) for word in file.read().split()]
    except OSError:  # it is gone, or this kernel has no CONFIG_PROC_CHILDREN
        if parent != os.getpid():
            return found
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == parent:
                        found.append(int(name))
            except (OSError, IndexError, ValueError):
                continue
    return found


def end_all() -> bool:
    """Kill all descendants until none is left; False where some are after KILL_TIMEOUT_S.

    In each round all generations are killed, from the top: those of a fork bomb multiply faster than their
    parents could be followed one generation at a time.
    """
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)  # as root: before thousands that want the processor as well
    except OSError:
        pass
    deadline = time.monotonic() + KILL_TIMEOUT_S
    while time.monotonic() < deadline:
        todo = children(os.getpid())
        while todo and time.monotonic() < deadline:
            pid = todo.pop()
            below = children(pid)
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
            todo += below
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        time.sleep(0.005)
    return False


def main() -> None:
    control, status, network, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[6:]
    largest, filter = int(sys.argv[4]), b"" if sys.argv[5] == "-" else bytes.fromhex(sys.argv[5])
    # As the first process of its namespace it hears no signal without a handler; Python sets one for this.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_first()
    # What is not dumpable has its memory and its descriptors closed to other processes of the same user.
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.set_inheritable(control, False)
    os.set_inheritable(status, False)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    os.write(status, b"here\n")
    unset: list[str] = []
    pid, wrong = start(command, network == "offline", largest, filter)
    while wrong in (NO_NETWORK_HERE, NO_FILTER_HERE) and wrong not in unset:
        unset.append(wrong)
        offline = network == "offline" and NO_NETWORK_HERE not in unset
        pid, wrong = start(command, offline, largest, b"" if NO_FILTER_HERE in unset else filter)
    if wrong:
        os.write(status, f"error {wrong}\n".encode())
        return
    # Both outputs belong to the leg alone: a pipe ends when its last writer is gone.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    ended = False
    while not ended and control not in select.select([control, woken], [], [])[0]:
        os.read(woken, 4096)
        try:
            while not ended:
                gone, raw = os.waitpid(-1, os.WNOHANG)
                if gone == 0:
                    break
                ended = gone == pid
        except ChildProcessError:
            break
        if ended:
            text = f"signal {os.WTERMSIG(raw)}" if os.WIFSIGNALED(raw) else f"exit {os.WEXITSTATUS(raw)}"
            os.write(status, f"{' '.join([text, *unset])}\n".encode())
    if not end_all():
        sys.exit(UNENDED)


if __name__ == "__main__":
    main()
