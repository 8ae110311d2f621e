"""The encoder: sentence-transformers builds the passages' vectors (on a GPU if there is one); the same model, exported
once to ONNX, makes a question's vector in milliseconds without importing torch.

Vectors are float32, full precision: a GPU- and a CPU-built index rank alike. The first `dimension` columns are the sentence
vector, of length one; the rest are the layers below (sentence.py).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from . import adapter, cache, locations, sentence
from .errors import ModelError
from .model import Model

if TYPE_CHECKING:
    import numpy as np

FORMAT = 3
LOWEST_COSINE = 0.9999
SAMPLES = [
    "CUDA out of memory. Tried to allocate N MiB", "x", "loss is nan after a few hundred steps",
    "张量不在同一设备上", "Expected all tensors to be on the same device, but found at least two devices, cuda:N and cpu!",
]  # fmt: skip


class Encoder(Protocol):
    """Turns texts into vectors."""

    name: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Texts -> float32 array of shape (len(texts), width); the first `dimension` columns are of length one."""
        ...


class TorchEncoder:
    """sentence-transformers itself. Importing it takes about ten seconds, so it never stands on a question's way
    unless the model cannot be exported.
    """

    name = "sentence-transformers"

    def __init__(self, model: Model, device: str | None = None, *, adapted: bool = True) -> None:
        """`adapted=False`: the model as it comes, for comparison. Raises ModelError, whatever a broken torch raises."""
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
            self.wrapped = sentence.wrap(self.model)
            known = getattr(self.model, "get_embedding_dimension", None) or self.model.get_sentence_embedding_dimension
            self.dimension = int(known())
        except Exception as error:  # whatever a broken torch raises: OSError, RuntimeError, ImportError, ...
            raise ModelError(f"the embedding model cannot be loaded ({type(error).__name__}: {str(error)[:200]})") from error

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        import numpy as np
        import torch

        batch = 256 if self.device.startswith("cuda") else 32
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        device, longest, vectors = self.model.device, int(self.model.max_seq_length or 256), None
        for start in range(0, len(order), batch):
            chunk = order[start : start + batch]
            read = self.model.tokenizer([texts[at] for at in chunk], padding=True, truncation=True, max_length=longest, return_tensors="pt")
            with torch.inference_mode():
                out = self.wrapped(read["input_ids"].to(device), read["attention_mask"].to(device)).float().cpu().numpy()
            if vectors is None:
                vectors = np.empty((len(texts), out.shape[1]), "float32")
            vectors[chunk] = out
        return vectors if vectors is not None else np.zeros((0, 0), "float32")


class OnnxEncoder:
    """The exported model, run by onnxruntime on the CPU; 8 to 15 ms a question, no torch."""

    name = "onnx"

    def __init__(self, folder: Path) -> None:
        meta = cache.read_meta(folder, FORMAT)
        if meta is None:
            raise ModelError(f"{folder} holds no exported encoder; run `torchwhy index`")
        import onnxruntime
        from tokenizers import Tokenizer

        self.inputs: list[str] = meta["inputs"]
        self.dimension: int = meta["dimension"]
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(meta["max_length"])
        self.pad: int = meta["pad"]
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self.cores = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)
        options.intra_op_num_threads = self.cores
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # a thread that waits burns a core
        self.path = str(folder / "encoder.onnx")
        self.session = onnxruntime.InferenceSession(self.path, options, providers=["CPUExecutionProvider"])
        self._single: Any = None

    @property
    def single(self) -> Any:
        """The model on one thread, for batches: chunks side by side cost 14 ms of CPU a text, threads that share a chunk 22."""
        if self._single is None:
            import onnxruntime

            options = onnxruntime.SessionOptions()
            options.log_severity_level = 3
            options.intra_op_num_threads = 1
            self._single = onnxruntime.InferenceSession(self.path, options, providers=["CPUExecutionProvider"])
        return self._single

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        import numpy as np

        encoded = self.tokenizer.encode_batch(list(texts))
        order = sorted(range(len(texts)), key=lambda at: len(encoded[at].ids))
        vectors: Any = None
        chunks = [order[start : start + 16] for start in range(0, len(order), 16)]
        session = self.single if len(chunks) > 2 else self.session

        def run(chunk: list[int]) -> Any:
            width = max(len(encoded[at].ids) for at in chunk)
            ids = np.full((len(chunk), width), self.pad, "int64")
            mask = np.zeros((len(chunk), width), "int64")
            for row, at in enumerate(chunk):
                ids[row, : len(encoded[at].ids)] = encoded[at].ids
                mask[row, : len(encoded[at].ids)] = 1
            return session.run(None, {"input_ids": ids, "attention_mask": mask})[0]

        with ThreadPoolExecutor(self.cores if len(chunks) > 2 else 1) as pool:
            for chunk, out in zip(chunks, pool.map(run, chunks), strict=True):
                if vectors is None:
                    vectors = np.empty((len(texts), out.shape[1]), "float32")
                vectors[chunk] = out
        return vectors if vectors is not None else np.zeros((0, 0), "float32")


def export(model: Model, encoder: TorchEncoder, folder: Path) -> dict[str, Any]:
    """Write encoder.onnx and tokenizer.json, and check them against the original. Raises ModelError."""
    import contextlib
    import io
    import logging
    import warnings

    import numpy as np
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
                encoder.wrapped, (), kwargs={"input_ids": example["input_ids"], "attention_mask": example["attention_mask"]},
                dynamic_shapes={"input_ids": shape, "attention_mask": shape}, input_names=["input_ids", "attention_mask"],
                output_names=["torchwhy_sentence"], dynamo=True, verbose=False,
            )  # fmt: skip
            program.save(str(folder / "encoder.onnx"))
        tokenizer = encoder.model.tokenizer
        tokenizer.backend_tokenizer.no_padding()
        tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
        meta = {
            "format": FORMAT, "inputs": ["input_ids", "attention_mask"], "model": model.name, "fingerprint": adapter.key(model), "dimension": encoder.dimension,
            "max_length": int(encoder.model.max_seq_length or 256), "pad": int(tokenizer.pad_token_id or 0),
        }  # fmt: skip
        (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
        texts = [text * times for text in SAMPLES for times in (1, 2, 3, 5, 8, 13, 21, 34, 55, 2)][:50]
        one, other = OnnxEncoder(folder).encode(texts), encoder.encode(texts)
        cosines = np.sum(one * other, axis=1) / np.linalg.norm(one, axis=1) / np.linalg.norm(other, axis=1)
    except Exception as error:
        raise ModelError(f"the model cannot be exported to ONNX ({type(error).__name__}: {str(error)[:200]})") from error
    finally:
        encoder.model.to(encoder.device)
    if float(cosines.min()) < LOWEST_COSINE:
        raise ModelError(f"the exported model differs from the original (lowest cosine {cosines.min():.5f})")
    meta["lowest_cosine"] = round(float(cosines.min()), 7)
    return meta


def exported_folder(model: Model) -> Path:
    return locations.cache_folder() / f"encoder-{adapter.key(model)}"


def question_encoder(model: Model) -> Encoder:
    """The encoder for questions: the exported one if it is there, else sentence-transformers, with a line that says so."""
    folder = exported_folder(model)
    if cache.read_meta(folder, FORMAT):
        try:
            return OnnxEncoder(folder)
        except Exception as error:
            print(f"torchwhy: the exported encoder cannot be used ({str(error)[:120]}); loading the model itself (slower)", file=sys.stderr)
    else:
        print("torchwhy: the model is not exported; loading the model itself, which takes some ten seconds", file=sys.stderr)
    return TorchEncoder(model, "cpu")
