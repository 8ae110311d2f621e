"""Proving a diagnosis: run an entry's repro, both legs, each in a fresh process, and judge what they show.

The verdict never says "proved in your program": a repro shows that this machine fails this way.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from assistant.errors import ConfirmError
from assistant.knowledge.entry import Pitfall
from assistant.knowledge.files import read_bytes
from assistant.knowledge.script_hashes import content_hash, file_hash, shipped_path
from assistant.machine import gpus, interpreters, places, torch_probe
from assistant.text.plain import escaped, plain

from . import folders, gpu_choice, limits, needs, sandbox
from .confirmation import Confirmation, Leg
from .judge import judge, judge_leg, signature_of
from .process import Bounds, run

UNSET = (
    "PYTHONWARNINGS",
    "PYTHONOPTIMIZE",
    "CUDA_LAUNCH_BLOCKING",
    "TORCH_LOGS",
    "TORCH_SHOW_CPP_STACKTRACES",
    "FORCE_COLOR",
    "PYTHONSTARTUP",
    "PYTHONDONTWRITEBYTECODE",
    "NCCL_SOCKET_IFNAME",
    "GLOO_SOCKET_IFNAME",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",  # a leg has only `lo`
)


def confirm(
    entry: Pitfall,
    *,
    python: str | None = None,
    failed: str | None = None,
    paste: str | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    sha256: str | None = None,
    on_event: Callable[[str, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Confirmation:
    """Run both legs of `entry`'s repro with `python` (default: found from the paste, from `failed`, the
    Python of a run that failed so, and from the environment).

    Whether it may run is for the caller to ask (`trust.checked_hash`); a script that has not that hash
    (`sha256`) any more is not run.

    `memory` bounds what a leg's processes hold, in bytes (default: from what is available here).
    `on_event(kind, text)` hears of progress: ("leg", name), ("line", output line). Raises ConfirmError where
    no Python can be started at all.
    """
    located = interpreters.locate(python, paste, failed)
    so_far = Confirmation(
        entry.id, "cannot-run", "", (), located.path, chosen=located.chosen, missed=located.missed
    )
    if entry.no_repro is not None:
        return replace(so_far, reason=f"this entry has no repro: {entry.no_repro.en}")
    probe = torch_probe.probe(located.path)
    so_far = replace(so_far, torch=probe.torch, cuda=probe.cuda, device=probe.device)
    unmet = needs.unmet(entry.needs, probe)
    if unmet:
        return replace(so_far, reason=unmet)
    found = gpus.read().gpus if probe.gpus else ()
    chosen, refusal = gpu_choice.choose_gpu(entry.needs, found, os.environ)
    if refusal:
        return replace(so_far, reason=refusal)
    if "CUDA_VISIBLE_DEVICES" in chosen:
        so_far = replace(so_far, device=gpu_choice.name_of(chosen["CUDA_VISIBLE_DEVICES"], found))
    run_one = partial(
        run_leg,
        entry,
        interpreter=located.path,
        seconds=seconds if seconds is not None else min(entry.needs.seconds, limits.MAX_SECONDS),
        on_event=on_event,
        cancelled=cancelled,
        memory=limits.default_memory() if memory is None else memory,
        more=chosen,
        sha256=sha256,
    )
    legs: tuple[Leg, ...] = (run_one("broken"),)
    if legs[0].shows == "shown":
        legs += (run_one("fixed"),)
    shown_in_paste = signature_of(entry, plain(paste)) if paste else None
    pasted = shown_in_paste[0] if shown_in_paste else None
    verdict, reason = judge(legs, pasted)
    return replace(so_far, verdict=verdict, reason=reason, legs=legs, paste_signature=pasted)


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
    sha256: str | None = None,
) -> Leg:
    """Run one leg in a fresh process and a temporary folder, and say what it shows.

    `seconds` and `memory` (bytes) bound it, `more` joins its environment, `on_event` as in `confirm`.

    What runs is a copy of the script there, named repro.py as well: a script that writes to its own file, or
    beside it, changes nothing that stays. Raises ConfirmError where nothing can be started.
    """
    assert entry.repro is not None
    if on_event:
        on_event("leg", name)
    try:
        with folders.made() as outer:
            # The outer one stays closed to other users, whatever the leg does to its own.
            folder = os.path.join(outer, "leg")
            os.mkdir(folder, 0o700)
            script = os.path.join(
                folder, "script", "repro.py"
            )  # not in the current folder: what a leg leaves there is not imported
            os.mkdir(os.path.dirname(script))
            os.mkdir(os.path.join(folder, "home"))
            shipped = _copy(entry, script, sha256)
            command = [os.path.abspath(interpreter), "-B", script, *(["--fixed"] if name == "fixed" else [])]
            on_line = (lambda line: on_event("line", plain(line))) if on_event else None
            env = {**leg_environment(folder), **(more or {})}
            needed = [interpreter, *places.of_python(interpreter), *torch_probe.probe(interpreter).places]
            needed += places.of_environment(env)
            jail = sandbox.jail(folder, needed, namespaces=shipped)
            finished = run(
                command,
                env=env,
                cwd=folder,
                seconds=seconds,
                bounds=_bounds(memory),
                offline=not jail.words,
                jail=jail,
                on_line=on_line,
                cancelled=cancelled,
            )
    except OSError as error:
        raise ConfirmError(
            f"the {name} leg of {escaped(entry.id)} cannot be started with "
            f"{escaped(interpreter)}: {escaped(str(error))}"
        ) from error
    return replace(judge_leg(entry, name, finished), unguarded=finished.unguarded)


def _copy(entry: Pitfall, script: str, sha256: str | None) -> bool:
    """Write down the entry's script as it is now; whether it is a shipped one. Raises ConfirmError for
    another than `sha256`, OSError.
    """
    assert entry.repro is not None
    content = read_bytes(Path(entry.repro))  # waits for no pipe that was put there meanwhile
    present, came = content_hash(content), shipped_path(entry)
    if sha256 is not None and present != sha256:
        raise ConfirmError(f"{escaped(entry.repro)} was changed meanwhile, so it was not run")
    Path(script).write_bytes(content)
    return came is not None and file_hash(came) == present


def _bounds(memory: int | None) -> Bounds:
    return Bounds(
        memory,
        limits.MAX_PROCESSES,
        limits.MAX_THREADS,
        limits.MAX_WRITTEN_BYTES,
        limits.MAX_OPEN_FILES,
    )


def leg_environment(folder: str) -> dict[str, str]:
    """What torch, CUDA and compilers need of the user's environment, with temporary caches and folders.

    HOME is empty; the user's own packages below the real one are found by PYTHONUSERBASE.
    """
    env = {key: value for key, value in interpreters.allowed_env(os.environ).items() if key not in UNSET}
    home = os.path.join(folder, "home")
    env.setdefault("LOGNAME", "torchwhy")  # older torch asks for the user's name, which a jail may not know
    env.update(
        HOME=home,
        USERPROFILE=home,
        PYTHONUTF8="1",
        LC_ALL="C.UTF-8",
        PYTHONUNBUFFERED="1",
        TMPDIR=folder,
        TEMP=folder,
        TMP=folder,
        TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "inductor"),
        TRITON_CACHE_DIR=os.path.join(folder, "triton"),
        TORCH_EXTENSIONS_DIR=os.path.join(folder, "extensions"),
        CUDA_CACHE_PATH=os.path.join(folder, "cuda"),
        XDG_CACHE_HOME=os.path.join(folder, "cache"),
        TORCHINDUCTOR_COMPILE_THREADS="1",
        HF_HUB_OFFLINE="1",
        NO_COLOR="1",
    )
    return env
