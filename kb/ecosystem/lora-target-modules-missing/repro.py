"""LoRA is asked to adapt the layers of a Llama in a tiny GPT-2, which has none of these names. With GPT-2's own name it adapts."""

import sys

from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel


def adapt(names):
    model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_embd=8, n_layer=1, n_head=2, n_positions=16))
    model = get_peft_model(model, LoraConfig(target_modules=names, fan_in_fan_out=True))
    model.print_trainable_parameters()


def broken():
    adapt(["q_proj", "v_proj"])


def fixed():
    adapt(["c_attn"])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
