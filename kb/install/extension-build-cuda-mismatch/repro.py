"""The setup.py of an operator asks for a CUDAExtension where no CUDA toolkit is found; choosing the kind by CUDA_HOME builds the C++ part."""

import sys

from torch.utils import cpp_extension


def describe(extension):
    module = extension("ops", ["ops.cpp"], extra_compile_args=["-O2"])
    print("would build", module.name, "from", *module.sources)


def broken():
    describe(cpp_extension.CUDAExtension)


def fixed():
    describe(cpp_extension.CUDAExtension if cpp_extension.CUDA_HOME else cpp_extension.CppExtension)


if __name__ == "__main__":
    if cpp_extension.CUDA_HOME:
        print("a CUDA toolkit is installed here", file=sys.stderr)
        sys.exit(125)
    fixed() if "--fixed" in sys.argv[1:] else broken()
