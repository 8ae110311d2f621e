"""A small Llama is asked for FlashAttention in an environment without that package: transformers refuses. torch's own attention computes the
same."""

import importlib.util
import sys

import torch
from transformers import AutoModelForCausalLM, LlamaConfig

if importlib.util.find_spec("flash_attn"):
    print("needs an environment without flash_attn", file=sys.stderr)
    sys.exit(125)


def answer(attention):
    torch.manual_seed(0)
    config = LlamaConfig(vocab_size=32, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2)
    model = AutoModelForCausalLM.from_config(config, attn_implementation=attention, dtype=torch.bfloat16)
    print(model.config._attn_implementation, model(torch.tensor([[1, 2, 3]])).logits.shape)


def broken():
    answer("flash_attention_2")


def fixed():
    answer("sdpa")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
