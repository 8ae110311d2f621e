"""A random generator that every worker inherited in the same state, and draws from."""

import functools

MESSAGES = {
    "same": (
        "worker {number} draws from `{name}` ({kind}) in the very state that every other worker inherited: all repeat the same random numbers",
        "worker {number} 使用 `{name}`（{kind}），其状态与其他 worker 继承的完全相同：所有 worker 重复同样的随机数",
    )
}
SECOND = 1  # the worker that tells: one that is alone has nobody to repeat


class Guard:
    def __init__(self, watch):
        self.watch, self.at, self.counts = watch, ("?", 0), 0

    def on_loader(self, loader, at):
        self.at, self.workers = at, loader.num_workers

    def on_worker(self, dataset, number, fetch):
        if number != SECOND:
            return None
        inherited = states(dataset)

        @functools.wraps(fetch)
        def fetched(fetcher, indices):
            before = states(dataset)
            batch = fetch(fetcher, indices)
            after = states(dataset)
            for name, (kind, state) in before.items():
                if (
                    name in inherited
                    and state == inherited[name][1]
                    and name in after
                    and after[name][1] != state
                ):
                    self.watch.report("same", self.at, number=number, name=name, kind=kind)
            type(fetcher).fetch = fetch  # once is enough
            return batch

        return fetched if inherited else None


def states(dataset):
    """The generators that a data set reaches, with their states as text; numpy's own under `numpy.random`."""
    import random
    import sys

    found = {}
    numpy = sys.modules.get("numpy")
    holders = [("dataset", dataset)]
    holders += [("dataset." + name, one) for name, one in vars(dataset).items() if hasattr(one, "__dict__")]
    for owner, holder in holders[:32]:
        for name, one in list(getattr(holder, "__dict__", {}).items()):
            kind = type(one).__name__
            if isinstance(one, random.Random):
                found["%s.%s" % (owner, name)] = (kind, hash(one.getstate()))
            elif numpy is not None and isinstance(one, numpy.random.Generator):
                found["%s.%s" % (owner, name)] = (kind, str(one.bit_generator.state))
            elif numpy is not None and isinstance(one, numpy.random.RandomState):
                found["%s.%s" % (owner, name)] = (
                    kind,
                    hash(one.get_state()[1].tobytes()) + one.get_state()[2],
                )
            elif kind == "Generator" and type(one).__module__ == "torch._C":
                found["%s.%s" % (owner, name)] = ("torch.Generator", hash(bytes(one.get_state().tolist())))
    if numpy is not None:
        state = numpy.random.get_state()
        found["numpy.random"] = ("global", hash(state[1].tobytes()) + state[2])
    return found
