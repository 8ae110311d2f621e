"""Memory grows with the steps, and so does what a name holds; or a worker comes to copy a list of the data set."""

import functools
import itertools
import linecache
import os
import re
import sys
import weakref
from collections import deque

import torch
from torchwhy_watch import OWN_MODULES, names_of, perf_counter, thread_time

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
MAX_OBJECTS, MAX_S, FRAMES, DEPTH, NEWEST = 3000, 0.004, 4, 4, 32
EARLY_BATCHES, MAX_EARLY_S = 40, 0.02  # of a worker, whose first looks are cheap
TIMES_LATER = 20  # a look that took long waits so many times longer for the next one
SCALARS = frozenset((int, float, bool, str, bytes, complex, type(None), type, torch.nn.Parameter))
NOT_LOOKED_INTO = OWN_MODULES | {"builtins"}
OF_ANY_MODULE = frozenset(vars(torch.nn.Module()))
# How source adds to a name, and how it keeps a name from growing for ever; NAME stands for the name.
ADDS = (
    r"NAME\s*(?:\.(?:append|extend|add|update|setdefault|insert|appendleft)\(|\[.*\]\s*=[^=]|\+=|=[^=].*NAME)"
)
BOUNDS = (
    r"NAME\s*\.(?:pop|popleft|popitem|clear|remove)\(|\bdel\s.*NAME|len\([\w.]*NAME\)\s*(?:<(?!<)|>(?!>)|%|==)|"
    r"(?:(?<!<)<|(?<!>)>|<=|>=|==|%)\s*len\([\w.]*NAME\)|NAME\s*=.*NAME\s*\[[^\]]*:|NAME\s*\[.*%.*\]\s*=|maxlen|maxsize"
)


class Held:
    """What a name held at one look: elements, their bytes, and where these lie."""

    __slots__ = ("name", "files", "kind", "count", "bytes", "place")

    def __init__(self, name, files, kind, count, size, place):
        self.name, self.files, self.kind = name, files, kind
        self.count, self.bytes, self.place = count, size, place


class Guard:
    def __init__(self, watch):
        self.watch, self.next, self.not_before = watch, FIRST, 0.0
        self.past, self.emptied, self.told = {}, set(), set()
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
        frame = self.watch.where.frame()
        walk = Walk(self.watch.where, frame, [held() for held in self.datasets.values()])
        found = walk.found
        memory, passes = memory_held(), max(self.loaders.values(), default=0)
        for name, place in (("host", "host"), ("shared", "shared"), ("accelerator", "device")):
            if memory.get(place):
                self.watch.figures.add("%s memory, MiB" % name, step, memory[place] / MIB)
        for key, held in found.items():
            grown = self._grown(key, held, step, memory, passes)
            if grown is not None and key not in self.told and not bounded(held):
                self.told.add(key)
                self._tell(held, line_that_adds(held) or at, *grown)
        if not walk.cut:
            for key in [key for key in self.past if key not in found]:
                del self.past[key]
        self.not_before = perf_counter() + TIMES_LATER * (thread_time() - begun)

    def _grown(self, key, held, step, memory, passes):
        """The first record and what the process has grown by, where growth is steady, explained and large."""
        past = self.past.setdefault(key, [])
        if past and held.count < past[-1][1]:
            self.emptied.add(key)
        if past and (held.count <= past[-1][1] or held.bytes <= past[-1][2]):
            past.clear()
        past.append((step, held.count, held.bytes, memory, passes))
        if len(past) < LOOKS or key in self.emptied:
            return None
        first, before = past[0], past[-2]
        steps, size = step - first[0], held.bytes - first[2]
        rate, latest = size / steps, (held.bytes - before[2]) / (step - before[0])
        base, now = first[3].get(held.place), memory.get(held.place)
        if base is None or now is None or latest < 0.5 * rate or latest > 2 * rate:
            return None
        if size < max(LEAST, LEAST_SHARE * base) or now - base < 0.5 * size:
            return None
        if self.loaders and passes == first[4] and now - base < free_bytes(held.place):
            return None  # it may be emptied when the pass over the data ends
        return first, now - base, rate

    def _tell(self, held, at, first, grown, rate):
        told = {
            "name": held.name,
            "count": held.count,
            "size": shown(held.bytes),
            "each": shown(rate),
            "first": first[0],
            "grown": shown(grown),
            "free": shown(free_bytes(held.place)),
        }
        if held.place == "host":
            self.watch.report("kept", at, **told)
        else:
            self.watch.fire("on_growth", held.place, at, told)

    # --- in a worker ---

    def on_worker(self, dataset, number, fetch):
        if number:
            return None  # one tells for all
        return Worker(self, dataset, number, fetch).fetched


