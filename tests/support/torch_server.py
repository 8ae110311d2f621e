"""A process that has imported torch once and is forked for each leg that it is asked for: `import torch` takes longer than most legs.

Started by `forked.py`. A request is a line of JSON on standard input, its answer a line on standard output. The fork sees what a
process of its own would see: its script as `__main__`, its environment, folder, arguments and outputs, a session of its own.
"""

from __future__ import annotations

import gc
import io
import json
import os
import random
import runpy
import signal
import sys
import tempfile
import time
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

POLL_S = 0.005


def run_leg(
    script: str,
    words: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    seconds: float,
    torn_down: bool = True,
) -> dict[str, object]:
    """Fork, run the script there, and wait: `status` (negative: a signal; None: still running after `seconds`) and `seconds`.

    `torn_down`: the interpreter and torch end as always, which takes longer than a small program.
    """
    begun = time.monotonic()
    child = os.fork()
    if not child:
        try:
            run_as_main(script, words, folder, environment)
        except SystemExit as end:
            if torn_down:
                raise
            os._exit(end.code if isinstance(end.code, int) else int(bool(end.code)))
    status = None
    while status is None and time.monotonic() - begun < seconds:
        ended, code = os.waitpid(child, os.WNOHANG)
        if ended:
            status = os.waitstatus_to_exitcode(code)
        else:
            time.sleep(POLL_S)
    took = time.monotonic() - begun
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it started, too
    if status is None:
        os.waitpid(child, 0)
    return {"status": status, "seconds": took}


def run_as_main(script: str, words: Sequence[str], folder: str, environment: Mapping[str, str]) -> None:
    """Become the process that `python -B script words...` would be; ends by SystemExit, so that torch's own ends run as always."""
    os.setsid()
    for number, name in enumerate((os.devnull, f"{folder}/stdout", f"{folder}/stderr")):
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin = sys.__stdin__ = open(  # type: ignore[misc] # noqa: SIM115
        0, encoding="utf-8", closefd=False
    )
    sys.stdout = sys.__stdout__ = _unbuffered(1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _unbuffered(2)  # type: ignore[misc]
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    tempfile.tempdir = None
    _seed()
    sys.argv = [script, *words]
    sys.path[0] = os.path.dirname(script)
    main = types.ModuleType("__main__")
    main.__file__ = script
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    if "TORCHWHY_RUN_FOLDER" in environment:
        _start_hooks()
    try:
        exec(compile(Path(script).read_bytes(), script, "exec"), main.__dict__)
    except Exception as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next  # without this frame
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)
    sys.exit(0)


def _start_hooks() -> None:
    """What a start of Python below `torchwhy run` arranges by its sitecustomize."""
    first = os.environ["PYTHONPATH"].split(os.pathsep)[0]
    hooks = runpy.run_path(str(Path(first).parent / "hooks.py"), run_name="torchwhy_hooks")
    hooks["start"]()


def _unbuffered(number: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.FileIO(number, "w", closefd=False), encoding="utf-8", write_through=True)  # type: ignore[arg-type]


def _seed() -> None:
    """Two forks of one process would draw the same random numbers."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def serve() -> None:
    import torch
    import torch.utils.data

    with suppress(ImportError):  # since torch 2.0
        import torch._dynamo  # noqa: F401

    gc.freeze()  # a collection in a fork would copy every page of torch's objects
    for line in sys.stdin:
        print(json.dumps(run_leg(**json.loads(line))), flush=True)


if __name__ == "__main__":
    serve()
