"""A tokenizer's folder without its tokenizer.json: transformers has nothing to build it from. With the file it loads."""

import sys
import tempfile
from pathlib import Path

from tokenizers import Tokenizer, models
from transformers import AutoTokenizer, BertConfig, PreTrainedTokenizerFast


def load(with_file):
    folder = Path(tempfile.mkdtemp())
    words = Tokenizer(models.WordLevel({"[UNK]": 0, "loss": 1, "is": 2, "nan": 3}, unk_token="[UNK]"))
    BertConfig().save_pretrained(folder)
    PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]").save_pretrained(folder)
    if not with_file:
        (folder / "tokenizer.json").unlink()
    print(sorted(path.name for path in folder.iterdir()))
    print(len(AutoTokenizer.from_pretrained(folder)), "words")


def broken():
    load(with_file=False)


def fixed():
    load(with_file=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
