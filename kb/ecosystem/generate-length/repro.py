"""max_length counts the prompt as well: with a prompt of 10 tokens and max_length=8 no answer fits. max_new_tokens=8 counts the answer alone."""

import sys

import torch
from transformers import LlamaConfig, LlamaForCausalLM


def answer(**limit):
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
    prompt = torch.ones(1, 10, dtype=torch.long)
    out = LlamaForCausalLM(config).eval().generate(prompt, attention_mask=torch.ones_like(prompt), **limit)
    print(out.shape[1] - prompt.shape[1], "new tokens")


def broken():
    answer(max_length=8)


def fixed():
    answer(max_new_tokens=8)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
