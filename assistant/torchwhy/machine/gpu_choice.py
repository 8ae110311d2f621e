"""Which GPU a leg runs on: one with enough free memory, without harm to a job that runs there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from torchwhy.knowledge.conditions import quantity
from torchwhy.knowledge.entry import Needs
from torchwhy.knowledge.facts import Gpu

CUDA_CONTEXT_BYTES = 600 << 20  # GPU memory that a CUDA context and its libraries take beside the tensors
DEFAULT_TENSOR_BYTES = 1 << 30  # GPU memory that an entry may use without saying so (its contract)
# GPU memory left to another job that runs there: what it takes goes up and down
SAFETY_MARGIN_BYTES = 512 << 20


def choose_gpu(needs: Needs, found: Sequence[Gpu], env: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """(what to set in the environment, why the leg cannot run or "").

    Of the GPUs that the user's own CUDA_VISIBLE_DEVICES leaves, those with most free memory are taken. An
    entry that shows on the CPU too goes there if no GPU has room for it without harm to a job that runs
    there.
    """
    found = [gpu for gpu in found if gpu.usable]
    usable = visible(found, env)
    count = max(1, needs.gpus)
    candidates = [gpu for gpu in (found if usable is None else usable) if gpu.memory_free is not None]
    if len(candidates) < count:
        return {}, ""  # no driver, or it does not tell its memory: nothing to go by
    best = sorted(candidates, key=lambda gpu: (bool(_refused(gpu)), -(gpu.memory_free or 0)))[:count]
    reason = next(filter(None, (_refused(gpu) or _too_full(gpu, needs) for gpu in best)), "")
    if reason:
        return ({}, reason) if needs.cuda or needs.gpus else ({"CUDA_VISIBLE_DEVICES": ""}, "")
    if usable is None or _taken_anyway(usable, best, "CUDA_VISIBLE_DEVICES" in env):
        return {}, ""
    return _named(best), ""


def _taken_anyway(usable: Sequence[Gpu], best: Sequence[Gpu], ordered: bool) -> bool:
    """Whether a program takes these GPUs by itself. `ordered`: the user's variable orders them.

    It takes the first ones; of unlike cards CUDA's first is the fastest, which is not known here.
    """
    if len(usable) == len(best):
        return True
    alike = ordered or len({gpu.name for gpu in usable}) == 1
    return alike and list(usable[: len(best)]) == list(best)


def _named(gpus: Sequence[Gpu]) -> dict[str, str]:
    """The variables by which a program sees these GPUs alone: by UUID, or by number on the PCI bus."""
    if all(gpu.uuid for gpu in gpus):
        return {"CUDA_VISIBLE_DEVICES": ",".join(str(gpu.uuid) for gpu in gpus)}
    return {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": ",".join(str(gpu.index) for gpu in gpus),
    }


def name_of(devices: str, found: Sequence[Gpu]) -> str | None:
    """The name of the first GPU in a value of CUDA_VISIBLE_DEVICES that `choose_gpu` made;
    None for the CPU.
    """
    first = devices.split(",")[0]
    return next((gpu.name for gpu in found if first and first in (gpu.uuid, str(gpu.index))), None)


def _too_full(gpu: Gpu, needs: Needs) -> str:
    """Why this GPU has no room, with what would be needed ("" where it has)."""
    tensors = int(quantity(needs.gpu_memory) or 0) if needs.gpu_memory else DEFAULT_TENSOR_BYTES
    busy = gpu.processes != 0 and (gpu.memory_used or 0) > SAFETY_MARGIN_BYTES
    margin = SAFETY_MARGIN_BYTES if busy else 0
    wanted, free = tensors + CUDA_CONTEXT_BYTES + margin, gpu.memory_free or 0
    if wanted <= free:
        return ""
    parts = f"{tensors >> 20} for tensors, {CUDA_CONTEXT_BYTES >> 20} for the CUDA context"
    if margin:
        parts += f", {margin >> 20} left to what runs there"
    return (
        f"needs {wanted >> 20} MiB of free GPU memory ({parts});"
        f" {gpu.name} has {free >> 20} MiB free: end what else runs there"
    )


def _refused(gpu: Gpu) -> str:
    """Why the driver would not let a second program in ("" where it would)."""
    if gpu.compute_mode == "prohibited":
        return f"{gpu.name} is in compute mode prohibited: the driver lets no program use it"
    if gpu.compute_mode == "exclusive" and gpu.processes:
        return f"{gpu.name} is in an exclusive compute mode and another process has it"
    return ""


def visible(found: Sequence[Gpu], env: Mapping[str, str]) -> list[Gpu] | None:
    """The GPUs that CUDA_VISIBLE_DEVICES leaves, in its order; None where it cannot be told which ones those
    are.

    As CUDA reads it: what cannot be understood ends the list, a GPU named twice empties it, a UUID may be cut
    short, and a number counts by speed (not known here) unless CUDA_DEVICE_ORDER says otherwise or all cards
    are alike. Of a card in MIG mode, CUDA takes the first instance; a program sees one instance at most.
    """
    found = [gpu for gpu in found if gpu.usable]
    text = env.get("CUDA_VISIBLE_DEVICES")
    if text is None:
        return list(found)
    if not text.strip():
        return []
    by_uuid = text.lstrip().upper().startswith(("GPU-", "MIG-"))
    if "/" in text or (by_uuid and not all(gpu.uuid for gpu in found)):
        return None  # MIG-GPU-.../1/0 of older drivers, or a driver that tells no UUID
    cards = list({gpu.index: gpu for gpu in reversed(found)}.values())[::-1]  # the first instance of each
    chosen: list[Gpu] = []
    for word in text.split(","):
        gpu = _by_uuid(word.strip(), found) if by_uuid else _by_number(word.strip(), cards)
        if gpu is None:
            break
        if gpu in chosen:
            return []
        chosen.append(gpu)
    ordered = env.get("CUDA_DEVICE_ORDER") == "PCI_BUS_ID" or len({gpu.name for gpu in found}) <= 1
    return chosen if by_uuid or ordered or len(chosen) in (0, len(cards)) else None


def _by_uuid(word: str, found: Sequence[Gpu]) -> Gpu | None:
    """The one GPU whose UUID begins so; None where there is none, or more than one."""
    prefix = word.lower()
    hits = [gpu for gpu in found if len(prefix) > 4 and str(gpu.uuid).lower().startswith(prefix)]
    return hits[0] if len(hits) == 1 else None


def _by_number(word: str, cards: Sequence[Gpu]) -> Gpu | None:
    number = re.match(r"\+?\d+", word)
    return cards[int(number[0])] if number and int(number[0]) < len(cards) else None
