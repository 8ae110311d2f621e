"""The stacks of other processes by py-spy, where that is installed: with native frames, without the hook."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from torchwhy.runtime.json_types import JSONObject
from torchwhy.runtime.system import program

TIMEOUT_S = 15  # with native frames it reads the symbols of libtorch
AT_ONCE = 4


def dumps(pids: Sequence[int]) -> dict[int, str]:
    """What each process does, by its number, as faulthandler would write it: the main thread first, of each
    thread the innermost frame first.

    Left out are processes that py-spy may not look into (another user's, a kernel that forbids it), and those
    that are no Python that it knows.
    """
    tool = program("py-spy")
    if tool is None or not pids:
        return {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        texts = pool.map(lambda pid: _dump(tool, pid), pids)
        return {pid: text for pid, text in zip(pids, texts, strict=True) if text}


def _dump(tool: str, pid: int) -> str:
    for more in (["--native"], []):  # not every system has native frames
        with suppress(OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
            done = subprocess.run(
                [tool, "dump", "--json", *more, "--pid", str(pid)],
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
            )
            if done.returncode == 0:
                return text_of(json.loads(done.stdout), pid)
    return ""


def text_of(threads: Sequence[JSONObject], pid: int) -> str:
    """What `py-spy dump --json` wrote, in faulthandler's form with the threads' names.

    Raises KeyError, TypeError or ValueError where it has another form.
    """
    blocks = []
    for thread in sorted(threads, key=lambda thread: thread.get("os_thread_id") != pid):
        does = "runs" if thread["active"] else "waits"
        main = thread.get("os_thread_id") == pid
        # only a program that imports threading has names
        name = thread.get("thread_name") or ("MainThread" if main else thread["thread_id"])
        lines = [f'Thread "{name}" {does} (most recent call first):']
        blocks.append("\n".join(lines + [_frame(frame) for frame in thread["frames"]]))
    return "\n\n".join(blocks)


def _frame(frame: JSONObject) -> str:
    if not frame["line"]:
        return f"  native {frame['name']} ({frame['short_filename'] or frame['filename']})"
    if frame.get("module"):  # a C function whose library has line numbers
        return f"  native {frame['name']} ({frame['short_filename']}:{int(frame['line'])})"
    function = str(frame["name"]).rpartition(".")[2]  # as faulthandler has it
    return f'  File "{frame["filename"]}", line {int(frame["line"])} in {function}'
