"""A random generator that every worker inherited in the same state, and draws from."""

import functools
import random
import sys

from torchwhy_watch import Watching

MESSAGES = {
    "same": (
        "worker {number} draws from `{name}` ({kind}) in the very state that every other worker inherited: all repeat the same random numbers",
        "worker {number} 使用 `{name}`（{kind}），其状态与其他 worker 继承的完全相同：所有 worker 重复同样的随机数",
    )
}
SECOND = 1  # the worker that tells: one that is alone has nobody to repeat


class Guard(Watching):
    def begin(self):
        self.at = ("?", 0)

    def on_loader(self, loader, at):
        self.at = at

    def on_worker(self, dataset, number, fetch):
        inherited = states(dataset) if number == SECOND else {}

        @functools.wraps(fetch)
        def fetched(fetcher, indices):
            before = states(dataset)
            batch = fetch(fetcher, indices)
            after = states(dataset)
            for name in inherited.keys() & before.keys() & after.keys():
                if inherited[name][1] == before[name][1] != after[name][1]:
                    self.report("same", self.at, number=number, name=name, kind=before[name][0])
            type(fetcher).fetch = fetch  # once is enough
            return batch

        return fetched if inherited else None


def states(dataset):
    """The generators that a data set reaches, with their states as text; numpy's own under `numpy.random`."""
    holders = [("dataset", dataset)]
    holders += [("dataset." + name, one) for name, one in vars(dataset).items() if hasattr(one, "__dict__")]
    found = {
        "%s.%s" % (owner, name): state_of(one)
        for owner, holder in holders[:32]
        for name, one in list(getattr(holder, "__dict__", {}).items())
    }
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        found["numpy.random"] = ("global", of_legacy(numpy.random.get_state()))
    return {name: told for name, told in found.items() if told is not None}


def state_of(one):
    """(kind, state) of a generator; None of anything else."""
    kind, module = type(one).__name__, type(one).__module__
    numpy = sys.modules.get("numpy")
    if isinstance(one, random.Random):
        return kind, hash(one.getstate())
    if numpy is not None and isinstance(one, numpy.random.Generator):
        return kind, str(one.bit_generator.state)
    if numpy is not None and isinstance(one, numpy.random.RandomState):
        return kind, of_legacy(one.get_state())
    if kind == "Generator" and module == "torch._C":
        return "torch.Generator", hash(bytes(one.get_state().tolist()))
    return None


def of_legacy(state):
    return hash(state[1].tobytes()) + state[2]
