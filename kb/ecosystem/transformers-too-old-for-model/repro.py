"""A config.json names a model_type that this release of transformers does not have, as the checkpoint of a newer model does. One that it has
loads."""

import json
import os
import sys
import tempfile

from transformers import AutoConfig


def load(model_type):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "config.json"), "w") as f:
            json.dump({"model_type": model_type, "hidden_size": 64}, f)
        print(type(AutoConfig.from_pretrained(folder)).__name__)


def broken():
    load("bert_of_next_year")


def fixed():
    load("bert")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
