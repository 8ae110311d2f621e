"""Proving a diagnosis: run an entry's repro, both legs, each in a fresh process, and judge what they show.

The verdict never says "proved in your program": a repro shows that this machine fails this way.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

from . import environment, gpus, isolation, sandbox
from .cleaning import plain
from .confirm_types import Confirmation, Leg, Verdict
from .errors import ConfirmError
from .patterns import compile_pattern
from .process import Finished, run
from .types import Pitfall

CANNOT_RUN = 125
UNSET = (
    "PYTHONWARNINGS", "PYTHONOPTIMIZE", "CUDA_LAUNCH_BLOCKING", "TORCH_LOGS", "TORCH_SHOW_CPP_STACKTRACES",
    "FORCE_COLOR", "PYTHONSTARTUP", "PYTHONDONTWRITEBYTECODE",
    "NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "PYTORCH_NO_CUDA_MEMORY_CACHING", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF",  # a leg has only `lo`
)  # fmt: skip


MESSAGE = re.compile(r"^\S*(?:Error|Exception|Exit|Warning|Failed|Unsupported)\b: |: \w*Warning: |Assertion ")


def signature_of(entry: Pitfall, text: str) -> tuple[int, str] | None:
    """The entry's first signature that `text` shows: (its number, the lines around the match)."""
    for number, signature in enumerate(entry.signatures):
        if signature.context is not None and not compile_pattern(signature.context).search(text):
            continue
        lines = [_lines_around(text, found.start(), found.end()) for found in compile_pattern(signature.pattern).finditer(text)]
        if lines:
            said = [line for line in lines if MESSAGE.search(line)]  # a traceback also shows the code that holds the text
            return number, (said or lines)[-1]
    return None


def _lines_around(text: str, start: int, end: int) -> str:
    after = text.find("\n", end)
    return text[text.rfind("\n", 0, start) + 1 : after if after >= 0 else len(text)].strip()


