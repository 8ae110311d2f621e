"""What `--watch` costs: CPU time of steps with and without it in one process, taken in turns.

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

EARLY_STEPS, TURNS, TURN_STEPS = 50, 12, 25


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


def ms_a_step(step: Callable[[], None], count: int) -> float:
    """The mean CPU time of so many steps: other programs on the machine take none of it."""
    begun = time.thread_time()
    for _ in range(count):
        step()
    return 1000 * (time.thread_time() - begun) / count


def compare(step: Callable[[], None]) -> dict[str, float]:
    """Milliseconds of a step without the watch, and what it adds: to the first EARLY_STEPS, which are looked
    at more often, and later in turns of TURN_STEPS each, one of which is looked at.
    """
    watch = load_own("watch")
    ms_a_step(step, EARLY_STEPS)
    early_bare = ms_a_step(step, EARLY_STEPS)
    on = watch.Watch(watch.load_guards(guard_files()), lambda finding: None).start(adopt=True)
    early = ms_a_step(step, EARLY_STEPS) - early_bare
    bare, more = [], []
    for _ in range(TURNS):
        watched = ms_a_step(step, TURN_STEPS)
        on.live = False
        on.put_back(on.replaced)
        bare.append(ms_a_step(step, TURN_STEPS))
        more.append(watched - bare[-1])
        for record in on.replaced:
            record.put()
        on.live, on.step_at = True, time.perf_counter()
    on.stop()
    base = statistics.median(bare)
    found = {"ms_without": base, "ms_more": statistics.median(more), "ms_more_early": early}
    found |= {"share_more": found["ms_more"] / base, "share_more_early": early / base}
    return {name: round(value, 3) for name, value in found.items()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    figures = {
        "50 ms, 20 modules": compare(deep(20, 512, 192)),
        "200 small modules": compare(deep(200, 32, 8)),
    }
    print(json.dumps(figures, indent=1))
