"""The tokenizer's output holds token_type_ids, which this model does not take, and all of it goes to generate(): refused. Without them it writes."""

import sys

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def answer(take_out):
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=16,
        hidden_size=8,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=0,
    )
    ids = torch.ones(1, 10, dtype=torch.long)
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "token_type_ids": torch.zeros_like(ids)}
    for name in take_out:
        del inputs[name]
    print(LlamaForCausalLM(config).eval().generate(**inputs, max_new_tokens=8).shape[1] - ids.shape[1], "new tokens")


def broken():
    answer([])


def fixed():
    answer(["token_type_ids"])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
