"""Programs run under the watch, each in a process forked from one that has imported torch, or in a fresh one."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support.legs import legs, line_to_name

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(Path(__file__).parent.glob("programs/*/*.py"))
CORRECT = sorted(Path(__file__).parent.glob("correct/*.py"))

# What programs made, until their process ends: with the last DDP torch joins a thread while it holds the GIL,
# which that thread may want for the context of the last backward (so it hangs without the watch as well).
_ended: list[dict[str, object]] = []
# The first line of a program whose tensors are taken for those of an accelerator: there is none in a test.
CPU_AS_ACCELERATOR = "# accelerator: cpu"


def leg(path: Path, folder: Path, mark: str) -> tuple[Path, int]:
    """One of the two programs as a file, and the line to be named."""
    text = legs(path.read_text())[mark == "fixed"]
    program = folder / path.name
    program.write_text(text)
    return program, line_to_name(text)


def guards(root: Path = ROOT) -> list[str]:
    return sorted(map(str, root.glob("kb/*/*/guard.py")))


FRESH = """
import json, sys
from pathlib import Path
from tests.watch.watching import _run
path, words, folder, chosen = json.loads(sys.argv[1])
_run(Path(path), words, folder, chosen)
"""


def watch_program(
    path: Path, words: Sequence[str] = (), chosen: Sequence[str] | None = None, *, fresh: bool = False
) -> list[dict[str, Any]]:
    """What the guards told of a program: findings, and `off` of a guard that failed.

    `fresh`: in a process of its own. What is told by its share of the memory that the process holds is
    nothing beside the gigabytes of a worker that has run thousands of tests.
    """
    if fresh:
        with tempfile.TemporaryDirectory() as folder:
            given = json.dumps([str(path), list(words), folder, guards() if chosen is None else list(chosen)])
            subprocess.run([sys.executable, "-c", FRESH, given], cwd=ROOT, check=True)
            return _told_in(folder)

    import torch._dynamo  # noqa: F401 (the first optimizer imports it, in seconds: once, before the fork)

    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if not child:
            status = 1
            try:
                sys.settrace(None)  # of coverage, which would be taken for a debugger's
                _run(path, words, folder, guards() if chosen is None else chosen)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0, path
        return _told_in(folder)


def watch_in_clone(root: Path, program: Path) -> list[dict[str, Any]]:
    """What is told of a program by a clone at `root`, with an environment inside; both are links."""
    import torch

    for name in ("assistant", "kb", "tests"):
        (root / name).symlink_to(ROOT / name)
    site = root / ".venv" / "lib" / "python3" / "site-packages"
    site.parent.mkdir(parents=True)
    site.symlink_to(Path(torch.__file__).parents[1])
    with tempfile.TemporaryDirectory() as folder:
        given = json.dumps([str(program), [], folder, guards(root)])
        env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'assistant'}{os.pathsep}{site}"}
        subprocess.run([sys.executable, "-c", FRESH, given], cwd=root, env=env, check=True)
        return _told_in(folder)


def _told_in(folder: str) -> list[dict[str, Any]]:
    lines = [line for one in Path(folder).glob("*.jsonl") for line in one.read_text().splitlines()]
    return [json.loads(line) for line in lines]


def _run(path: Path, words: Sequence[str], folder: str, chosen: Sequence[str]) -> None:
    import warnings

    import torch

    from torchwhy.run.child.hooks import load_own

    warnings.resetwarnings()  # pytest makes errors of them
    torch.set_num_threads(1)
    sys.argv = [str(path), *words]
    number = os.open(os.devnull if "WATCH_SHOW" not in os.environ else "/dev/stderr", os.O_WRONLY)
    os.dup2(number, 1)
    watch = load_own("watch")  # as a run does it
    if path.read_text().startswith(CPU_AS_ACCELERATOR):
        sys.modules["torchwhy_watch_values"].on_accelerator = lambda tensor: True  # type: ignore[attr-defined]
    watched = watch.Watch(watch.load_guards(chosen), watch.Files(folder).tell, folder=folder).start()
    try:
        _ended.append(runpy.run_path(str(path), run_name="__main__"))
    except SystemExit:
        pass
    except Exception as error:
        watch.Files(folder).tell({"off": "program", "message": repr(error)})
    finally:
        watched.stop()
