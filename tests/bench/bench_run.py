"""What the hook of `torchwhy run` costs a program: `python tests/bench/bench_run.py [RUNS]` (5 unless given).

Prints the processor time that it adds to the start of a Python, and that of a training step with it as a ratio to that
without; bare and hooked runs in turn, so that a machine whose speed drifts treats both alike. Asserts nothing.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

if __package__ in (None, ""):  # run as a script
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from torchwhy.run.environment import child_environment

STARTS = 21
STARTED = {"python -c pass": "pass", "python -c 'import json'": "import json"}
TRAINING = """
import time, torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
optimizer = torch.optim.Adam(model.parameters())
x, y = torch.randn(64, 64), torch.randint(0, 10, (64,))
def steps(count):
    for _ in range(count):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
steps(200)
blocks = []
for _ in range(10):
    begun = time.process_time()
    steps(100)
    blocks.append((time.process_time() - begun) / 100)
print(sorted(blocks)[len(blocks) // 2])
"""


def environments(folder: str) -> dict[str, dict[str, str]]:
    """Bare and hooked."""
    bare = {**os.environ, "OMP_NUM_THREADS": "1"}
    return {"bare": bare, "hooked": child_environment(dict(bare), folder)}


def started(code: str, env: dict[str, str]) -> float:
    """Processor time of a whole Python, in seconds: what a busy machine does not stretch."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


def step(env: dict[str, str]) -> float:
    """The median over blocks of a step's processor time, in seconds."""
    done = subprocess.run(
        [sys.executable, "-c", TRAINING], env=env, check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        both = environments(folder)
        for name, code in STARTED.items():
            times: dict[str, list[float]] = {kind: [] for kind in both}
            for _ in range(STARTS):
                for kind, env in both.items():
                    times[kind].append(started(code, env))
            middle = {kind: 1000 * statistics.median(values) for kind, values in times.items()}
            more = middle["hooked"] - middle["bare"]
            print(f"{name:26} bare {middle['bare']:7.1f} ms, hooked {more:+6.1f} ms (medians of {STARTS})")
        pairs = [(step(both["bare"]), step(both["hooked"])) for _ in range(runs)]
        ratios = sorted(hooked / bare for bare, hooked in pairs)
        print(
            f"a training step, hooked to bare: median {statistics.median(ratios):.3f}, "
            f"{ratios[0]:.3f} to {ratios[-1]:.3f} over {runs} pairs"
        )


if __name__ == "__main__":
    main()
