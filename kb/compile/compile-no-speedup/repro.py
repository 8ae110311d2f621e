"""A chain of element-wise operations is compiled, but after each of them a value is read for a log: the graph breaks there, nothing can
be fused, and the compiled function is as slow as the plain one. Read once at the end, the chain becomes one loop."""

import json
import shutil
import sys
import time

import torch

STEPS = 12


def chain(x, read_each):
    for _ in range(STEPS):
        x = x * 1.01 + 0.5
        if read_each:
            read(x)
    return x


def read(x):
    if x[0].item() > 1e30:
        raise FloatingPointError("the chain has diverged")


def fastest_ms(functions, *arguments):
    """The shortest of ten calls of each, in turns: what else the machine does then slows all of them."""
    for function in functions:
        read(function(*arguments))
    times = [[] for _ in functions]
    for _ in range(10):
        for function, seconds in zip(functions, times):
            mark = time.perf_counter()
            read(function(*arguments))
            seconds.append(time.perf_counter() - mark)
    return [1000 * min(seconds) for seconds in times]


def run(read_each):
    if shutil.which("g++") is None and shutil.which("clang++") is None:
        print("needs a C++ compiler", file=sys.stderr)
        sys.exit(125)
    torch.set_num_threads(1)
    x = torch.ones(4_000_000)
    eager, compiled = fastest_ms([chain, torch.compile(chain)], x, read_each)
    print(json.dumps({"eager_ms": round(eager, 1), "compiled_ms": round(compiled, 1)}))
    if compiled > 0.4 * eager:
        sys.exit(f"symptom: compiled takes {compiled:.1f} ms, plain {eager:.1f} ms: hardly any gain")


def broken():
    run(read_each=True)


def fixed():
    run(read_each=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
