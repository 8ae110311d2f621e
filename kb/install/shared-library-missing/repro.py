"""An operator library is linked against a second library that the loader cannot find at run time; an rpath beside the file lets it be found."""

import os
import shutil
import subprocess
import sys

import torch


def build(*flags):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not compiler or sys.platform != "linux":
        print("needs g++ or clang++ on Linux", file=sys.stderr)
        sys.exit(125)
    os.mkdir("lib")
    with open("helper.cpp", "w") as file:
        file.write('extern "C" int scale() { return 3; }\n')
    with open("ops.cpp", "w") as file:
        file.write('extern "C" int scale();\nextern "C" int twice() { return 2 * scale(); }\n')
    subprocess.run([compiler, "-shared", "-fPIC", "helper.cpp", "-o", "lib/libhelper.so", "-Wl,-soname,libhelper.so"], check=True)
    subprocess.run([compiler, "-shared", "-fPIC", "ops.cpp", "-o", "libops.so", "-Llib", "-lhelper", *flags], check=True)


def broken():
    build()
    torch.ops.load_library(os.path.abspath("libops.so"))


def fixed():
    build("-Wl,-rpath,$ORIGIN/lib")
    torch.ops.load_library(os.path.abspath("libops.so"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
