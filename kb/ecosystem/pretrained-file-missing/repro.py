"""A folder with a config.json and the weights one level deeper: from_pretrained finds no file of the name that it looks for. Told the
subfolder, it loads them."""

import os
import sys
import tempfile

from transformers import AutoModel, BertConfig, BertModel


def load(**options):
    with tempfile.TemporaryDirectory() as folder:
        config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
        config.save_pretrained(folder)
        BertModel(config).save_pretrained(os.path.join(folder, "checkpoint-100"))
        model = AutoModel.from_pretrained(folder, **options)
        print(sum(parameter.numel() for parameter in model.parameters()), "parameters loaded")


def broken():
    load()


def fixed():
    load(subfolder="checkpoint-100")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
