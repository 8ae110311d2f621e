"""bf16=True asks the Trainer for bfloat16 on a GPU, and there is none that has it. With use_cpu=True it is bfloat16 on the processor."""

import sys
import tempfile

import torch
from transformers import TrainingArguments

if torch.cuda.is_available() and torch.cuda.is_bf16_supported():
    print("needs a machine without a GPU that has bfloat16", file=sys.stderr)
    sys.exit(125)


def arguments(**settings):
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(output_dir=folder, bf16=True, report_to=[], **settings)
        print(args.device, args.bf16)


def broken():
    arguments()


def fixed():
    arguments(use_cpu=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
