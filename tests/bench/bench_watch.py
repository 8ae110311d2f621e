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

from torchwhy.run.child.hooks import load_own
from torchwhy.run.watched import guard_files

ROUNDS, EARLY_STEPS = 5, 50


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


def times_ms(step: Callable[[], None], count: int) -> list[float]:
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        step()
        times.append(1000 * (time.perf_counter() - begun))
    return times


def compare(step: Callable[[], None]) -> dict[str, float]:
    """Milliseconds of a step: the median without the watch, and what it adds to the median and to the mean.

    `early`: the mean of its first EARLY_STEPS steps, which are looked at more often, beside as many without it.
    """
    watch = load_own("watch")
    without, more, early = [], [], []
    step()
    for _ in range(ROUNDS):
        bare = times_ms(step, EARLY_STEPS)
        on = watch.Watch(watch.load_guards(guard_files()), lambda finding: None).start(adopt=True)
        first, later = times_ms(step, EARLY_STEPS), times_ms(step, EARLY_STEPS)
        on.stop()
        without.append(statistics.median(bare))
        early.append(statistics.fmean(first) - statistics.fmean(bare))
        more.append(statistics.median(later) - statistics.median(bare))
    base = statistics.median(without)
    found = {"ms_more": statistics.median(more), "ms_more_early": statistics.median(early)}
    shares = {name.replace("ms", "share"): value / base for name, value in found.items()}
    return {name: round(value, 3) for name, value in {"ms_without": base, **found, **shares}.items()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    figures = {
        "50 ms, 20 modules": compare(deep(20, 512, 192)),
        "200 small modules": compare(deep(200, 32, 8)),
    }
    print(json.dumps(figures, indent=1))
