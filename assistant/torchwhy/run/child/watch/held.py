"""What the names of a program hold: results, their bytes, where these lie; and the memory of a process."""

from __future__ import annotations

import itertools
import linecache
import os
import re
import sys
from collections import deque
from time import thread_time

import torch
from torchwhy_crash_context import names_of
from torchwhy_watch_frames import OWN_MODULES

MIB = 1 << 20
MANY_OBJECTS = 50_000
MAX_OBJECTS, MAX_S, FRAMES, DEPTH, NEWEST = 3000, 0.004, 4, 4, 32
SCALARS = frozenset((int, float, bool, str, bytes, complex, type(None), type, torch.nn.Parameter))
NOT_LOOKED_INTO = (*OWN_MODULES, "builtins")
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

    def bounded(self):
        """Whether the source takes something out of it as well, or compares its length with a limit."""
        return self._line_with(BOUNDS) is not None

    def line_that_adds(self):
        return self._line_with(ADDS)

    def line_that_makes(self):
        return self._line_with(r"NAME\s*(?::[^=]*)?=[^=]")

    def _line_with(self, template):
        """(path, number) of the first line that writes the name so: its last part, or a dictionary's key."""
        key = re.search(r"\['(\w+)'\]$", self.name)
        if key:
            shown = r"\[\s*['\"]%s['\"]\s*\]" % re.escape(key.group(1))
        else:
            shown = r"\b%s\b" % re.escape(re.sub(r"\[[^\]]*\]", "", self.name).split(".")[-1])
        wanted = re.compile(template.replace("NAME", shown))
        for path in dict.fromkeys(self.files):
            for number, line in enumerate(linecache.getlines(path), 1):
                if wanted.search(line.split("#")[0]):
                    return path, number
        return None


class Walk:
    """The containers, tensors and arrays that the program's own names reach. No code of the program runs:
    only containers of Python's own are gone through, as Python's own classes do it, and `__dict__`s.
    """

    def __init__(self, where, frame, datasets, objects=False):
        self.where, self.found, self.seen, self.objects = where, {}, set(), objects
        self.until = thread_time() + MAX_S
        self.queue = deque()
        for one in itertools.islice(where.own_frames(frame), FRAMES):
            path = one.f_code.co_filename
            if one.f_code.co_name != "<module>":
                self._names(names_of(one), "", (path,), one.f_code)
            self._names(one.f_globals, "", (path,), path)
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
            if depth < DEPTH and path and not (self.where.library(path) or is_passed_by(value.__name__)):
                self._names(vars(value), name + ".", (path,), path, DEPTH)
        elif depth < DEPTH and not is_passed_by(kind.__module__):
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
        if sizes >= 256 * len(items) or (self.objects and count >= MANY_OBJECTS):
            size, place = int(sizes * count / len(items)), max(places, key=places.get)
            self._add(name, files, scope, kind.__name__, count, size, place)

    def _add(self, name, files, scope, kind, count, size, place):
        if place and size:
            self.found[scope, name] = Held(name, files, kind, count, size, place)


def is_passed_by(module):
    """Whether what a module of this name holds is not looked into."""
    return type(module) is not str or module.startswith(NOT_LOOKED_INTO)


def is_tensor(value):
    return type(value) is torch.Tensor and value.layout is torch.strided and value.device.type != "meta"


def place_of(tensor):
    if tensor.device.type != "cpu":
        return "device"
    return "shared" if tensor.is_shared() else "host"


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
    """Bytes that this process holds: its own, shared, and of an accelerator; read without waiting for one."""
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


def size_shown(size):
    return "%.3g GiB" % (size / (1024 * MIB)) if size >= 1000 * MIB else "%.3g MiB" % (size / MIB)
