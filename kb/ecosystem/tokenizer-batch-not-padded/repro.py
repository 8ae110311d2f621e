"""Two sentences of different length are tokenised into one tensor: without padding the lists do not fit, with it they do."""

import sys
import tempfile
from pathlib import Path

from transformers import BertTokenizer

with tempfile.TemporaryDirectory() as folder:
    (Path(folder) / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c", "d"]))
    tokenizer = BertTokenizer(str(Path(folder) / "vocab.txt"))


def encode(**options):
    print(tokenizer(["a b", "a b c d"], return_tensors="pt", **options)["input_ids"].tolist())


def broken():
    encode()


def fixed():
    encode(padding=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
