"""CTranslate2 is to load a small model in float16 on the processor, which computes in none: it refuses. In float32 it loads."""

import sys
import tempfile

import ctranslate2
import numpy as np
from ctranslate2.specs import TransformerDecoderModelSpec


def ones(*shape):
    return np.ones(shape, dtype=np.float32)


def save(folder):
    spec = TransformerDecoderModelSpec.from_config(1, 2)
    decoder, layer = spec.decoder, spec.decoder.layer[0]
    decoder.scale_embeddings = False
    decoder.embeddings.weight = ones(4, 8)
    decoder.position_encodings.encodings = ones(16, 8)
    decoder.projection.weight = ones(4, 8)
    for norm in (decoder.layer_norm, layer.self_attention.layer_norm, layer.ffn.layer_norm):
        norm.gamma, norm.beta = ones(8), ones(8)
    for linear, rows in (
        (layer.self_attention.linear[0], 24),
        (layer.self_attention.linear[1], 8),
        (layer.ffn.linear_0, 8),
        (layer.ffn.linear_1, 8),
    ):
        linear.weight, linear.bias = ones(rows, 8), ones(rows)
    spec.register_vocabulary(["<unk>", "<s>", "</s>", "a"])
    spec.config.layer_norm_epsilon = 1e-5
    spec.validate()
    spec.save(folder)


def load(compute_type):
    folder = tempfile.mkdtemp()
    save(folder)
    generator = ctranslate2.Generator(folder, device="cpu", compute_type=compute_type)
    print("computes in", generator.compute_type)


def broken():
    load("float16")


def fixed():
    load("float32")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
