"""Whole-process times as ratios to `python -c "import numpy"` in the same run: `python tests/bench/bench_startup.py [RUNS]`.

Prints medians; asserts nothing. The index is built first, so that only answering is timed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "import numpy": ["-c", "import numpy"],
    "settled by a signature": [
        "-m",
        "assistant",
        "RuntimeError: Trying to backward through the graph a second time",
    ],
    "settled, as JSON": [
        "-m",
        "assistant",
        "--json",
        "RuntimeError: Trying to backward through the graph a second time",
    ],
    "needs vectors": ["-m", "assistant", "my loss is fine but the accuracy never moves"],
    "list": ["-m", "assistant", "list"],
}


def seconds(words: list[str]) -> float:
    started = time.perf_counter()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        env=env,
        check=False,
    )
    return time.perf_counter() - started


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    for words in COMMANDS.values():
        seconds(words)
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):  # in turn, so that a machine whose speed drifts treats all alike
        for name, words in COMMANDS.items():
            times[name].append(seconds(words))
    base = statistics.median(times["import numpy"])
    for name, values in times.items():
        print(
            f"{name:24} {1000 * statistics.median(values):7.0f} ms   {statistics.median(values) / base:5.2f} times import numpy"
        )


if __name__ == "__main__":
    main()
