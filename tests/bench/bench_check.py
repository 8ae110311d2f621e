"""`torchwhy check` on one core: a first file of 500 lines, and 1,000 files beside TorchFix in the same run.

`python tests/bench/bench_check.py [TORCHFIX]` prints seconds of CPU and the ratio; asserts nothing. TORCHFIX is the program
of an environment that has it (pip install torchfix); without it, only our own times are printed.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = 1000
FIRST_LINES = 500
RUNS = 3


def sources() -> list[str]:
    """Programs of many kinds: the entries' scripts and the rules' own test programs."""
    found = [*(ROOT / "kb").glob("[!_.]*/*/repro.py"), *(ROOT / "tests" / "lint" / "programs").glob("*/*.py")]
    return [path.read_text("utf-8") for path in sorted(found)]


def first_file(texts: Sequence[str]) -> str:
    """Functions of several scripts as one file of FIRST_LINES lines."""
    lines: list[str] = []
    for text in texts:
        lines += [f"def part_{len(lines)}():", *(f"    {line}" for line in text.split("\n")), "    pass", ""]
        if len(lines) >= FIRST_LINES:
            break
    return "\n".join(lines[:FIRST_LINES]) + "\n"


def timed(command: Sequence[str], folder: str) -> tuple[float, float]:
    """(seconds, seconds of CPU) of one command on one core."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command,
        cwd=folder,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}),
    )
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(command: Sequence[str], folder: str, runs: int) -> tuple[float, float]:
    """The run with the least CPU, since the machine may be busy with other things."""
    return min((timed(command, folder) for _ in range(runs)), key=lambda each: each[1])


def main() -> None:
    texts = sources()
    own = [sys.executable, "-m", "torchwhy", "check"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "first.py").write_text(first_file(texts), "utf-8")
        wall, cpu = best([*own, "first.py"], folder, RUNS)
        print(f"a first file of {FIRST_LINES} lines: {cpu:.2f} s of CPU, {wall:.2f} s")
        many = Path(folder, "many")
        many.mkdir()
        for at in range(FILES):
            many.joinpath(f"program_{at}.py").write_text(texts[at % len(texts)], "utf-8")
        _, ours = best([*own, "many"], folder, 1)
        print(f"{FILES} files: {ours:.1f} s of CPU")
        if len(sys.argv) > 1:
            _, theirs = best([sys.argv[1], "--select", "ALL", "many"], folder, 1)
            print(f"TorchFix, the same files: {theirs:.1f} s of CPU; {theirs / ours:.1f} times as long")


if __name__ == "__main__":
    main()
