"""Proving a diagnosis: run an entry's repro, both legs, each in a fresh process, and judge what they show.

The verdict never says "proved in your program": a repro shows that this machine fails this way.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from torchwhy.errors import ConfirmError
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.files import read_bytes
from torchwhy.knowledge.script_hashes import content_hash
from torchwhy.machine import gpu_choice, gpus, interpreters, sandbox_paths, torch_probe
from torchwhy.text.plain import escaped, plain

from . import needs, process, sandbox
from .confirmation import Confirmation, Leg
from .judge import judge, judge_leg, signature_of
from .trust import Permit, permitted

# Of the user's environment what changes what a script shows; in bubblewrap a leg has no interface but `lo`.
UNSET = """
    PYTHONWARNINGS PYTHONOPTIMIZE PYTHONSTARTUP PYTHONDONTWRITEBYTECODE CUDA_LAUNCH_BLOCKING TORCH_LOGS
    TORCH_SHOW_CPP_STACKTRACES FORCE_COLOR NCCL_SOCKET_IFNAME GLOO_SOCKET_IFNAME PYTORCH_ALLOC_CONF
    PYTORCH_NO_CUDA_MEMORY_CACHING PYTORCH_CUDA_ALLOC_CONF
"""


def confirm(
    entry: Pitfall,
    *,
    python: str | None = None,
    failed: str | None = None,
    paste: str | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    permit: Permit | None = None,
    on_event: Callable[[str, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Confirmation:
    """Run both legs of `entry`'s repro with `python` (default: found from the paste, from `failed`, the
    Python of a run that failed so, and from the environment).

    `permit` says how it may run (default: as `trust.permitted` says of it without a further yes); a script
    that has another hash by now is not run.

    `memory` bounds what a leg's processes hold, in bytes (default: from what is available here).
    `on_event(kind, text)` hears of progress: ("leg", name), ("line", output line). Raises ConfirmError where
    no Python can be started at all, or the script may not run.
    """
    located = interpreters.locate(python, paste, failed)
    so_far = Confirmation(
        entry.id, "cannot-run", "", (), located.path, chosen=located.chosen, missed=located.missed
    )
    if entry.no_repro is not None:
        return replace(so_far, reason=f"this entry has no repro: {entry.no_repro.en}")
    permit = permit or permitted(entry)
    assert permit is not None
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
        permit=permit,
        seconds=seconds if seconds is not None else min(entry.needs.seconds, process.MAX_SECONDS),
        memory=process.default_memory() if memory is None else memory,
        more=chosen,
        on_event=on_event,
        cancelled=cancelled,
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
    *,
    interpreter: str,
    permit: Permit,
    seconds: float,
    memory: int,
    more: Mapping[str, str],
    on_event: Callable[[str, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Leg:
    """Run one leg in a fresh process and a temporary folder, and say what it shows.

    `seconds` and `memory` (bytes) bound it, `more` joins its environment, `on_event` as in `confirm`.

    What runs is a copy of the script there, named repro.py as well: a script that writes to its own file, or
    beside it, changes nothing that stays. Raises ConfirmError where nothing can be started.
    """
    assert entry.repro is not None
    if on_event:
        on_event("leg", name)
    on_line = (lambda line: on_event("line", plain(line))) if on_event else None
    try:
        with tempfile.TemporaryDirectory(prefix="torchwhy-", ignore_cleanup_errors=True) as made:
            folder = os.path.realpath(made)
            # Not in the current folder: what a leg leaves there is not imported.
            script = os.path.join(folder, "script", "repro.py")
            os.mkdir(os.path.dirname(script))
            os.mkdir(os.path.join(folder, "home"))
            content = read_bytes(Path(entry.repro))  # waits for no pipe that was put there meanwhile
            if content_hash(content) != permit.sha256:
                raise ConfirmError(f"{escaped(entry.repro)} was changed meanwhile, so it was not run")
            Path(script).write_bytes(content)
            command = [os.path.abspath(interpreter), "-B", script, *(["--fixed"] if name == "fixed" else [])]
            env = {**leg_environment(folder), **more}
            needed = [interpreter, *sandbox_paths.of_python(interpreter)]
            needed += torch_probe.probe(interpreter).places
            needed += sandbox_paths.of_environment(env)
            start = sandbox.start(command, env, folder, needed, shut_in=permit.shut_in)
            finished = process.run(
                start.command,
                env=start.env,
                cwd=folder,
                seconds=seconds,
                memory=memory,
                wrapped=start.wrapped,
                grace=start.grace,
                on_line=on_line,
                cancelled=cancelled,
            )
    except OSError as error:
        raise ConfirmError(
            f"the {name} leg of {escaped(entry.id)} cannot be started with "
            f"{escaped(interpreter)}: {escaped(str(error))}"
        ) from error
    out, err = (text.replace(folder, "<tmp>") for text in (finished.stdout, finished.stderr))  # it has gone
    finished = replace(finished, stdout=out, stderr=err)
    return replace(judge_leg(entry, name, finished), unguarded=start.missing)


def leg_environment(folder: str) -> dict[str, str]:
    """What torch, CUDA and compilers need of the user's environment, with temporary caches and folders.

    HOME is empty; the user's own packages below the real one are found by PYTHONUSERBASE.
    """
    env = {
        key: value for key, value in interpreters.allowed_env(os.environ).items() if key not in UNSET.split()
    }
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
