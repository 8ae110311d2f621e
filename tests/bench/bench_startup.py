"""Whole-process times as ratios to `python -c "import numpy"` in the same run: `python tests/bench/bench_startup.py [RUNS]`.

Prints medians; asserts nothing. Bytecode is kept, as an installation keeps it, and but for the last the index is built first: only
answering is timed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "import numpy": ["-c", "import numpy"],
    "settled by a signature": [
        "-m",
        "torchwhy",
        "RuntimeError: Trying to backward through the graph a second time",
    ],
    "settled, as JSON": [
        "-m",
        "torchwhy",
        "--json",
        "RuntimeError: Trying to backward through the graph a second time",
    ],
    "needs vectors": ["-m", "torchwhy", "my loss is fine but the accuracy never moves"],
    "list": ["-m", "torchwhy", "list"],
    "the first, empty cache": ["-m", "torchwhy", "my loss is fine but the accuracy never moves"],
}


def seconds(name: str) -> float:
    words, env = COMMANDS[name], {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    if not name.endswith("empty cache"):
        return timed(words, env)
    with tempfile.TemporaryDirectory() as folder:
        return timed(words, {**env, "TORCHWHY_CACHE": folder})


def timed(words: list[str], env: dict[str, str]) -> float:
    started = time.perf_counter()
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
    for name in COMMANDS:
        seconds(name)
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):  # in turn, so that a machine whose speed drifts treats all alike
        for name in COMMANDS:
            times[name].append(seconds(name))
    base = statistics.median(times["import numpy"])
    for name, values in times.items():
        print(
            f"{name:24} {1000 * statistics.median(values):7.0f} ms   {statistics.median(values) / base:5.2f} times import numpy"
        )


if __name__ == "__main__":
    main()