class Worker:
    """The data set of a worker, looked at after a few batches, with growing gaps."""

    def __init__(self, guard, dataset, number, fetch):
        self.guard, self.dataset, self.number, self.batches, self.next = guard, dataset, number, 0, 1
        self.not_before, self.past, self.private, self.told = 0.0, {}, [], False

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
        where = self.guard.watch.where
        found = Walk(where, None, [self.dataset], objects=True).found
        memory = memory_held()
        for key, held in found.items():
            past = self.past.setdefault(key, [])
            if past and (held.count <= past[-1][1] or held.bytes <= past[-1][2]):
                past.clear()
            past.append((self.batches, held.count, held.bytes, memory.get("host")))
            base, grown = past[0][3], held.bytes - past[0][2]
            if len(past) < LOOKS or base is None or grown < LEAST or memory["host"] - base < 0.5 * grown:
                continue
            # what is kept by index is all there after one pass
            if (held.kind != "dict" or memory["host"] - base > free_bytes("host")) and not bounded(held):
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
        if not told:
            return
        self.private.append(told)
        if len(self.private) < LOOKS:
            return
        own = [one[0] for one in self.private]
        copied = own[-1] - own[0]
        more = self.private[-1][1] - self.private[0][1]
        if copied < LEAST_COPIED or more > 0.3 * copied or copied > 2 * held.bytes:
            return
        if all(b > a for a, b in zip(own[-LOOKS:], own[1 - LOOKS :])):
            self._tell("copied", held, copied)

    def _tell(self, key, held, size):
        self.told = True
        at = line_that_adds(held) or line_that_makes(held) or self.guard.at
        values = {"name": held.name, "count": held.count, "size": shown(size), "first": self.batches}
        self.guard.watch.report(key, at, number=self.number, **values)


