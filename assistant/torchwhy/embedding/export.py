"""The export of a sentence-transformers model to ONNX, checked against the original."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.errors import ModelError
from torchwhy.runtime import cache

from . import adapter
from .encoders import FORMAT, Encoder, OnnxEncoder, TorchEncoder, exported_folder
from .model import Model

if TYPE_CHECKING:
    import numpy as np

LOWEST_COSINE = 0.9999
SAMPLES = [
    "CUDA out of memory. Tried to allocate N MiB",
    "x",
    "loss is nan after a few hundred steps",
    "张量不在同一设备上",
    "Expected all tensors to be on the same device, but found at least two devices, cuda:N and cpu!",
]


def cosines_of(encoder: Encoder, original: Encoder) -> np.ndarray:
    """Of 50 texts, from one character to some hundred words, how near both encoders' vectors are: (50,)."""
    import numpy as np

    texts = [text * times for text in SAMPLES for times in (1, 2, 3, 5, 8, 13, 21, 34, 55, 2)]
    one, other = encoder.encode(texts), original.encode(texts)
    norms = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    cosines: np.ndarray = np.sum(one * other, axis=1) / norms
    return cosines


def export(model: Model, encoder: TorchEncoder, folder: Path) -> dict[str, Any]:
    """Write encoder.onnx and tokenizer.json, and check them against the original. Raises ModelError."""
    import contextlib
    import io
    import logging
    import warnings

    import torch

    try:
        encoder.model.to("cpu")
        batch = torch.export.Dim("batch", min=1, max=1024)
        length = torch.export.Dim("length", min=2, max=int(encoder.model.max_seq_length or 256))
        shape = {0: batch, 1: length}
        example = encoder.model.tokenizer(SAMPLES[:2], padding=True, return_tensors="pt")
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), torch.no_grad():
            warnings.simplefilter("ignore")
            logging.getLogger("torch.onnx").setLevel(logging.ERROR)
            program = torch.onnx.export(
                encoder.wrapped,
                (),
                kwargs={"input_ids": example["input_ids"], "attention_mask": example["attention_mask"]},
                dynamic_shapes={"input_ids": shape, "attention_mask": shape},
                input_names=["input_ids", "attention_mask"],
                output_names=["torchwhy_sentence"],
                dynamo=True,
                verbose=False,
            )
            program.save(str(folder / "encoder.onnx"))
        tokenizer = encoder.model.tokenizer
        tokenizer.backend_tokenizer.no_padding()
        tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
        meta = {
            "format": FORMAT,
            "inputs": ["input_ids", "attention_mask"],
            "model": model.name,
            "fingerprint": adapter.key(model),
            "dimension": encoder.dimension,
            "width": int(encoder.encode(SAMPLES[:1]).shape[1]),
            "max_length": int(encoder.model.max_seq_length or 256),
            "pad": int(tokenizer.pad_token_id or 0),
        }
        cache.write_meta(folder, meta, FORMAT)
        cosines = cosines_of(OnnxEncoder(folder), encoder)
    except Exception as error:
        raise ModelError(
            f"the model cannot be exported to ONNX ({type(error).__name__}: {str(error)[:200]})"
        ) from error
    finally:
        encoder.model.to(encoder.device)
    if float(cosines.min()) < LOWEST_COSINE:
        raise ModelError(f"the exported model differs from the original (lowest cosine {cosines.min():.5f})")
    meta["lowest_cosine"] = round(float(cosines.min()), 7)
    return meta


def export_once(model: Model, encoder: TorchEncoder) -> None:
    """Export once per model.

    A model that cannot be exported goes on with sentence-transformers, and says so.
    """
    try:
        cache.build(exported_folder(model).name, FORMAT, lambda work: export(model, encoder, work))
    except (ModelError, OSError) as error:
        print(f"torchwhy: {error}; questions will load the model itself, which is slower", file=sys.stderr)
