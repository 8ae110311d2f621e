"""A text of 40 tokens goes into a BERT with 32 positions: the tokenizer warns, the model looks for a position that it does not have. Cut to
the model's length, it runs."""

import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

words = {word: number for number, word in enumerate(["[UNK]", "[PAD]", "a", "long", "text"])}
rules = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
rules.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=rules, unk_token="[UNK]", pad_token="[PAD]", model_max_length=32)
sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
model = BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=32, **sizes)).eval()
text = "a long long text " * 10


def embed(**options):
    with torch.inference_mode():
        print(model(**tokenizer(text, return_tensors="pt", **options)).last_hidden_state.shape)


def broken():
    embed()


def fixed():
    embed(truncation=True, max_length=model.config.max_position_embeddings)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
