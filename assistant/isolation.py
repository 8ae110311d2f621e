"""What a leg may use of this machine: how much memory, and which GPU. Neither creates a CUDA context."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import linux
from .conditions import quantity
from .facts import Gpu
from .types import Needs

CONTEXT = 600 << 20  # bytes of GPU memory that a CUDA context and its libraries take beside the tensors
TENSORS = 1 << 30  # bytes of GPU memory that an entry may use without saying so (its contract)
SPARED = 512 << 20  # bytes of GPU memory left to a job that runs there: what it takes goes up and down
MOST, LEAST = 8 << 30, 256 << 20  # bytes: no repro needs more; with less torch itself is not imported
SHARE = 0.8  # of what is available: the rest is for those who are here too


def default_memory(root: Path = Path("/")) -> int:
    """Bytes that a leg may hold: a share of what is available here, counting the limits of the control groups."""
    free = linux.memory_facts(root)["ram.free"].value
    return max(LEAST, min(MOST, int(SHARE * free))) if isinstance(free, int) else MOST


def choose_gpu(needs: Needs, found: Sequence[Gpu], env: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """(what to set in the environment, why the leg cannot run or "").

    Of the GPUs that the user's own CUDA_VISIBLE_DEVICES leaves, those with most free memory are taken. An entry that
    shows on the CPU too goes there if no GPU has room for it without harm to a job that runs there.
    """
    found = [gpu for gpu in found if gpu.usable]
    usable = visible(found, env)
    count = max(1, needs.gpus)
    told = [gpu for gpu in (found if usable is None else usable) if gpu.memory_free is not None]
    if len(told) < count:
        return {}, ""  # no driver, or it does not tell its memory: nothing to go by
    best = sorted(told, key=lambda gpu: (bool(_taken(gpu)), -(gpu.memory_free or 0)))[:count]
    reason = next(filter(None, (_taken(gpu) or _short(gpu, needs) for gpu in best)), "")
    if reason:
        return ({}, reason) if needs.cuda or needs.gpus else ({"CUDA_VISIBLE_DEVICES": ""}, "")
    if usable is None or len(usable) == count:
        return {}, ""  # not known which ones the user means, or nothing to choose
    alike = "CUDA_VISIBLE_DEVICES" in env or len({gpu.name for gpu in usable}) == 1
    if alike and usable[:count] == best:
        return {}, ""  # what the program takes anyway; of unlike cards CUDA's first is the fastest
    if all(gpu.uuid for gpu in best):
        return {"CUDA_VISIBLE_DEVICES": ",".join(str(gpu.uuid) for gpu in best)}, ""
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": ",".join(str(gpu.index) for gpu in best)}, ""


def _short(gpu: Gpu, needs: Needs) -> str:
    """Why this GPU has no room, with what would be needed ("" where it has)."""
    tensors = int(quantity(needs.gpu_memory) or 0) if needs.gpu_memory else TENSORS
    spared = SPARED if gpu.processes != 0 and (gpu.memory_used or 0) > SPARED else 0
    wanted, free = tensors + CONTEXT + spared, gpu.memory_free or 0
    if wanted <= free:
        return ""
    parts = f"{tensors >> 20} for tensors, {CONTEXT >> 20} for the CUDA context" + (f", {spared >> 20} left to what runs there" if spared else "")
    return f"needs {wanted >> 20} MiB of free GPU memory ({parts}); {gpu.name} has {free >> 20} MiB free: end what else runs there"


def _taken(gpu: Gpu) -> str:
    """Why the driver would not let a second program in ("" where it would)."""
    if gpu.compute_mode == "prohibited":
        return f"{gpu.name} is in compute mode prohibited: the driver lets no program use it"
    if gpu.compute_mode == "exclusive" and gpu.processes:
        return f"{gpu.name} is in an exclusive compute mode and another process has it"
    return ""


def visible(found: Sequence[Gpu], env: Mapping[str, str]) -> list[Gpu] | None:
    """The GPUs that CUDA_VISIBLE_DEVICES leaves, in its order; None where it cannot be told which ones those are.

    As CUDA reads it: what cannot be understood ends the list, a GPU named twice empties it, a UUID may be cut short, and
    a number counts by speed (not known here) unless CUDA_DEVICE_ORDER says otherwise or all cards are alike. Of a card
    in MIG mode, CUDA takes the first instance; a program sees one instance at most.
    """
    found = [gpu for gpu in found if gpu.usable]
    text = env.get("CUDA_VISIBLE_DEVICES")
    cards = list({gpu.index: gpu for gpu in reversed(found)}.values())[::-1]  # the first instance of each
    if text is None:
        return list(found)
    if not text.strip():
        return []
    chosen: list[Gpu] = []
    by_uuid = text.lstrip().upper().startswith(("GPU-", "MIG-"))
    if "/" in text or (by_uuid and not all(gpu.uuid for gpu in found)):
        return None  # MIG-GPU-.../1/0 of older drivers, or a driver that tells no UUID
    ordered = env.get("CUDA_DEVICE_ORDER") == "PCI_BUS_ID" or len({gpu.name for gpu in found}) <= 1
    for word in (part.strip() for part in text.split(",")):
        if by_uuid:
            prefix = word.lower()
            hits = [gpu for gpu in found if len(prefix) > 4 and str(gpu.uuid).lower().startswith(prefix)]
            if len(hits) != 1:
                break
            hit = hits[0]
        else:
            number = re.match(r"\+?\d+", word)
            if not number or int(number[0]) >= len(cards):
                break
            hit = cards[int(number[0])]
        if hit in chosen:
            return []
        chosen.append(hit)
    return chosen if by_uuid or ordered or len(chosen) in (0, len(cards)) else None
