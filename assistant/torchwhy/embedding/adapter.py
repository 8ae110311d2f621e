"""The adapter: small low-rank additions to the default model's upper layers, trained on this knowledge's
passages and on texts that are none of its business (`python -m torchwhy.lab.adapt`). It is part of the
weights that ship (`torchwhy.lab.make_encoder`) and is merged into the original's when sentence-transformers
loads that, so it costs a question nothing.

`adapter.json` says what it was trained on and for which model; with any other model it is left out.
`adapter.npz` holds, for each adapted weight W of shape (out, in), `W.A` (rank, in) and `W.B` (out, rank), so
that W + B @ A is used; and `foreign`, the centres of foreign texts' vectors, of shape (centres, width), which
the discriminant sets against the entries.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.errors import ModelError

from .model import Model

if TYPE_CHECKING:
    import numpy as np


ABOUT = Path(__file__).with_name("adapter.json")
WEIGHTS = Path(__file__).with_name("adapter.npz")


@cache
def about() -> dict[str, Any]:
    """What adapter.json says; empty where there is none."""
    return json.loads(ABOUT.read_text(encoding="utf-8")) if ABOUT.exists() else {}


def fits(model: Model) -> bool:
    """Whether the adapter was trained for this model (the original of the default one)."""
    return bool(about()) and about()["model"] == model.fingerprint


def key(model: Model) -> str:
    """16 hex digits for the model as it is used: its files, and the adapter where one fits.

    Raises ModelError.
    """
    if model.shipped or not fits(model):
        return model.fingerprint
    return hashlib.sha256(f"{model.fingerprint} {about()['sha256']}".encode()).hexdigest()[:16]


def arrays(model: Model) -> dict[str, np.ndarray]:
    """Every array of the adapter, float32; nothing for another model.

    Raises ModelError for a damaged file.
    """
    if not fits(model):
        return {}
    import numpy as np

    if hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() != about()["sha256"]:
        raise ModelError(f"{WEIGHTS} is not the file that adapter.json describes; reinstall torchwhy")
    with np.load(WEIGHTS) as stored:
        return {name: stored[name].astype("float32") for name in stored.files}


def foreign(model: Model) -> np.ndarray | None:
    """The centres of foreign texts, (centres, width), or None for a model without an adapter."""
    if model.shipped:
        from .shipped_encoder import foreign as shipped_foreign

        return shipped_foreign()
    return arrays(model).get("foreign")


def merge(inner: Any, model: Model) -> None:
    """Add the adapter to the weights of a loaded transformers model, in place."""
    import torch

    stored = arrays(model)
    with torch.no_grad():
        for name in stored:
            if name.endswith(".A"):
                weight = inner.get_parameter(name[:-2])
                weight += (torch.from_numpy(stored[f"{name[:-2]}.B"]) @ torch.from_numpy(stored[name])).to(
                    weight
                )
