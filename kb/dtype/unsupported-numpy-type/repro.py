"""A table with one missing cell becomes an array of Python objects, which torch cannot hold. Converted to float32 (None
turns into nan) and cleaned, it can."""

import sys

import numpy
import torch

table = numpy.array([[5.1, 3.5, 1], [4.9, None, 0], [6.2, 2.9, 1]], dtype=object)  # as read from a csv file


def load(convert):
    features = torch.from_numpy(convert(table))
    print(features.dtype, tuple(features.shape), features.nan_to_num().tolist())


def broken():
    load(lambda array: array)


def fixed():
    load(lambda array: array.astype(numpy.float32))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
