"""Texts through a tokenizer and an ONNX session in chunks of like length, on as many cores as there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any

from torchwhy.runtime import system

if TYPE_CHECKING:
    import numpy as np

CHUNK_TEXTS = 8  # 7.3 ms of CPU a text; 16 take 8.1 and 32 take 9.0, because more of a chunk is padding
MAX_THREADS = 4
NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"


def onnx_runtime() -> Any:
    """onnxruntime. As it is loaded, release 1.31 writes an id of the machine and the interpreter's path to
    the user's cache and sends them to its maker: it is told not to. The variable is read then only.
    """
    named = os.environ.get(NO_TELEMETRY)
    os.environ[NO_TELEMETRY] = "1"
    try:
        import onnxruntime
    finally:
        if named is None:
            del os.environ[NO_TELEMETRY]
        else:
            os.environ[NO_TELEMETRY] = named
    return onnxruntime


def session_options(threads: int) -> Any:
    """onnxruntime's options for this many threads."""
    options = onnx_runtime().SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    # a thread that waits for work in a loop burns a core
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


class Batches:
    """Runs texts in chunks.

    `open_session(threads)` makes a session, `run(session, ids, mask)` gives a chunk's vectors.

    ids and mask have the shape (texts, tokens) and are int64; `pad` is the id that fills up the shorter
    texts.
    """

    def __init__(
        self,
        tokenizer: Any,
        pad: int,
        open_session: Callable[[int], Any],
        run: Callable[[Any, np.ndarray, np.ndarray], np.ndarray],
    ) -> None:
        self._tokenizer, self._pad, self._open_session, self._run = tokenizer, pad, open_session, run
        self._threads = min(MAX_THREADS, system.cores())

    @cached_property
    def _shared(self) -> Any:
        """The session for a question: its threads share one chunk, which is done sooner and costs more
        CPU.
        """
        return self._open_session(self._threads)

    @cached_property
    def _single(self) -> Any:
        """The session for many texts: one thread, several chunks side by side, which costs the least CPU a
        text.
        """
        return self._shared if self._threads == 1 else self._open_session(1)

    def open(self) -> None:
        """Make the session for questions, so that a broken one shows."""
        self._shared  # noqa: B018

    def encode(self, texts: Sequence[str], width: int) -> np.ndarray:
        """Texts -> float32 array of shape (len(texts), width)."""
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        order = sorted(range(len(texts)), key=lambda number: len(encoded[number].ids))
        chunks = [order[start : start + CHUNK_TEXTS] for start in range(0, len(order), CHUNK_TEXTS)]
        many = len(chunks) > 2
        session = self._single if many else self._shared
        vectors = np.empty((len(texts), width), "float32")

        def run(chunk: list[int]) -> None:
            length = len(encoded[chunk[-1]].ids)
            ids = np.full((len(chunk), length), self._pad, "int64")
            mask = np.zeros((len(chunk), length), "int64")
            for row, number in enumerate(chunk):
                own = encoded[number].ids
                ids[row, : len(own)] = own
                mask[row, : len(own)] = 1
            vectors[chunk] = self._run(session, ids, mask)

        if many and self._threads > 1:
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(run, chunks))
        else:
            for chunk in chunks:
                run(chunk)
        return vectors
