"""Two prompts of different length are generated in one batch, filled up with pad tokens on the right: transformers warns. On the left, the
short prompt gives the same tokens as alone."""

import sys

import torch
from transformers import LlamaConfig, LlamaForCausalLM

PAD = 0
torch.manual_seed(0)
sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
model = LlamaForCausalLM(LlamaConfig(vocab_size=50, bos_token_id=1, eos_token_id=None, pad_token_id=PAD, **sizes)).eval()
prompts = [[5, 6, 7, 8, 9, 10, 11, 12], [20, 21, 22]]


def generate(ids):
    out = model.generate(ids, attention_mask=(ids != PAD).long(), max_new_tokens=8, do_sample=False)
    return out[-1, ids.shape[1] :].tolist()


def compare(pad):
    longest = max(map(len, prompts))
    batch = torch.tensor([pad(prompt, [PAD] * (longest - len(prompt))) for prompt in prompts])
    print("alone:   ", generate(torch.tensor(prompts[1:])))
    print("in batch:", generate(batch))


def broken():
    compare(lambda prompt, padding: prompt + padding)


def fixed():
    compare(lambda prompt, padding: padding + prompt)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
