"""The adapter: what it was trained on, what it changes, when it stays away, and that its training can be repeated."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from torchwhy.embedding import adapter
from torchwhy.embedding.encoders import TorchEncoder
from torchwhy.embedding.model import Model, find_model, original
from torchwhy.errors import ModelError
from torchwhy.lab import adapt
from torchwhy.lab.evaluate import load_rows

FOREIGN = ROOT / "data" / "training" / "foreign.jsonl"
TEXTS = ["CUDA out of memory", "the loss is nan after a few hundred steps", "显存不足"]


def test_it_is_what_its_description_says() -> None:
    about = adapter.about()
    assert about["sha256"] == hashlib.sha256(adapter.WEIGHTS.read_bytes()).hexdigest()
    assert about["model"] == original().fingerprint
    assert adapter.fits(original())
    texts = [row.text for row in load_rows(FOREIGN)]
    assert about["fitted_on"]["texts"] == hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16], (
        "train it anew: python -m torchwhy.lab.adapt"
    )
    assert adapter.WEIGHTS.stat().st_size < 2_000_000, "small"


def test_no_text_that_measures_the_ranking_was_trained_on() -> None:
    trained = {row.text for row in load_rows(FOREIGN)}
    measured = {row.text for path in (ROOT / "data" / "eval").glob("*.jsonl") for row in load_rows(path)}
    assert not trained & measured
    assert {row.label for row in load_rows(FOREIGN)} == {"none"}


def test_it_changes_the_vectors_and_only_where_it_fits() -> None:
    import numpy as np

    model = original()
    plain, adapted = TorchEncoder(model, "cpu", adapted=False), TorchEncoder(model, "cpu")
    one, other = plain.encode(TEXTS), adapted.encode(TEXTS)
    centres = adapter.foreign(model)
    assert centres is not None
    assert one.shape == other.shape == (3, centres.shape[1])
    assert np.allclose(np.linalg.norm(one[:, : plain.dimension], axis=1), 1, atol=1e-5)
    below = slice(
        plain.dimension, 3 * plain.dimension
    )  # the embeddings and the last layer that is left alone
    assert np.allclose(one[:, below], other[:, below], atol=1e-5)
    assert np.sum(one[:, :384] * other[:, :384], axis=1).max() < 0.99


def test_another_model_is_left_alone(tmp_path: Path) -> None:
    shutil.copytree(original().source, tmp_path / "mine")
    config = json.loads((tmp_path / "mine" / "config.json").read_text())
    (tmp_path / "mine" / "config.json").write_text(json.dumps({**config, "mine": True}))
    mine = Model("mine", str(tmp_path / "mine"), tmp_path / "mine", False)
    assert not adapter.fits(mine)
    assert adapter.key(mine) == mine.fingerprint
    assert adapter.foreign(mine) is None


def test_the_shipped_model_brings_its_centres() -> None:
    centres, trained = adapter.foreign(find_model()), adapter.foreign(original())
    assert centres is not None
    assert trained is not None
    assert (centres == trained).all()


def test_a_damaged_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "adapter.npz"
    damaged.write_bytes(adapter.WEIGHTS.read_bytes()[:-1])
    monkeypatch.setattr(adapter, "WEIGHTS", damaged)
    with pytest.raises(ModelError, match="reinstall"):
        adapter.arrays(original())


def test_training_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small training from a few texts: twice the same weights, and they were learned."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        texts = {
            "memory": ["out of memory on the card", "the card is full", "no room for the batch"] * 4,
            "nan": ["the loss is nan", "nan in the loss"] * 6,
        }
        owners = [n for n, group in enumerate(texts.values()) for _ in group] + [2] * 8
        flat = [text for group in texts.values() for text in group] + [
            "what is the weather like",
            "a recipe for soup",
        ] * 4
        found = []
        monkeypatch.setattr(adapt, "BATCH", 8)
        monkeypatch.setattr(adapt, "EPOCHS", 8)
        for _ in range(2):
            torch.manual_seed(0)
            encoder = TorchEncoder(original(), "cpu", adapted=False)
            upper = adapt.Upper(encoder.model[0].auto_model)
            losses = adapt.train(
                upper, upper.below([encoder.model.tokenizer(text)["input_ids"] for text in flat]), owners, 2
            )
            assert losses[-1] < losses[0] - 0.3
            found.append({name: value.detach().clone() for name, value in upper.added.items()})
        assert all(torch.equal(found[0][name], found[1][name]) for name in found[0])
    finally:
        torch.set_num_threads(threads)