def confirm(
    entry: Pitfall,
    *,
    python: str | None = None,
    paste: str | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    on_event: Callable[[str, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Confirmation:
    """Run both legs of `entry`'s repro with `python` (default: found from the paste and the environment).

    `memory` bounds what a leg's processes hold, in bytes (default: from what is available here). `on_event(kind, text)`
    hears of progress: ("leg", name), ("line", output line). Raises ConfirmError where no Python can be started at all.
    """
    located = environment.locate(python, paste)
    interpreter = located.path
    told = Confirmation(entry.id, "cannot-run", "", (), interpreter, chosen=located.chosen, missed=located.missed)
    if entry.no_repro is not None:
        return replace(told, reason=f"this entry has no repro: {entry.no_repro.en}")
    probe = environment.probe(interpreter)
    told = replace(told, torch=probe.torch, cuda=probe.cuda, device=probe.device)
    unmet = environment.unmet(entry.needs, probe)
    if unmet:
        return replace(told, reason=unmet)
    found = gpus.read().gpus if probe.gpus else ()
    chosen, refusal = isolation.choose_gpu(entry.needs, found, os.environ)
    if refusal:
        return replace(told, reason=refusal)
    if "CUDA_VISIBLE_DEVICES" in chosen:
        first = chosen["CUDA_VISIBLE_DEVICES"].split(",")[0]
        told = replace(told, device=next((gpu.name for gpu in found if first and first in (gpu.uuid, str(gpu.index))), None))
    memory = isolation.default_memory() if memory is None else memory
    limit = seconds if seconds is not None else entry.needs.seconds
    pasted = signature_of(entry, plain(paste)) if paste else None
    legs: list[Leg] = []
    for name in ("broken", "fixed"):
        if on_event:
            on_event("leg", name)
        leg = run_leg(entry, name, interpreter, limit, on_event, cancelled, memory=memory, more=chosen)  # type: ignore[arg-type]
        legs.append(leg)
        if name == "broken" and leg.shows != "shown":
            break
    verdict, reason = judge(tuple(legs), pasted[0] if pasted else None)
    return replace(told, verdict=verdict, reason=reason, legs=tuple(legs), paste_signature=pasted[0] if pasted else None)


def run_leg(
    entry: Pitfall,
    name: Literal["broken", "fixed"],
    interpreter: str,
    seconds: float,
    on_event: Callable[[str, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    *,
    memory: int | None = None,
    more: Mapping[str, str] | None = None,
) -> Leg:
    """Run one leg in a fresh process and a temporary folder, and say what it shows. `more` joins its environment.

    What runs is a copy of the script there, named repro.py as well: a script that writes to its own file, or beside
    it, changes nothing that stays. Raises ConfirmError where nothing can be started.
    """
    assert entry.repro is not None
    try:
        with tempfile.TemporaryDirectory(prefix="torchwhy-", ignore_cleanup_errors=True) as folder:
            script = os.path.join(folder, "script", "repro.py")  # not in the current folder: what a leg leaves there is not imported
            os.mkdir(os.path.dirname(script))
            shutil.copyfile(entry.repro, script)
            command = [os.path.abspath(interpreter), "-B", script, *(["--fixed"] if name == "fixed" else [])]
            on_line = (lambda line: on_event("line", plain(line))) if on_event else None
            before = sandbox.prefix(folder)
            finished = run(
                command, env={**leg_environment(folder), **(more or {})}, cwd=folder, seconds=seconds, memory=memory, offline=not before,
                before=before, on_line=on_line, cancelled=cancelled,
            )  # fmt: skip
    except OSError as error:
        raise ConfirmError(f"the {name} leg of {entry.id} cannot be started with {interpreter}: {error}") from error
    return judge_leg(entry, name, finished)


def leg_environment(folder: str) -> dict[str, str]:
    """The user's environment without what changes messages, with temporary caches and folders.

    HOME stays (packages may lie under it); what would be cached below it goes to `folder`, so that a home that cannot
    be written does no harm.
    """
    env = {key: value for key, value in environment.child_env(os.environ).items() if key not in UNSET}
    env.update(
        PYTHONUTF8="1", LC_ALL="C.UTF-8", PYTHONUNBUFFERED="1", TMPDIR=folder, TEMP=folder, TMP=folder,
        TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "inductor"), TRITON_CACHE_DIR=os.path.join(folder, "triton"),
        TORCH_EXTENSIONS_DIR=os.path.join(folder, "extensions"), CUDA_CACHE_PATH=os.path.join(folder, "cuda"), XDG_CACHE_HOME=os.path.join(folder, "cache"),
        TORCHINDUCTOR_COMPILE_THREADS="1", HF_HUB_OFFLINE="1", NO_COLOR="1",
    )  # fmt: skip
    return env


def judge_leg(entry: Pitfall, name: Literal["broken", "fixed"], finished: Finished) -> Leg:
    """What a leg shows is decided by its output and status together (the table in the design)."""
    output = plain(finished.output)
    numbers = last_object(finished.stdout)

    def leg(shows: str, message: str = "", signature: int | None = None, reason: str = "") -> Leg:
        return Leg(name, shows, finished.status, finished.seconds, output, message, signature, numbers, reason)

    if finished.status is None:
        return leg("timeout" if finished.reason.startswith("still") else "cannot-run", reason=finished.reason)
    if finished.status == CANNOT_RUN:
        lines = [line for line in finished.stderr.splitlines() if line.strip()]
        return leg("cannot-run", reason=lines[-1].strip() if lines else "the script says that it cannot run here")
    symptom = re.search(r"(?m)^symptom: .*$", output)
    own = signature_of(entry, output)
    if entry.kind == "silent":
        if symptom and finished.status == 1 and entry.symptom and compile_pattern(entry.symptom).search(symptom[0]):
            return leg("shown", symptom[0])
    elif (own and entry.kind == "error" and finished.status != 0) or (own and entry.kind == "warning" and finished.status in (0, 1)):
        return leg("shown", own[1], own[0])
    if finished.status == 0 and not symptom and (own is None or entry.kind == "silent"):
        return leg("clean")
    if _never_started(output):
        return leg("unloadable", reason=last_error(output))
    return leg("different", reason=last_error(output) or f"exit status {finished.status}")


def _never_started(output: str) -> bool:
    """Whether the script failed while it was loaded: a traceback through its module level alone, or a SyntaxError."""
    functions = re.findall(r'File "[^"\n]*repro\.py", line \d+(?:, in (.+))?', output)
    return bool(functions) and all(name in ("<module>", "") for name in functions)


def last_object(stdout: str) -> dict[str, Any] | None:
    """The JSON object on standard output's last line, if that is one."""
    lines = stdout.strip().splitlines()
    try:
        value = json.loads(lines[-1]) if lines else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def last_error(output: str) -> str:
    """The last line that looks like an error: for a one-line reason."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for line in reversed(lines):
        if re.match(r"[\w.]*(Error|Exception|Exit|Interrupt|Warning|symptom|killed by signal)\b", line):
            return line[:300]
    return lines[-1][:300] if lines else ""


def judge(legs: tuple[Leg, ...], pasted: int | None) -> tuple[Verdict, str]:
    """The verdict of both legs together, and why."""
    broken = legs[0]
    if broken.shows == "unloadable":
        return "broken-entry", broken.reason
    if broken.shows in ("cannot-run", "timeout"):
        return broken.shows, broken.reason  # type: ignore[return-value]
    if broken.shows == "clean":
        return "not-reproduced", "the broken leg ran through: this torch does not fail this way here"
    if broken.shows == "different":
        return "different-failure", broken.reason
    fixed = legs[1]
    if fixed.shows in ("cannot-run", "timeout"):
        return fixed.shows, f"fixed leg: {fixed.reason}"  # type: ignore[return-value]
    if fixed.shows != "clean":
        return "fix-not-shown", f"the fixed leg did not end cleanly: {fixed.reason or fixed.message}"
    if pasted is not None and pasted == broken.signature:
        return "confirmed", "this machine fails with the message that was pasted, and the fix ends it"
    return "reproduces-here", "this machine fails this way, and the fix ends it"
