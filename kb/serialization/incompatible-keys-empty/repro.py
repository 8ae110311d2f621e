"""The value of load_state_dict is shown, as a notebook does with the last line of a cell: it reads like a warning and means success. Kept in a
name and asked, it stays silent."""

import sys

from torch import nn

weights = nn.Linear(2, 2).state_dict()
model = nn.Linear(2, 2)


def broken():
    print(model.load_state_dict(weights))


def fixed():
    result = model.load_state_dict(weights)
    if result.missing_keys or result.unexpected_keys:
        sys.exit("some weights were not loaded")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
