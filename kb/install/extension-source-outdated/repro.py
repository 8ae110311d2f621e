"""A line of an old extension is compiled against today's torch: its macro AT_CHECK no longer exists. TORCH_CHECK is the same."""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch

SOURCE = """
#include <c10/util/Exception.h>
void check(int channels) {{ {macro}(channels == 3, "three channels are expected"); }}
"""


def compile_with(macro):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "op.cpp")
        file.write_text(SOURCE.format(macro=macro))
        include = f"-I{Path(torch.__file__).parent / 'include'}"
        done = subprocess.run(["g++", "-std=c++17", "-fsyntax-only", include, str(file)], check=False)
    sys.exit(done.returncode)


def broken():
    compile_with("AT_CHECK")


def fixed():
    compile_with("TORCH_CHECK")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
