"""The default model as torchwhy ships it, in `shipped/`: run by onnxruntime on the CPU, without torch and
without the model's own package. `python -m torchwhy.lab.make_encoder` makes the files.

`encoder.onnx` is the graph without weights: (words, mask) -> vectors. `weights.bin` holds every array,
`weights.json` says where each lies and in which form, and each file's SHA-256. The word table (30,522 rows)
is not part of the graph: the some 30 rows that a question needs are read from the memory-mapped file, so half
of the weights are never loaded.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.errors import ModelError

from .batches import Batches, onnx_runtime, session_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float32]


SHIPPED = Path(__file__).with_name("shipped")
FORMAT = 1
WORD_TABLE = "words"
FOREIGN = "foreign"
OUTSIDE_GRAPH = (WORD_TABLE, FOREIGN)


@cache
def description(folder: Path = SHIPPED) -> dict[str, Any]:
    """weights.json. Raises ModelError where it is missing or of another release."""
    try:
        about: dict[str, Any] = json.loads((folder / "weights.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder} does not hold the encoder ({error}); reinstall torchwhy") from error
    if about.get("format") != FORMAT:
        raise ModelError(f"{folder} holds the encoder of another release; reinstall torchwhy")
    return about


class EncoderWeights:
    """weights.bin, memory-mapped; an array becomes float32 when it is asked for.

    Forms: fp32, fp16, and int8 in blocks along the last axis, each with a float16 scale; the codes come
    first.
    """

    def __init__(self, folder: Path = SHIPPED) -> None:
        import numpy as np

        self.about = description(folder)
        self._block: int = self.about["block"]
        self._bytes = np.memmap(folder / "weights.bin", "uint8", "r")

    @property
    def graph_arrays(self) -> list[str]:
        """Names of the arrays that the graph wants."""
        return [name for name in self.about["arrays"] if name not in OUTSIDE_GRAPH]

    def array(self, name: str) -> FloatArray:
        """One whole array, float32."""
        import numpy as np

        place, codes, scales = self._parts(name)
        shape = tuple(place["shape"])
        if place["form"] == "int8":
            blocks = codes.view("int8").reshape(-1, self._block)
            factors = scales.view("<f2").astype("float32")[:, None]
            value: FloatArray = np.multiply(blocks, factors, dtype="float32").reshape(shape)
        else:
            kind = {"fp16": "<f2", "fp32": "<f4"}[place["form"]]
            value = codes.view(kind).reshape(shape).astype("float32")
        return value

    def words(self, ids: np.ndarray) -> FloatArray:
        """Rows of the word table, float32: ids of shape (...) -> (..., dimension)."""
        place, codes, scales = self._parts(WORD_TABLE)
        width = int(place["shape"][1])
        blocks = width // self._block
        rows: FloatArray = codes.view("int8").reshape(-1, blocks, self._block)[ids].astype("float32")
        rows *= scales.view("<f2").reshape(-1, blocks)[ids].astype("float32")[..., None]
        return rows.reshape(*ids.shape, width)

    def _parts(self, name: str) -> tuple[dict[str, Any], Any, Any]:
        place = self.about["arrays"][name]
        part = self._bytes[place["at"] : place["at"] + place["size"]]
        return place, part[: place["codes"]], part[place["codes"] :]


def foreign(folder: Path = SHIPPED) -> np.ndarray:
    """The centres of foreign texts' vectors, (centres, width): what the discriminant sets against the
    entries.
    """
    return EncoderWeights(folder).array(FOREIGN)


class ShippedEncoder:
    """The encoder that ships. Loads in some 0.1 s, takes some 8 ms of CPU a question."""

    name = "onnx"

    def __init__(self, folder: Path = SHIPPED) -> None:
        from tokenizers import Tokenizer

        self._weights = EncoderWeights(folder)
        about = self._weights.about
        self.dimension: int = about["dimension"]
        self._width: int = about["width"]
        self._graph = (folder / "encoder.onnx").read_bytes()
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.enable_truncation(about["max_tokens"])
        self._kept: list[Any] = []
        self._batches = Batches(tokenizer, 0, self._open_session, self._run)
        self._batches.open()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Texts -> float32 array of shape (len(texts), width); the first `dimension` columns are of length
        one.
        """
        return self._batches.encode(texts, self._width)

    def _open_session(self, threads: int) -> Any:
        onnxruntime = onnx_runtime()
        names = self._weights.graph_arrays
        if not self._kept:
            # An OrtValue made from an array is a view of it, and session options keep neither alive: without
            # this list a session reads freed memory (seen: NaN in one process, a segmentation fault in the
            # next).
            self._kept = [
                onnxruntime.OrtValue.ortvalue_from_numpy(self._weights.array(name)) for name in names
            ]
        options = session_options(threads)
        options.add_external_initializers(names, self._kept)
        return onnxruntime.InferenceSession(self._graph, options, providers=["CPUExecutionProvider"])

    def _run(self, session: Any, ids: np.ndarray, mask: np.ndarray) -> Any:
        inputs = {"words": self._weights.words(ids), "mask": mask.astype("int32")}
        return session.run(None, inputs)[0]
