"""TrainingArguments is given evaluation_strategy, which transformers renamed to eval_strategy: a TypeError. The new name is taken."""

import sys
import tempfile

from transformers import TrainingArguments


def make(**options):
    arguments = TrainingArguments(output_dir=tempfile.mkdtemp(), report_to="none", use_cpu=True, **options)
    print(arguments.eval_strategy)


def broken():
    make(evaluation_strategy="no")


def fixed():
    make(eval_strategy="no")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
