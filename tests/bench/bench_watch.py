"""What `--watch` costs, as ratios of steps with and without it in one process, taken in turns.

python -m tests.bench.bench_watch: prints one JSON object. No assertion: times are the machine's.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable

import torch
from torch import nn

from assistant.run.child.sitecustomize import load_own
from assistant.run.watched import guard_files

ROUNDS, STEPS = 5, 24


def deep(layers: int, width: int, batch: int) -> Callable[[], None]:
    """A training step through so many modules."""
    parts: list[nn.Module] = []
    for _ in range(layers // 2):
        parts += [nn.Linear(width, width), nn.LayerNorm(width)]
    net = nn.Sequential(*parts)
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
    x, y = torch.randn(batch, width), torch.randn(batch, width)

    def step() -> None:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()

    return step


def per_step_ms(step: Callable[[], None]) -> float:
    times = []
    for _ in range(STEPS):
        begun = time.perf_counter()
        step()
        times.append(1000 * (time.perf_counter() - begun))
    return statistics.median(times)


def compare(step: Callable[[], None]) -> dict[str, float]:
    """Median milliseconds of a step, without and with the watch, past its first steps."""
    watch = load_own("watch")
    without, watched = [], []
    step()
    for _ in range(ROUNDS):
        without.append(per_step_ms(step))
        on = watch.Watch(watch.load_guards(guard_files()), lambda finding: None).start(adopt=True)
        for _ in range(52):  # behind the early steps, which are looked at more often
            step()
        watched.append(per_step_ms(step))
        on.stop()
    pairs = [b - a for a, b in zip(without, watched, strict=True)]
    base, more = statistics.median(without), statistics.median(pairs)
    return {"ms_without": round(base, 3), "ms_more": round(more, 3), "ratio": round(1 + more / base, 4)}


if __name__ == "__main__":
    torch.set_num_threads(1)
    figures = {
        "50 ms, 20 modules": compare(deep(20, 512, 192)),
        "200 small modules": compare(deep(200, 32, 8)),
    }
    print(json.dumps(figures, indent=1))
