"""Options of a DataLoader that have nothing to do, as they are without them."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import argument, constant, last_name

# Options that speak to worker processes, and what they are where there are none.
OF_WORKERS = {
    "prefetch_factor": "None",
    "persistent_workers": "False",
    "multiprocessing_context": "None",
    "timeout": "0",
}


def without_workers(line: FailingLine, values: Values) -> LineEdit | None:
    """Where the number of workers is a name, the options hold as soon as it is not 0."""
    call = _loader(line)
    workers = argument(call, 5, "num_workers") if call is not None else None
    if line.source is None or call is None or (workers is not None and constant(workers) not in (None, 0)):
        return None
    asked = "" if workers is None or constant(workers) == 0 else ast.unparse(workers)
    parts = []
    for each in call.keywords:
        if each.arg in OF_WORKERS and not isinstance(each.value, ast.IfExp):
            off, place = OF_WORKERS[each.arg], line.source.place_of(each.value)
            parts.append((place, f"{ast.unparse(each.value)} if {asked} else {off}" if asked else off))
    return alone(line.put_all(parts) if parts else None)


def not_shuffled(line: FailingLine, values: Values) -> LineEdit | None:
    """`shuffle=False`: the sampler, or the stream, settles the order."""
    call = _loader(line)
    return alone(line.put(argument(call, 2, "shuffle"), "False") if call is not None else None)


def _loader(line: FailingLine) -> ast.Call | None:
    call = line.call
    return call if call is not None and "DataLoader" in last_name(call.func) else None
