"""Memory grows with the steps, and so does what a name holds; or a worker comes to copy a list of the data set."""

import functools
import weakref

from torchwhy_watch import (
    Walk,
    Watching,
    free_bytes,
    memory_held,
    perf_counter,
    size_shown,
    smaps,
    thread_time,
)

MESSAGES = {
    "kept": (
        "`{name}` holds {count} results, {size}, and {each} more with every step since step {first}; the process has grown by {grown} since then, and {free} are free",
        "`{name}` 保存了 {count} 个结果，共 {size}，自第 {first} 步起每步增加 {each}；其间进程增长了 {grown}，尚余 {free} 空闲",
    ),
    "kept_by_worker": (
        "worker {number} keeps what it loads: after {first} batches `{name}` holds {count} results, {size}; each worker has its own",
        "worker {number} 把加载过的都留着：{first} 个批次之后 `{name}` 保存了 {count} 个结果，共 {size}；每个 worker 各有一份",
    ),
    "copied": (
        "worker {number} has copied {size} of `{name}`, {count} Python objects, in {first} batches: reading an object writes its reference count; keep them in a tensor or a NumPy array",
        "worker {number} 在 {first} 个批次里复制了 `{name}`（{count} 个 Python 对象）的 {size}：读取对象会改写其引用计数；应保存在张量或 NumPy 数组中",
    ),
}
MIB = 1 << 20
FIRST, FASTER, LOOKS = 6, 1.5, 4  # the first look; each next one so many times later; looks that must agree
LEAST, LEAST_SHARE = 64 * MIB, 0.2  # what matters: so much, and that part of what was held before
LEAST_COPIED, LEAST_OBJECTS = 16 * MIB, 50_000
EARLY_BATCHES, MAX_EARLY_S = 40, 0.02  # of a worker, whose first looks are cheap
TIMES_LATER = 20  # a look that took long waits so many times longer for the next one
FIGURES = {"host": "host", "shared": "shared", "device": "accelerator"}


class Growth:
    """What names held at the looks since they last shrank: (look, elements, bytes, more) of each."""

    def __init__(self):
        self.past, self.emptied = {}, set()

    def add(self, key, held, look, more):
        past = self.past.setdefault(key, [])
        if past and held.count < past[-1][1]:
            self.emptied.add(key)
        if past and (held.count <= past[-1][1] or held.bytes <= past[-1][2]):
            past.clear()
        past.append((look, held.count, held.bytes, more))
        return past


class Guard(Watching):
    always = ("on_stepped",)

    def begin(self):
        self.next, self.not_before, self.growth, self.told = FIRST, 0.0, Growth(), set()
        self.loaders, self.datasets, self.at = {}, {}, ("?", 0)

    def on_loader(self, loader, at):
        self.loaders[at] = self.loaders.get(at, 0) + 1
        if len(self.datasets) < 8:
            try:
                self.datasets[at] = weakref.ref(vars(loader).get("dataset"))
            except TypeError:
                pass  # a plain list
        self.at = at

    def on_stepped(self, stepped, at):
        step = self.watch.step
        if step < self.next or perf_counter() < self.not_before:
            return
        begun = thread_time()
        self.next = int(step * FASTER) + 1
        where = self.watch.where
        walk = Walk(where, where.frame(), [held() for held in self.datasets.values()])
        memory = memory_held()
        for place, name in FIGURES.items():
            if memory.get(place):
                self.watch.figures.add("%s memory, MiB" % name, step, memory[place] / MIB)
        for key, held in walk.found.items():
            grown = self._grown(key, held, step, memory)
            if grown is not None and key not in self.told and not held.bounded():
                self.told.add(key)
                self._tell(held, held.line_that_adds() or at, *grown)
        if not walk.cut:
            for key in self.growth.past.keys() - walk.found.keys():
                del self.growth.past[key]
        self.not_before = perf_counter() + TIMES_LATER * (thread_time() - begun)

    def _grown(self, key, held, step, memory):
        """(first step, what the process has grown by, bytes a step) where growth is steady, explained and large."""
        passes = max(self.loaders.values(), default=0)
        past = self.growth.add(key, held, step, (memory.get(held.place), passes))
        if len(past) < LOOKS or key in self.growth.emptied:
            return None
        (first, _, least, (base, began)), before, now = past[0], past[-2], memory.get(held.place)
        size = held.bytes - least
        rate, latest = size / (step - first), (held.bytes - before[2]) / (step - before[0])
        if base is None or now is None or not 0.5 * rate <= latest <= 2 * rate:
            return None
        if size < max(LEAST, LEAST_SHARE * base) or now - base < 0.5 * size:
            return None
        if self.loaders and passes == began and now - base < free_bytes(held.place):
            return None  # it may be emptied when the pass over the data ends
        return first, now - base, rate

    def _tell(self, held, at, first, grown, rate):
        sizes = {"size": held.bytes, "each": rate, "grown": grown, "free": free_bytes(held.place)}
        told = {name: size_shown(size) for name, size in sizes.items()}
        told.update(name=held.name, count=held.count, first=first)
        if held.place == "host":
            self.report("kept", at, **told)
        else:
            self.watch.fire("on_growth", held.place, at, told)

    def on_worker(self, dataset, number, fetch):
        return None if number else Worker(self, dataset, number, fetch).fetched  # one tells for all


