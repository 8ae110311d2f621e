"""The process between torchwhy and a leg (Linux): `python -I -S leg.py CONTROL STATUS online|offline COMMAND...`.

It adopts every orphan of the leg (a "child subreaper"), so a child that left its process group or session is ended
too; and it ends all of them when CONTROL is closed, which the kernel does even if torchwhy itself dies by SIGKILL.
STATUS gets one line: `exit N`, `signal N`, or `error ERRNO` where the command could not be started.
Run as a script: it imports the standard library alone and starts in some 30 ms.
"""

import ctypes
import errno
import fcntl
import os
import select
import signal
import socket
import struct
import sys
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
NO_NETWORK_HERE = "network"  # said by the child where it could not be cut off, or not cleanly
PATIENCE = 20.0  # seconds; a process that holds a GPU may take some to die

libc = ctypes.CDLL(None, use_errno=True)


def cut_network() -> bool:
    """Move this process to a network of its own with nothing but `lo`. False where that is not allowed.

    A real root needs no user namespace, and better has none: there, files of other users would become unreadable.
    Some systems let a user make the namespace and then forbid to set `lo` up in it: False as well.
    """
    uid, gid = os.geteuid(), os.getegid()
    try:
        if libc.unshare(CLONE_NEWNET) != 0:
            if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
                return False
            for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
                with open(f"/proc/self/{name}", "w") as file:
                    file.write(text)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
            request = struct.pack("16sH14x", b"lo", 0)
            flags = struct.unpack("16sH14x", fcntl.ioctl(opened, SIOCGIFFLAGS, request))[1]
            fcntl.ioctl(opened, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))
    except OSError:
        return False
    return True


def start(command: list[str], offline: bool) -> tuple[int, str]:
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
            for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these; a leg starts as from a shell
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


def children() -> list[int]:
    """Ids of this process's direct children (orphans that it adopted included)."""
    own = os.getpid()
    try:
        with open(f"/proc/self/task/{own}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:  # a kernel without CONFIG_PROC_CHILDREN
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == own:
                        found.append(int(name))
            except (OSError, IndexError, ValueError):
                continue
        return found


def end_all() -> None:
    """Kill children until none is left: the children of each one killed become ours in turn."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for pid in children():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def main() -> None:
    control, status, network, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
    os.set_inheritable(control, False)
    os.set_inheritable(status, False)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    pid, wrong = start(command, network == "offline")
    if wrong == NO_NETWORK_HERE:
        pid, wrong = start(command, False)
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
            os.write(status, f"{text}\n".encode())
    end_all()


if __name__ == "__main__":
    main()
