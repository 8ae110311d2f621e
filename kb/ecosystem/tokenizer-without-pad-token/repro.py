"""Two texts of unequal length are to make one batch, and the tokenizer has no padding token, as GPT-2's has none.
With the end-of-text token in its place the batch is made."""

import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

words = Tokenizer(models.WordLevel({"<eos>": 0, "<unk>": 1, "to": 2, "be": 3, "or": 4, "not": 5}, unk_token="<unk>"))
words.pre_tokenizer = pre_tokenizers.Whitespace()


def encode(prepare):
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, unk_token="<unk>", eos_token="<eos>")
    prepare(tokenizer)
    batch = tokenizer(["to be or not to be", "to be"], padding=True, return_tensors="pt")
    labels = torch.where(batch["attention_mask"] == 1, batch["input_ids"], -100)
    print(batch["input_ids"].shape, labels.tolist())


def broken():
    encode(lambda tokenizer: None)


def fixed():
    encode(lambda tokenizer: setattr(tokenizer, "pad_token", tokenizer.eos_token))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
