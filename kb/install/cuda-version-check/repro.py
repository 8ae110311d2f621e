"""A script that reports the CUDA of the nvcc on PATH (a stub here that answers like CUDA 10.1's) reports another one than torch's own libraries
name; torch.version.cuda agrees with them (both have none in a build without CUDA)."""

import json
import os
import re
import subprocess
import sys

import torch

NVCC = '#!/bin/sh\necho "nvcc: NVIDIA (R) Cuda compiler driver"\necho "Cuda compilation tools, release 10.1, V10.1.243"\n'


def toolkit_version():
    with open("nvcc", "w") as file:
        file.write(NVCC)
    os.chmod("nvcc", 0o755)
    path = os.getcwd() + os.pathsep + os.environ["PATH"]
    said = subprocess.run(["nvcc", "--version"], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True).stdout
    return re.search(r"release ([\d.]+)", said)[1]


def runtime_version():
    said = torch.__config__.show()  # what the compiled libraries say of themselves; "CUDA Runtime" only where there is a GPU
    found = re.search(r"CUDA(?: Runtime |_VERSION=)(\d+\.\d+)", said)
    return found[1] if found else None


def report(said, toolkit):
    runtime = runtime_version()
    print(json.dumps({"reported": said, "toolkit": toolkit, "torch": torch.__version__, "torch_cuda": runtime}), flush=True)
    if said != runtime:
        sys.exit(f"symptom: the toolkit on PATH says CUDA {said}, torch was built with {runtime}")


def broken():
    toolkit = toolkit_version()
    report(toolkit, toolkit)


def fixed():
    toolkit = toolkit_version()  # of use for building extensions only
    report(torch.version.cuda, toolkit)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