class Walk:
    """The containers, tensors and arrays that the program's own names reach. No code of the program runs:
    only containers of Python's own are gone through, as Python's own classes do it, and `__dict__`s.
    """

    def __init__(self, where, frame, datasets, objects=False):
        self.where, self.found, self.seen, self.objects = where, {}, set(), objects
        self.until = thread_time() + MAX_S
        self.queue, frames = deque(), 0
        while frame is not None and frames < FRAMES:
            path = frame.f_code.co_filename
            if not where.library(path):
                frames += 1
                if frame.f_code.co_name != "<module>":
                    self._names(names_of(frame), "", (path,), frame.f_code)
                self._names(frame.f_globals, "", (path,), path)
            frame = frame.f_back
        for dataset in datasets:
            self.queue.append(("dataset", dataset, (), type(dataset), 1))
        while self.queue and len(self.seen) < MAX_OBJECTS and thread_time() < self.until:
            self._visit(*self.queue.popleft())
        self.cut = bool(self.queue)

    def _names(self, names, prefix, files, scope, depth=0):
        for name, value in list(names.items()):
            if type(value) not in SCALARS and type(name) is str and not name.startswith("__"):
                self.queue.append((prefix + name, value, files, scope, depth))

    def _visit(self, name, value, files, scope, depth):
        kind = type(value)
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        if is_tensor(value) or is_array(value):
            if is_tensor(value) and value.grad_fn is not None:
                return
            size, place = bytes_of(value, set())
            self._add(name, files, scope, "value", value.shape[0] if len(value.shape) else 1, size, place)
        elif issubclass(kind, (list, dict, deque, set)):
            self._container(name, value, files, scope, depth)
        elif kind is type(sys):
            path = vars(value).get("__file__")
            if depth < DEPTH and path and not (self.where.library(path) or value.__name__ in NOT_LOOKED_INTO):
                self._names(vars(value), name + ".", (path,), path, DEPTH)
        elif depth < DEPTH and type(kind.__module__) is str and kind.__module__ not in NOT_LOOKED_INTO:
            own = object_names(value)
            if own is None:
                return
            path = getattr(sys.modules.get(kind.__module__), "__file__", None) or "?"
            if issubclass(kind, torch.nn.Module):
                for part, module in list(own.get("_modules", {}).items()):
                    self.queue.append(("%s.%s" % (name, part), module, files, (scope, part), depth + 1))
                if not self.where.library(path):
                    own = {key: one for key, one in own.items() if key not in OF_ANY_MODULE}
                    self._names(own, name + ".", (path, *files), (scope, name), depth + 1)
            elif not self.where.library(path) or kind.__module__.startswith("torch.utils.data."):
                self._names(own, name + ".", (path, *files), (scope, name), depth + 1)
                for each in kind.__mro__[:-1]:
                    shared = {k: v for k, v in vars(each).items() if type(v) in (list, dict, set)}
                    self._names(shared, name + ".", (path, *files), each, depth + 1)

    def _container(self, name, value, files, scope, depth):
        kind = next(one for one in (list, dict, deque, set) if issubclass(type(value), one))
        count = kind.__len__(value)
        if not count or (kind is deque and value.maxlen is not None):
            return
        items = newest(kind, value, count)
        if any(is_tensor(one) and one.grad_fn is not None for one in items):
            return  # graphs are what loss-tensor-accumulated tells of
        if count <= 16 and depth < DEPTH:  # a record of some names, or a few objects
            pairs = dict.items(value) if kind is dict else enumerate(items)
            for key, one in list(pairs):
                if type(one) not in SCALARS and not is_tensor(one):
                    told = repr(key) if type(key) in (str, int) else "..."
                    self.queue.append(("%s[%s]" % (name, told), one, files, (scope, name, told), depth + 1))
        storages, sizes, places = set(), 0, {}
        for one in items:
            size, place = bytes_of(one, storages)
            sizes += size
            places[place] = places.get(place, 0) + size
        if sizes >= 256 * len(items) or (self.objects and count >= LEAST_OBJECTS):
            size, place = int(sizes * count / len(items)), max(places, key=places.get)
            self._add(name, files, scope, kind.__name__, count, size, place)

    def _add(self, name, files, scope, kind, count, size, place):
        if place and size:
            self.found[scope, name] = Held(name, files, kind, count, size, place)


def is_tensor(value):
    return type(value) is torch.Tensor and value.layout is torch.strided and value.device.type != "meta"


def place_of(tensor):
    if tensor.device.type != "cpu":
        return "device"
    return "shared" if tensor.is_shared() else "host"


def shown(size):
    return "%.3g GiB" % (size / (1024 * MIB)) if size >= 1000 * MIB else "%.3g MiB" % (size / MIB)


def is_array(value):
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray


