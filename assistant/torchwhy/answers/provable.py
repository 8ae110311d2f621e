"""Where an entry's script can run, as far as that is known without a look at torch."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

from torchwhy.knowledge.entry import Needs
from torchwhy.knowledge.vocabulary import PLATFORMS
from torchwhy.text.phrases import phrase

GPU_DEVICES = ("nvidia[0-9]*", "kfd", "dxg")  # below /dev: CUDA, ROCm, CUDA under WSL


def proof_words(needs: Needs, lang: str) -> str:
    """What stands in front of the command that proves: that it is for another machine, where it is."""
    if needs.platform and needs.platform != PLATFORMS.get(sys.platform, "linux"):
        return phrase("screen_proof_on", lang, platform=needs.platform)
    return phrase("screen_proof" if runs_here(needs) else "screen_proof_gpu", lang)


def runs_here(needs: Needs) -> bool:
    """Whether this machine may have the platform and the GPU that the script needs."""
    platform = needs.platform in (None, PLATFORMS.get(sys.platform, "linux"))
    return platform and (not (needs.cuda or needs.gpus) or may_have_gpu())


@lru_cache(maxsize=1)
def may_have_gpu() -> bool:
    """Whether a GPU may be here: a Linux without the device of one has none."""
    return sys.platform != "linux" or any(any(Path("/dev").glob(name)) for name in GPU_DEVICES)
