"""A DeepSpeed config whose train_batch_size is no product of its other two sizes is refused. Without it, DeepSpeed multiplies."""

import sys

from deepspeed.runtime.config import DeepSpeedConfig


def read(config):
    read = DeepSpeedConfig(config)
    print("a step takes", read.train_batch_size, "on", read.world_size, "process")


def broken():
    read({"train_batch_size": 16, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 1})


def fixed():
    read({"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 1})


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