class Worker:
    """The data set of a worker, looked at after a few batches, with growing gaps."""

    def __init__(self, guard, dataset, number, fetch):
        self.guard, self.dataset, self.number, self.batches, self.next = guard, dataset, number, 0, 1
        self.not_before, self.growth, self.private, self.told = 0.0, Growth(), [], False

        @functools.wraps(fetch)
        def fetched(fetcher, indices):
            batch = fetch(fetcher, indices)
            self.batches += 1
            if self.batches >= self.next and not self.told and perf_counter() >= self.not_before:
                self.next = int(self.batches * FASTER) + 1
                try:
                    self._look()
                except Exception:
                    self.told = True
            return batch

        self.fetched = fetched

    def _look(self):
        begun = thread_time()
        found = Walk(self.guard.watch.where, None, [self.dataset], objects=True).found
        memory = memory_held()
        for key, held in found.items():
            past = self.growth.add(key, held, self.batches, memory.get("host"))
            base, grown = past[0][3], held.bytes - past[0][2]
            if len(past) < LOOKS or base is None or grown < LEAST or memory["host"] - base < 0.5 * grown:
                continue
            # what is kept by index is all there after one pass
            if (held.kind != "dict" or memory["host"] - base > free_bytes("host")) and not held.bounded():
                self._tell("kept_by_worker", held, held.bytes)
                return
        many = [one for one in found.values() if one.kind != "value" and one.count >= LEAST_OBJECTS]
        if many:
            self._look_at_copies(max(many, key=lambda one: one.bytes))
        cost = thread_time() - begun
        if self.batches > EARLY_BATCHES or cost > MAX_EARLY_S:
            self.not_before = perf_counter() + TIMES_LATER * cost

    def _look_at_copies(self, held):
        """Pages that were shared with the parent become this process's own, while it holds no more than before."""
        told = smaps()
        self.private += [told] if told else []
        if not told or len(self.private) < LOOKS:
            return
        own, resident = zip(*self.private)
        copied, more = own[-1] - own[0], resident[-1] - resident[0]
        if copied < LEAST_COPIED or more > 0.3 * copied or copied > 2 * held.bytes:
            return
        if all(b > a for a, b in zip(own[-LOOKS:], own[1 - LOOKS :])):
            self._tell("copied", held, copied)

    def _tell(self, key, held, size):
        self.told = True
        at = held.line_that_adds() or held.line_that_makes() or self.guard.at
        told = {"name": held.name, "count": held.count, "size": size_shown(size), "first": self.batches}
        self.guard.report(key, at, number=self.number, **told)
