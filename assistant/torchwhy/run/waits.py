"""What processes that stand still wait for, by the call and the user's line, the smallest group first.

Ranks that wait in different calls wait for one another; so do ranks of which one has ended.
"""

from __future__ import annotations

import linecache
import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from torchwhy.text.phrases import phrase
from torchwhy.text.plain import plain

from .stacks import Stack, StackFrame

# Functions that only hand a call on: the one that they call says more.
HANDS_ON = frozenset(
    (
        "wrapper",
        "wrapped",
        "inner",
        "decorate_context",
        "__call__",
        "_call_impl",
        "_wrapped_call_impl",
        "__next__",
    )
)
RENDEZVOUS = frozenset(("rendezvous", "init_process_group", "_create_c10d_store", "_env_rendezvous_handler"))


SPAWN = os.path.join("torch", "multiprocessing", "spawn.py")
WORKER, SPAWNED = "DataLoader worker", "spawned process"


class Wait(NamedTuple):
    """Where a process stands: who it is, the function of a library that it called, and the user's line."""

    pid: int
    kind: str  # "rank", "process", WORKER or SPAWNED
    number: int  # the rank, the place among those that `torch.multiprocessing.spawn` made, or the process
    rank: int | None
    call: str  # "" where it is in the user's own code
    place: StackFrame
    distributed: bool  # below torch.distributed


class Standstill(NamedTuple):
    """Who waits where, ranks of this machine that have ended, the entry that explains it ("": none)."""

    waits: list[Wait]
    missing: list[int]
    entry: str


def standing(found: Sequence[Stack]) -> Standstill:
    waits = waits_of(found)
    return Standstill(waits, missing_ranks(found, waits), entry_of(waits))


def waits_of(found: Sequence[Stack]) -> list[Wait]:
    """Of each process that runs the user's code; what `spawn` made is counted as it was started."""
    waits = [wait for stack in found if (wait := wait_of(stack)) is not None]
    spawned = sorted(wait.pid for wait in waits if wait.kind == SPAWNED)
    return [wait._replace(number=spawned.index(wait.pid)) if wait.kind == SPAWNED else wait for wait in waits]


def wait_of(stack: Stack) -> Wait | None:
    """None where no thread of it runs the user's code: a launcher, a helper of multiprocessing."""
    environment = environment_of(stack.pid)
    for frames in stack.threads():
        at = next((number for number, frame in enumerate(frames) if frame.is_users()), None)
        if at is None:
            continue
        called = [frame.function for frame in reversed(frames[:at])]
        call = next((name for name in called if name not in HANDS_ON), "")
        distributed = any("/distributed/" in frame.file for frame in frames[:at])
        worker = any(frame.function == "_worker_loop" for frame in frames)
        spawned = any(frame.function == "_wrap" and frame.file.endswith(SPAWN) for frame in frames)
        told = environment.get("RANK", "")
        rank = int(told) if told.isdecimal() and not worker else None
        other = WORKER if worker else SPAWNED if spawned else "process"
        kind = other if rank is None else "rank"
        return Wait(stack.pid, kind, stack.pid if rank is None else rank, rank, call, frames[at], distributed)
    return None


def environment_of(pid: int) -> dict[str, str]:
    """What it was started with (Linux; empty where it may not be read)."""
    with suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        pairs = (entry.partition("=") for entry in file.read().decode("utf-8", "replace").split("\0"))
        return {name: value for name, _, value in pairs if name}
    return {}


def as_json(wait: Wait) -> dict[str, object]:
    """`docs/json.md` has it."""
    file, line, function = wait.place
    return {
        "pid": wait.pid,
        "kind": wait.kind,
        "number": wait.number,
        "rank": wait.rank,
        "call": wait.call,
        "file": file,
        "line": line,
        "function": function,
    }


def groups(waits: Sequence[Wait]) -> list[list[Wait]]:
    """Those that wait in one call at one line together; ranks first, and the smallest group first."""
    found: dict[tuple[str, str, int], list[Wait]] = defaultdict(list)
    for wait in sorted(waits, key=lambda wait: wait.number):
        found[(wait.call, wait.place.file, wait.place.line)].append(wait)
    return sorted(found.values(), key=lambda group: (not is_rank(group[0]), len(group)))


def is_rank(wait: Wait) -> bool:
    """Whether it is one of several that run the same program."""
    return wait.kind in ("rank", SPAWNED) or wait.distributed


def said(waits: Sequence[Wait], lang: str) -> list[str]:
    """One sentence of who waits where, then each line as it reads."""
    parts, lines = [], []
    for group in groups(waits):
        first = group[0]
        place = f"{shown_path(first.place.file)}:{first.place.line}"
        several = len(group) > 1
        keys = ("run_several_are_at", "run_several_wait") if several else ("run_is_at", "run_waits")
        parts.append(phrase(keys[bool(first.call)], lang, who=who(group), call=first.call, place=place))
        if text := plain(linecache.getline(first.place.file, first.place.line)).strip():
            lines.append(f"  {place}: {text}")
    return [phrase("run_comma", lang).join(parts), *lines]


def who(group: Sequence[Wait]) -> str:
    """Its processes by their kinds: "ranks 1-3", "processes 4711, 4713"."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for wait in group:
        numbers[wait.kind].append(wait.number)
    plural = {kind: kind + ("es" if kind.endswith("s") else "s") for kind in numbers}
    return ", ".join(
        f"{plural[kind] if len(found) > 1 else kind} {spans(found)}" for kind, found in numbers.items()
    )


def spans(numbers: Sequence[int]) -> str:
    """[0, 1, 2, 5] as "0-2, 5"."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(f"{first}-{last}" if first != last else str(first) for first, last in found)


def shown_path(file: str) -> str:
    """Below the current folder by what follows it."""
    here = os.path.join(os.getcwd(), "")
    return file.removeprefix(here)


def missing_ranks(stacks: Sequence[Stack], waits: Sequence[Wait]) -> list[int]:
    """Ranks of this machine that have no process any more; empty where the launcher told no count."""
    seen = {wait.rank for wait in waits if wait.rank is not None}
    for stack in stacks:
        environment = environment_of(stack.pid)
        told = [environment.get(name, "") for name in ("RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE")]
        if all(value.isdecimal() for value in told):
            rank, local, count = map(int, told)
            return sorted(set(range(rank - local, rank - local + count)) - seen)
    return []


def entry_of(waits: Sequence[Wait]) -> str:
    """The entry that explains such waits; "" where what they stand in tells none."""
    ranks = [wait for wait in waits if is_rank(wait)]
    collective = [wait for wait in ranks if wait.distributed]
    rules: tuple[tuple[Callable[[], bool], str], ...] = (
        (lambda: any(wait.call in RENDEZVOUS for wait in collective), "rendezvous-failed"),
        (lambda: bool(collective) and len(groups(ranks)) > 1, "collective-on-one-rank-only"),
        (lambda: any(wait.call.startswith("_next_data") for wait in waits), "dataloader-deadlock-after-fork"),
    )
    return next((entry for holds, entry in rules if holds()), "")
