"""A job without a network asks for a model by its name, and the cache is empty. Loaded from a folder to which the files were
brought before, the same call needs neither."""

import os
import sys
import tempfile

import torch

os.environ["HF_HUB_OFFLINE"] = "1"  # as on a compute node: no network
os.environ["HF_HOME"] = tempfile.mkdtemp()  # an empty cache, whatever lies on this machine

from transformers import AutoModel, GPT2Config, GPT2Model  # noqa: E402 (the variables are read at import)


def load(source):
    model = AutoModel.from_pretrained(source)
    print(model(torch.ones(1, 4, dtype=torch.long)).last_hidden_state.shape)


def broken():
    load("gpt2")


def fixed():
    with tempfile.TemporaryDirectory() as folder:
        GPT2Model(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=16)).save_pretrained(folder)  # the download
        load(folder)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
