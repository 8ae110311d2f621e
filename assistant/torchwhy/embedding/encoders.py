"""Encoders: what turns texts into vectors.

The default model ships in a form that needs no torch (shipped_encoder.py), another one is loaded by
sentence-transformers (on a GPU if there is one).

Vectors are float32, full precision: a GPU- and a CPU-built index rank alike. The first `dimension` columns
are the sentence vector, of length one; the rest are the layers below (layers.py).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from torchwhy.errors import ModelError
from torchwhy.runtime.install import install_line

from . import adapter, layers
from .model import EXTRA, Model, original
from .shipped_encoder import ShippedEncoder

if TYPE_CHECKING:
    import numpy as np


FORMAT = 4  # of vectors that are kept


class Encoder(Protocol):
    """Turns texts into vectors."""

    name: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Texts -> float32 array of shape (len(texts), width); the first `dimension` columns are of length
        one.
        """
        ...


class TorchEncoder:
    """sentence-transformers itself.

    Importing it takes about ten seconds, so it never stands on a question's way with the shipped model.
    """

    name = "sentence-transformers"

    def __init__(self, model: Model, device: str | None = None, *, adapted: bool = True) -> None:
        """The shipped model is loaded from the package that it was made from.

        `adapted=False`: the model as it comes, for comparison. Raises ModelError, whatever a broken torch
        raises.
        """
        if model.shipped:
            model = original()
        try:
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            if model.folder is not None:
                os.environ.setdefault("HF_HUB_OFFLINE", "1")
            import torch
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging

            logging.disable_progress_bar()
            torch.backends.cuda.matmul.allow_tf32 = False
            self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
            self.model = SentenceTransformer(model.source, device=self.device)
            if adapted:
                adapter.merge(self.model[0].auto_model, model)
            self.wrapped = layers.wrap(self.model)
            known = (
                getattr(self.model, "get_embedding_dimension", None)
                or self.model.get_sentence_embedding_dimension
            )
            self.dimension = int(known())
        except ModuleNotFoundError as error:
            raise ModelError(f"loading {model.name} needs {error.name}: {install_line(EXTRA)}") from error
        except Exception as error:  # whatever a broken torch raises: OSError, RuntimeError, ImportError, ...
            raise ModelError(
                f"the embedding model cannot be loaded ({type(error).__name__}: {str(error)[:200]})"
            ) from error

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        import numpy as np
        import torch

        batch = 256 if self.device.startswith("cuda") else 32
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        device, longest, vectors = self.model.device, int(self.model.max_seq_length or 256), None
        for start in range(0, len(order), batch):
            chunk = order[start : start + batch]
            read = self.model.tokenizer(
                [texts[at] for at in chunk],
                padding=True,
                truncation=True,
                max_length=longest,
                return_tensors="pt",
            )
            with torch.inference_mode():
                out = (
                    self.wrapped(read["input_ids"].to(device), read["attention_mask"].to(device))
                    .float()
                    .cpu()
                    .numpy()
                )
            if vectors is None:
                vectors = np.empty((len(texts), out.shape[1]), "float32")
            vectors[chunk] = out
        return vectors if vectors is not None else np.zeros((0, 0), "float32")


def question_encoder(model: Model) -> Encoder:
    """The encoder for questions: the shipped one; another model by sentence-transformers, which says so."""
    if model.shipped:
        return ShippedEncoder()
    print(f"torchwhy: loading {model.name}, which takes some ten seconds", file=sys.stderr)
    return TorchEncoder(model, "cpu")
