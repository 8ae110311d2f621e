"""What a training does, seen from inside the program that trains: events for the guards of the knowledge.

The parts need the standard library and the program's own torch (Python 3.8 and later, torch 1.13 and later)
and import nothing of torchwhy but one another. `torchwhy run --watch` loads them once torch is imported
there; `torchwhy.watch()` does too. A guard is a class `Guard(Watching)` in an entry's guard.py: each of its
methods `on_...` hears of one kind of event. A guard that raises is switched off. Nothing here draws random
numbers, changes a value or waits for a GPU; `stop` puts back all that `start` replaced.
"""

# ruff: noqa: F401 (what guards and runs import from here)
from __future__ import annotations

from time import perf_counter, thread_time
from time import time as now

from torchwhy_crash_context import names_of
from torchwhy_watch_core import Watch, Watching, load_guards, quietly
from torchwhy_watch_held import Walk, free_bytes, memory_held, size_shown, smaps
from torchwhy_watch_in_run import Files, start_in_run
from torchwhy_watch_probing import NotAnswered, padded, same
from torchwhy_watch_ranks import (
    RankFiles,
    difference,
    digest,
    leaves_apart,
    of_all_ranks,
    rows_of,
    scale_of,
    several_ranks,
)
from torchwhy_watch_seen import NotFinite, hooks_of, own_parameters, rate_of
from torchwhy_watch_training import CLASSIFYING, FITTING
from torchwhy_watch_values import (
    VIEWS,
    behind,
    following,
    graph,
    made_by,
    node_name,
    node_shape,
    nodes_from,
    not_finite,
    on_cpu,
    plain,
    tensors_in,
)