def object_names(value):
    """An object's attributes, past what its class has to say on that."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return own if type(own) is dict else None


def newest(kind, value, count):
    """The elements that came last: what an addition costs."""
    if kind is list:
        return list.__getitem__(value, slice(max(0, count - NEWEST), count))
    if kind is dict:
        return list(itertools.islice(reversed(dict.values(value)), NEWEST))
    if kind is deque:
        return [deque.__getitem__(value, -place) for place in range(1, min(count, NEWEST) + 1)]
    return list(itertools.islice(set.__iter__(value), NEWEST))


def bytes_of(value, storages, depth=2):
    """The bytes of a result and where they lie; a storage that several share counts once."""
    kind = type(value)
    if is_tensor(value):
        try:
            storage = value.untyped_storage()
        except AttributeError:  # before torch 2.0
            storage = value.storage()
        except (RuntimeError, NotImplementedError):  # a wrapper without one
            return 0, ""
        if storage.data_ptr() in storages:
            return 0, ""
        storages.add(storage.data_ptr())
        return storage.nbytes(), place_of(value)
    if is_array(value):
        base = value if value.base is None else value.base
        if id(base) in storages:
            return 0, ""
        storages.add(id(base))
        return value.nbytes, "host"
    if kind in (str, bytes, int, float, bytearray):
        return sys.getsizeof(value), "host"
    parts, count = (), 1
    if kind in (list, tuple, dict) and depth:
        parts, count = value, len(value)
        parts = list(itertools.islice(value.values() if kind is dict else value, 16))
    elif depth:
        parts = list((object_names(value) or {}).values())[:16]
        count = len(parts)
    size, place = 64, "host"
    if parts:
        told = [bytes_of(one, storages, depth - 1) for one in parts]
        size += sum(one[0] for one in told) * count // len(parts)
        place = max(told)[1] or place
    return size, place


def memory_held():
    """Bytes that this process holds: of its own, shared, and of an accelerator; read without waiting for one."""
    held = {}
    try:
        with open("/proc/self/status", "rb") as file:
            for line in file:
                if line.startswith((b"RssAnon:", b"RssShmem:")):
                    held["host" if line.startswith(b"RssA") else "shared"] = 1024 * int(line.split()[1])
    except OSError:
        pass
    if torch.cuda.is_initialized():
        held["device"] = sum(map(torch.cuda.memory_allocated, range(torch.cuda.device_count())))
    return held


def smaps():
    """(private and written, resident) bytes of this process; None where the system does not tell."""
    found = {}
    try:
        with open("/proc/self/smaps_rollup", "rb") as file:
            for line in file:
                name, _, rest = line.partition(b":")
                if name in (b"Private_Dirty", b"Rss"):
                    found[name] = 1024 * int(rest.split()[0])
    except OSError:
        return None
    return (found[b"Private_Dirty"], found[b"Rss"]) if len(found) == 2 else None


def number_in(path):
    try:
        with open(path, "rb") as file:
            return int(file.read().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def free_bytes(place):
    """What is left of a kind of memory, within the limit of a container."""
    if place == "device":
        count = range(torch.cuda.device_count())
        total = sum(torch.cuda.get_device_properties(one).total_memory for one in count)
        return total - sum(map(torch.cuda.memory_allocated, count))
    left = float("inf")
    try:
        with open("/proc/meminfo", "rb") as file:
            for line in file:
                if line.startswith(b"MemAvailable:"):
                    left = 1024 * int(line.split()[1])
        if place == "shared":
            room = os.statvfs("/dev/shm")
            left = min(left, room.f_bavail * room.f_frsize)
    except OSError:
        pass
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        most, now = number_in("/sys/fs/cgroup/" + limit), number_in("/sys/fs/cgroup/" + used)
        if most is not None and now is not None:
            left = min(left, max(most - now, 0))
    return left


def pattern(held, template):
    """A regular expression of how source writes the name: its last part, or the key of a dictionary."""
    name = held.name
    key = re.search(r"\['(\w+)'\]$", name)
    if key:
        shown = r"\[\s*['\"]%s['\"]\s*\]" % re.escape(key.group(1))
    else:
        shown = r"\b%s\b" % re.escape(re.sub(r"\[[^\]]*\]", "", name).split(".")[-1])
    return re.compile(template.replace("NAME", shown))


def lines_of(held):
    for path in dict.fromkeys(held.files):
        for number, line in enumerate(linecache.getlines(path), 1):
            yield path, number, line.split("#")[0]


def bounded(held):
    """Whether the source takes something out of it as well, or compares its length with a limit."""
    wanted = pattern(held, BOUNDS)
    return any(wanted.search(line) for _, _, line in lines_of(held))


def line_that_adds(held):
    wanted = pattern(held, ADDS)
    found = ((path, number) for path, number, line in lines_of(held) if wanted.search(line))
    return next(found, None)


def line_that_makes(held):
    wanted = pattern(held, r"NAME\s*(?::[^=]*)?=[^=]")
    found = ((path, number) for path, number, line in lines_of(held) if wanted.search(line))
    return next(found, None)
