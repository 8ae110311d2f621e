"""The encoder that ships: whole files, the original's weights within rounding, and vectors that stay what they are."""

from __future__ import annotations

import gc
import hashlib
import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.support.start_up import modules_after
from torchwhy.embedding import adapter, shipped_encoder
from torchwhy.embedding.model import DEFAULT_PACKAGE, PINNED, Model, find_model, original
from torchwhy.embedding.shipped_encoder import (
    FOREIGN,
    SHIPPED,
    WORD_TABLE,
    EncoderWeights,
    ShippedEncoder,
    description,
)
from torchwhy.errors import ModelError

needs_package = pytest.mark.skipif(
    find_spec(DEFAULT_PACKAGE) is None, reason="the model's own package is not installed"
)
TEXTS = ["CUDA out of memory", "x", "张量不在同一设备上", "the loss is nan after a few hundred steps " * 40]
LARGEST_FP16_STEP = 2.0**-10  # of a weight, relative: half precision keeps 11 bits


def copied(folder: Path) -> Model:
    shutil.copytree(SHIPPED, folder)
    return Model("copied", str(folder), folder, False, shipped=True)


def test_the_files_are_what_the_description_says() -> None:
    about = description()
    for name, digest in about["files"].items():
        assert hashlib.sha256((SHIPPED / name).read_bytes()).hexdigest() == digest
    assert find_model().fingerprint == about["key"]
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 36_000_000


def test_it_was_made_of_the_pinned_model_and_of_this_adapter() -> None:
    made_of = description()["made_of"]
    assert made_of == {"model": adapter.about()["model"], "adapter": adapter.about()["sha256"]}
    assert made_of["adapter"] == hashlib.sha256(adapter.WEIGHTS.read_bytes()).hexdigest()


@needs_package
def test_the_weights_are_the_originals_with_the_adapter_added() -> None:
    """Read again from the package, whose hash is pinned: every array within the rounding of its form."""
    from torchwhy.lab.make_encoder import arrays, merged

    package = original()
    assert package.folder is not None
    with (package.folder / "model.safetensors").open("rb") as file:
        assert hashlib.sha256(file.read()).hexdigest() == PINNED["model.safetensors"]
    assert package.fingerprint == description()["made_of"]["model"]
    shipped = EncoderWeights()
    for name, value in arrays(merged(package)).items():
        own = shipped.array(name)
        assert own.shape == value.shape
        if name == WORD_TABLE:
            block = np.abs(value.reshape(-1, 32)).max(1, keepdims=True)
            errors = np.abs(own - value).reshape(-1, 32)
            assert (errors <= block / 127 * 0.55 + 1e-4 * block).all()
        else:
            np.testing.assert_allclose(own, value, rtol=LARGEST_FP16_STEP, atol=1e-6, err_msg=name)


@needs_package
@pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="needs sentence-transformers")
def test_its_vectors_are_those_of_sentence_transformers() -> None:
    from torchwhy.lab.make_encoder import LOWEST_COSINE, lowest_cosine

    assert lowest_cosine(SHIPPED, original()) >= LOWEST_COSINE


def test_rows_of_the_word_table_are_those_of_the_whole() -> None:
    weights = EncoderWeights()
    ids = np.array([[0, 101, 30521], [7592, 102, 0]])
    np.testing.assert_array_equal(weights.words(ids), weights.array(WORD_TABLE)[ids])
    assert WORD_TABLE not in weights.graph_arrays
    assert FOREIGN not in weights.graph_arrays


def test_a_text_alone_and_among_others_has_the_same_vector() -> None:
    encoder = ShippedEncoder()
    together = encoder.encode(TEXTS * 8)  # more than two chunks: the session for many texts
    assert together.shape == (32, 1920)
    for number, text in enumerate(TEXTS):
        np.testing.assert_allclose(encoder.encode([text])[0], together[number], atol=2e-6)
    for start in range(0, 1920, 384):
        np.testing.assert_allclose(np.linalg.norm(together[:, start : start + 384], axis=1), 1, atol=1e-5)
    assert encoder.encode([]).shape == (0, 1920)


def test_its_weights_live_as_long_as_it_does() -> None:
    """onnxruntime keeps neither arrays nor OrtValues: without a reference a session reads freed memory."""
    encoder = ShippedEncoder()
    first = encoder.encode(TEXTS)
    gc.collect()
    filler = [np.full(1_000_000, np.nan, "float32") for _ in range(20)]
    np.testing.assert_array_equal(encoder.encode(TEXTS), first)
    assert len(filler) == 20


def test_an_altered_file_is_refused(tmp_path: Path, cache: Path) -> None:
    model = copied(tmp_path / "shipped")
    assert model.fingerprint == find_model().fingerprint
    (tmp_path / "shipped" / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer\.json is not the file .* reinstall torchwhy"):
        copied_again = Model("copied", model.source, model.folder, False, shipped=True)
        copied_again.fingerprint  # noqa: B018


def test_a_missing_description_and_one_of_another_release_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="reinstall torchwhy"):
        description(tmp_path / "nowhere")
    (tmp_path / "weights.json").write_text(json.dumps({"format": -1}))
    with pytest.raises(ModelError, match="another release"):
        description(tmp_path)


def test_it_needs_neither_torch_nor_the_models_package() -> None:
    found = modules_after(
        "from torchwhy.embedding.shipped_encoder import ShippedEncoder\nShippedEncoder().encode(['nan'])"
    )
    assert not found & {"torch", "sentence_transformers", "transformers", "onnx", DEFAULT_PACKAGE}


def test_the_notice_names_the_model_and_what_was_changed() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for words in ("all-MiniLM-L6-v2", "Apache License, Version 2.0", "int8", "float16", "tokenizer.json"):
        assert words in notice
    assert shipped_encoder.SHIPPED.relative_to(ROOT).as_posix() in notice
