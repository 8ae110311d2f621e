"""`torchwhy check --build FILE`: the program itself, run here for some seconds in a folder of its own."""

from __future__ import annotations

import argparse
import contextlib
import json
import linecache
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.cli.output import tell
from torchwhy.cli.setup import make_assistant, page_lang
from torchwhy.errors import UsageError
from torchwhy.lint.finding import Finding
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped

from .run import python_here

if TYPE_CHECKING:
    from torchwhy.run.diagnosis import FailedRun
    from torchwhy.runtime.json_types import JSONObject

CHILD = Path(__file__).parents[1] / "run" / "child" / "build.py"
# As `hooks.py`, by a name that no traceback takes for a file of the program's.
START = f"""
path = {str(CHILD)!r}
code = compile(open(path).read(), "<frozen importlib._bootstrap: torchwhy build>", "exec")
exec(code, {{"__name__": "__main__", "__file__": path}})
"""
WHOLE_S = 8.0  # that a program runs as it is, before its loops are cut
LIMIT_S = 60.0  # of the whole run
KEPT, KEPT_AGAIN = 2, 3  # iterations of a loop that is cut, beside its last
MAX_LINKS = 10_000  # of the current folder
ENV = {
    "CUDA_VISIBLE_DEVICES": "",
    "HIP_VISIBLE_DEVICES": "",
    "MPLBACKEND": "Agg",
    "HF_HUB_OFFLINE": "1",
    "WANDB_MODE": "disabled",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "TORCHWHY_RUN_TRY": "off",
}


class Built(NamedTuple):
    """One run of a program; `told`: what its child left behind, empty where it left nothing."""

    status: int | None
    failed: FailedRun
    told: JSONObject


def build_findings(args: argparse.Namespace) -> list[Finding]:
    """What the program raises here, if an entry knows it; how far it came is said on standard error."""
    file, *words = args.paths
    if not file.endswith(".py") or not os.path.isfile(file):
        raise UsageError(f"--build runs one program, and {escaped(file)} is none: check --build train.py")
    if os.name != "posix":
        raise UsageError("--build needs Linux or macOS")
    lang = page_lang(args)
    tell(phrase("build_runs", lang, file=file))
    built = run_built(file, words, KEPT, args.gpu)
    found = finding_of(args, built)
    if found is not None and built.told.get("cut"):  # what is raised because of a cut changes with it
        again = finding_of(args, run_built(file, words, KEPT_AGAIN, args.gpu))
        if again != found:
            found, built = None, built._replace(told={**built.told, "reason": phrase("build_cut", lang)})
    told = end_words(built.told, found is not None, file, lang)
    if told:
        tell(told)
    return [found] if found else []


def end_words(told: JSONObject, is_found: bool, file: str, lang: str) -> str:
    """How far the program came, where that is not its end."""
    if not told:
        return phrase("build_lost", lang)
    reason = str(told["reason"])
    if not reason or is_found:
        return ""
    reached = phrase("build_reached", lang, reached=str(told["reached"]), loops=str(told["loops"]))
    reason = phrase("build_time", lang) if reason == "time" else reason
    return phrase("build_stopped", lang, reached=reached, place=f"{file}:{told['line']}", reason=reason)


def run_built(file: str, words: Sequence[str], kept: int, gpu: bool) -> Built:
    """The program run once, in a folder of links to what lies in the current one."""
    from torchwhy.proof import process
    from torchwhy.run.diagnosis import failed_run
    from torchwhy.run.environment import child_environment, given_environment
    from torchwhy.run.passing import CommandEnd

    with contextlib.ExitStack() as stack:
        notes, links = (
            os.path.realpath(stack.enter_context(tempfile.TemporaryDirectory(prefix="torchwhy-build-")))
            for _ in range(2)
        )
        here = os.getcwd()
        for entry in list(os.scandir(here))[:MAX_LINKS]:
            os.symlink(entry.path, os.path.join(links, entry.name))
        inside = os.path.relpath(os.path.abspath(file), here)
        program = os.path.abspath(file) if inside.startswith(os.pardir) else inside
        env = child_environment({**given_environment(), **ENV, "TMPDIR": notes}, notes)
        if gpu:
            env["TORCHWHY_RUN_GPU"] = "1"
        numbers = (str(WHOLE_S), str(kept), str(LIMIT_S))
        done = process.run(
            [shutil.which(python_here()) or sys.executable, "-c", START, notes, *numbers, program, *words],
            env=env,
            cwd=links,
            seconds=LIMIT_S + process.END_TIMEOUT_S,
            memory=process.default_memory(),
        )
        for path in Path(notes).glob("crash-*.json"):
            path.write_text(path.read_text("utf-8").replace(links, here), "utf-8")
        told = {}
        with contextlib.suppress(OSError, ValueError):
            told = json.loads(Path(notes, "build.json").read_text("utf-8").replace(links, here))
        if done.reason:
            told = {"reached": 0, "loops": 0, "line": 0, **told, "reason": done.reason, "unknown": True}
        end = CommandEnd(done.status or 0, done.stderr.replace(links, here))
        return Built(done.status, failed_run(end, [file, *words], notes), told)


def finding_of(args: argparse.Namespace, built: Built) -> Finding | None:
    """The error as a finding, by the entry that `torchwhy run` answers with; None without one."""
    from torchwhy.answers.screen import screen_of

    run, told = built.failed, built.told
    if not built.status or not told or told["unknown"] or run.frame is None:
        return None
    frame, lang = run.frame, page_lang(args)
    assistant = make_assistant(args, lang=lang)
    answer = assistant.ask(run.text, source=True, operands=frame.operands, python=run.python)
    if answer.match is None:
        return None
    screen = screen_of(answer)
    fix = (screen.change.text or screen.change.code) if screen.change else ""
    fix = fix or screen.says or phrase("build_fix", lang, id=answer.match.id)
    text = linecache.getline(frame.file, frame.line).rstrip("\n")
    start, end = frame.columns or (0, len(frame.code))
    start, end = (
        len(text) - len(text.lstrip()) + (at if at >= 0 else len(frame.code)) + 1 for at in (start, end)
    )
    message = phrase("build_raises", lang, message=screen.message)
    says, does = ({lang: " ".join(each.split())} for each in (message, fix))
    file = frame.place().rpartition(":")[0]
    return Finding(answer.match.id, file, frame.line, start, frame.line, end, "wrong", says, does, text)
