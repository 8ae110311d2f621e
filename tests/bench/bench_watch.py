"""What `--watch` costs: CPU time of steps with and without it in one process, taken in turns.

python -m tests.bench.bench_watch: prints one JSON object. No assertion: times are the machine's.
"""

from __future__ import annotations

import ctypes
import json
import statistics
import sys
import time
from collections.abc import Callable

import torch
from torch import nn

from torchwhy.run.child.hooks import load_own
from torchwhy.run.watched import guard_files

TURNS, TURN_STEPS = 12, 25


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


def times(
    step: Callable[[], None], count: int, kind: Callable[[], str], told: dict[str, list[float]]
) -> None:
    """Milliseconds of CPU time of so many steps, by their kind: other programs on the machine take none."""
    for _ in range(count):
        name, begun = kind(), time.thread_time()
        step()
        told.setdefault(name, []).append(1000 * (time.thread_time() - begun))


def compare(step: Callable[[], None]) -> dict[str, float]:
    """Milliseconds of a step without the watch, and what it adds to one of the first steps, to one at rest, to
    one that is looked at later, and to both of these as often as they come. Lower quartiles: a busy machine
    only adds.
    """
    watch = load_own("watch")
    looking = sys.modules["torchwhy_watch_looking"]
    told: dict[str, list[float]] = {}
    on = watch.Watch(watch.load_guards(guard_files()), lambda finding: None).start(adopt=True)
    times(step, looking.FIRST_STEPS, lambda: "first", told)
    for _ in range(TURNS):
        times(step, TURN_STEPS, lambda: "look" if on.looking else "rest", told)
        on.live = False
        on.put_back(on.replaced)
        times(step, TURN_STEPS, lambda: "without", told)
        for record in on.replaced:
            record.put()
        on.live, on.step_at = True, time.perf_counter()
    on.stop()
    ms = {name: statistics.quantiles(values, n=4)[0] for name, values in told.items()}
    base, rest, looks = ms["without"], looking.MAX_REST, looking.AGAIN_STEPS
    ms["steady"] = (rest * ms["rest"] + looks * ms["look"]) / (rest + looks)
    found = {"ms_without": base}
    found |= {f"ms_more_{name}": ms[name] - base for name in ("first", "rest", "look", "steady")}
    found["share_more_steady"] = found["ms_more_steady"] / base
    return {name: round(value, 3) for name, value in found.items()}


def keep_memory() -> None:
    """Let the C library keep what is freed: whether it gives that back to the system between two steps is chance
    of where small things lie, and costs milliseconds (a fault for each page) with the watch and without it.
    """
    library = ctypes.CDLL(None)
    for name, value in ((-1, 1 << 30), (-3, 1 << 25)):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
        library.mallopt(name, value)


if __name__ == "__main__":
    torch.set_num_threads(1)
    keep_memory()
    figures = {
        "50 ms, 20 modules": compare(deep(20, 512, 192)),
        "200 small modules": compare(deep(200, 32, 8)),
    }
    print(json.dumps(figures, indent=1))
