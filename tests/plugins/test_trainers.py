"""The watch as a callback of the real Lightning and the real Hugging Face Trainer, where they are installed."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import torchwhy

CLASSES, FEATURES, SAMPLES, BATCH = 3, 4, 48, 8


def lightning_fit(callback: Any, *, softmax: bool = False, fails_at: int = -1) -> None:
    """Train a classifier for two epochs, with validation, a schedule, dropout and batch norm."""
    import lightning.pytorch as lightning
    import torch
    from torch import nn

    class Classifier(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Sequential(
                nn.Linear(FEATURES, 16), nn.BatchNorm1d(16), nn.Dropout(0.1), nn.Linear(16, CLASSES)
            )

        def forward(self, x: Any) -> Any:
            found = self.net(x)
            return found.softmax(1) if softmax else found

        def training_step(self, batch: Any, number: int) -> Any:
            if number == fails_at:
                raise ZeroDivisionError("so that the training ends")
            return nn.functional.cross_entropy(self(batch[0]), batch[1])

        def validation_step(self, batch: Any, number: int) -> None:
            self.log("loss", nn.functional.cross_entropy(self(batch[0]), batch[1]))

        def configure_optimizers(self) -> Any:
            optimizer = torch.optim.Adam(self.parameters(), 1e-2)
            return [optimizer], [torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 5)]

    torch.manual_seed(0)
    data = torch.utils.data.TensorDataset(
        torch.randn(SAMPLES, FEATURES), torch.randint(0, CLASSES, (SAMPLES,))
    )
    trainer = lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        callbacks=[callback],
    )
    loaders = (torch.utils.data.DataLoader(data, BATCH, shuffle=True), torch.utils.data.DataLoader(data, 8))
    trainer.fit(Classifier(), *loaders)


def hugging_face_train(callback: Any, folder: Path, *, ignored: bool = False, fails: bool = False) -> None:
    """Train a small language model for two epochs, with evaluation and accumulation."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

    class Sentences(torch.utils.data.Dataset[Any]):
        def __len__(self) -> int:
            return SAMPLES

        def __getitem__(self, number: int) -> dict[str, Any]:
            if fails:
                raise ZeroDivisionError("so that the training ends")
            words = torch.randint(0, 50, (12,), generator=torch.Generator().manual_seed(number))
            return {"input_ids": words, "labels": torch.full_like(words, -100) if ignored else words}

    torch.manual_seed(0)
    config = GPT2Config(vocab_size=50, n_positions=16, n_embd=16, n_layer=1, n_head=2)
    arguments = TrainingArguments(
        str(folder),
        num_train_epochs=2,
        per_device_train_batch_size=BATCH,
        gradient_accumulation_steps=1 if ignored else 2,
        use_cpu=True,
        report_to=[],
        eval_strategy="epoch",
        save_strategy="no",
        disable_tqdm=True,
    )
    Trainer(
        GPT2LMHeadModel(config),
        arguments,
        train_dataset=Sentences(),
        eval_dataset=Sentences(),
        callbacks=[callback],
    ).train()


def is_on() -> bool:
    """Whether a watch is on: then torch's own functions are replaced."""
    import torch

    return hasattr(torch.autograd.backward, "__wrapped__")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("softmax", [False, True], ids=["correct", "softmax"])
def test_lightning(softmax: bool, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lightning")
    callback = torchwhy.lightning_watch(lang="en")
    lightning_fit(callback, softmax=softmax)
    assert [(one.id, one.path) for one in callback.findings] == [("nll-vs-cross-entropy", __file__)] * softmax
    told = capsys.readouterr().err
    assert "12 optimizer steps" in told
    assert told.count("nll-vs-cross-entropy") == softmax
    assert not is_on()


@pytest.mark.filterwarnings("ignore")
def test_lightning_ends_the_watch_of_a_training_that_fails() -> None:
    pytest.importorskip("lightning")
    callback = torchwhy.lightning_watch(quiet=True)
    with pytest.raises(ZeroDivisionError):
        lightning_fit(callback, fails_at=1)
    assert not is_on()
    lightning_fit(callback)  # and once more with the same callback
    assert callback.findings == ()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ignored", [False, True], ids=["correct", "ignored"])
def test_hugging_face(ignored: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("accelerate")
    pytest.importorskip("transformers")
    callback = torchwhy.trainer_watch(lang="en")
    hugging_face_train(callback, tmp_path, ignored=ignored)
    found = {one.id for one in callback.findings}
    assert ("all-targets-ignored" in found) == ignored
    assert "log-of-zero" not in found
    if not ignored:
        assert not found
    assert "optimizer steps" in capsys.readouterr().err
    assert not is_on()


@pytest.mark.filterwarnings("ignore")
def test_hugging_face_after_a_training_that_failed(tmp_path: Path) -> None:
    """The Trainer tells no callback of an exception: the next one that begins ends the old watch."""
    pytest.importorskip("accelerate")
    pytest.importorskip("transformers")
    with pytest.raises(ZeroDivisionError):
        hugging_face_train(torchwhy.trainer_watch(quiet=True), tmp_path, fails=True)
    assert is_on()
    second = torchwhy.trainer_watch(quiet=True)
    hugging_face_train(second, tmp_path)
    assert second.findings == ()
    assert not is_on()


@pytest.mark.parametrize(
    ("make", "library"), [("lightning_watch", "lightning"), ("trainer_watch", "transformers")]
)
def test_a_callback_can_be_sent_to_a_process(make: str, library: str) -> None:
    pytest.importorskip(library)
    sent = pickle.loads(pickle.dumps(getattr(torchwhy, make)(lang="zh", quiet=True)))
    assert (sent.lang, sent.quiet, sent.findings) == ("zh", True, ())


@pytest.mark.parametrize("make", ["lightning_watch", "trainer_watch"])
def test_without_the_library(make: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in ("lightning", "lightning.pytorch", "pytorch_lightning", "transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(torchwhy.UsageError, match="is not installed: this callback needs it"):
        getattr(torchwhy, make)()
