"""The Trainer resumes a GPT-2 whose output layer is tied to its embedding: the file holds the shared tensor once, and lm_head.weight is reported as missing although
it is loaded. Told that this key is left out on saving, the Trainer ties the two and reports nothing."""

import sys
import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


def resume(left_out):
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=32, n_positions=16, n_embd=8, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
    )
    folder = tempfile.mkdtemp()
    rows = [{"input_ids": torch.arange(8), "labels": torch.arange(8)} for _ in range(4)]
    for steps, checkpoint in (1, None), (2, f"{folder}/checkpoint-1"):
        model = GPT2LMHeadModel(config)
        model._keys_to_ignore_on_save = left_out
        arguments = TrainingArguments(
            folder, max_steps=steps, save_steps=1, report_to="none", use_cpu=True, disable_tqdm=True
        )
        Trainer(model, arguments, train_dataset=rows).train(resume_from_checkpoint=checkpoint)
    print("one tensor:", model.lm_head.weight is model.transformer.wte.weight)


def broken():
    resume(None)


def fixed():
    resume(["lm_head.weight"])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
