"""Runs a program for `torchwhy check --build`: as it is for some seconds, then with its training loops cut.

It stands alone, in the user's Python (3.8 and later), as `hooks.py` does, which writes down what is raised.
Nothing is written outside of the folder that it runs in, and nobody is connected to; where the program ended
is left in `build.json`.
"""

import ast
import json
import os
import signal
import sys
import threading
import time
from collections import deque
from importlib.machinery import SourceFileLoader

OWN_FILE = "<frozen importlib._bootstrap: torchwhy build>"
MAX_DRAINED = 1000000  # of an iterator, on the way to its last element
MAX_SLEEP_S = 0.01
WRITES = ("w", "a", "x", "+")
# Audited events that change files, by the number of paths among their arguments
CHANGES = {
    **dict.fromkeys("os.remove os.rmdir os.truncate os.chmod os.utime os.mkdir os.chown".split(), 1),
    **dict.fromkeys("os.rename os.link os.symlink".split(), 2),
}
COMMANDS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.kill", "os.killpg")
LOCAL = ("127.0.0.1", "::1", "localhost", "")
ELSEWHERE = ("torch/distributed/rendezvous.py", "torch/hub.py")  # what asks others for something


class RefusedError(PermissionError):
    """What this program wants is not done here."""


class Cutting:
    """When loops are cut, and which were reached. `kept`: the iterations that a loop does before its last."""

    def __init__(self, after, kept):
        self.from_time = time.monotonic() + after
        self.kept = kept
        self.places = set()
        self.reached = set()
        self.cut = 0
        self.backwards = 0  # passes of autograd: a loop in which none came is never cut
        self.passes = {}

    def late(self):
        return time.monotonic() > self.from_time

    def items(self, iterable, place):
        """What a loop goes through: of one that trains, once it is late, the last element follows the first."""
        self.reached.add(place)
        count, before, iterator = 0, self.backwards, iter(iterable)
        for item in iterator:
            yield item
            count += 1
            if count >= self.kept and self.backwards > before and self.late():
                break
        else:
            return
        self.cut += 1
        if isinstance(iterable, (range, list, tuple)):
            yield from iterable[max(count, len(iterable) - 1) :]
        else:
            yield from last_of(iterator)

    def goes_on(self, place):
        """Whether a `while` does one more pass."""
        self.reached.add(place)
        count, before = self.passes.get(place, (0, self.backwards))
        if not self.late() or before == self.backwards:
            self.passes[place] = (0, self.backwards)
            return True
        self.passes[place] = (count + 1, self.backwards)
        if count < self.kept:
            return True
        del self.passes[place]
        self.cut += 1
        return False

    def count_backward(self, autograd):
        original = autograd.backward

        def backward(*given, **named):
            self.backwards += 1
            return original(*given, **named)

        autograd.backward = backward

    def cut_loaders(self, loaders):
        """A loader's own iterator goes on to its last batch."""
        base = loaders._BaseDataLoaderIter
        original = base.__next__

        def __next__(batches):
            if batches._num_yielded >= self.kept and self.late() and not getattr(batches, "_is_cut", False):
                self.cut += 1
                batches._is_cut = True
                if batches._dataset_kind == loaders._DatasetKind.Iterable:
                    raise StopIteration
                batches._sampler_iter = iter(last_of(batches._sampler_iter))
            elif batches._num_yielded < self.kept:
                batches._is_cut = False
            return original(batches)

        base.__next__ = __next__


def last_of(iterator):
    """[the last element], or nothing where there is none or no end is near."""
    last = deque(maxlen=1)
    for _ in range(MAX_DRAINED):
        try:
            last.append(next(iterator))
        except StopIteration:
            return list(last)
    return []


class LoopRewriter(ast.NodeTransformer):
    """Lets every loop ask whether it goes on."""

    def __init__(self, cutting, file):
        self.cutting, self.file = cutting, file

    def asking(self, name, node, asked, *values):
        place = "%s:%d" % (self.file, node.lineno)
        self.cutting.places.add(place)
        call = ast.Call(ast.Name(name, ast.Load()), [*values, ast.Constant(place)], [])
        return ast.copy_location(call, asked)

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = self.asking("__torchwhy_items__", node, node.iter, node.iter)
        return node

    def visit_While(self, node):
        self.generic_visit(node)
        both = ast.BoolOp(ast.And(), [node.test, self.asking("__torchwhy_goes_on__", node, node.test)])
        node.test = ast.copy_location(both, node.test)
        return node


class Loader(SourceFileLoader):
    """Compiles the user's own files with their loops rewritten."""

    cutting = None

    def get_code(self, fullname):
        return self.source_to_code(self.get_data(self.path), self.path)

    def source_to_code(self, data, path, **named):
        tree = ast.parse(data, path)
        tree = ast.fix_missing_locations(LoopRewriter(self.cutting, path).visit(tree))
        return compile(tree, path, "exec", dont_inherit=True)


class Finder:
    """Finds the modules beside the program."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find is not None and finder is not self else None
            if spec is not None:
                own = type(spec.loader) is SourceFileLoader and spec.origin.startswith(self.folder + os.sep)
                if own and "site-packages" not in spec.origin:
                    spec.loader = Loader(spec.loader.name, spec.loader.path)
                return spec
        return None


class Fence:
    """Keeps writing within `folder`, whose links to the user's files become copies before they are changed;
    `free`: torchwhy's own folder of this run.
    """

    def __init__(self, folder, free):
        self.folder = os.path.realpath(folder)
        self.free = ("/dev/", "/proc/", os.path.join(os.path.realpath(free), ""))
        self.busy = False

    def hear(self, event, given):
        if self.busy:
            return
        self.busy = True
        try:
            if event == "open" and isinstance(given[0], (str, bytes, os.PathLike)) and writes(given):
                self.own(given[0], "w" not in (given[1] or ""))
            elif event in CHANGES:
                for path in given[: CHANGES[event]]:
                    self.own(path, event != "os.remove")
            elif event in COMMANDS and not (event.startswith("os.kill") and given[0] in (os.getpid(), 0)):
                raise RefusedError("no command is started here: %s" % event)
            elif event in ("socket.connect", "socket.getaddrinfo"):
                host = given[1][0] if event == "socket.connect" and isinstance(given[1], tuple) else given[0]
                if isinstance(host, (str, bytes)) and os.fsdecode(host) not in LOCAL:
                    raise RefusedError("nobody is connected to here: %s" % os.fsdecode(host))
        finally:
            self.busy = False

    def own(self, path, copied):
        """Make the path one of the folder's own. Raises RefusedError for one elsewhere."""
        path = os.path.abspath(os.fsdecode(path))
        inside = os.path.relpath(path, self.folder)
        if os.path.realpath(path).startswith(self.free):
            return
        if inside.startswith(os.pardir):
            raise RefusedError("nothing is written here outside of the folder: %s" % path)
        at = self.folder
        for part in inside.split(os.sep):
            at = os.path.join(at, part)
            if os.path.islink(at):
                self.unlink(at, copied or at != path)

    def unlink(self, link, copied):
        target = os.path.realpath(link)
        if target.startswith(self.folder + os.sep):
            return
        os.unlink(link)
        if os.path.isdir(target):
            os.mkdir(link)
            for name in os.listdir(target):
                os.symlink(os.path.join(target, name), os.path.join(link, name))
        elif copied and os.path.exists(target):
            with open(target, "rb") as source, open(link, "wb") as copy:
                for block in iter(lambda: source.read(1 << 20), b""):
                    copy.write(block)


def writes(given):
    mode, flags = given[1], given[2] if len(given) > 2 else 0
    if mode is not None:
        return any(letter in mode for letter in WRITES)
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


class Build:
    """One program, and what is told of its end."""

    def __init__(self, folder, after, kept, seconds):
        self.folder = folder
        self.cutting = Cutting(after, kept)
        self.seconds = seconds
        self.main = ""

    def run(self, file, words):
        self.main = os.path.abspath(file)
        Loader.cutting = self.cutting
        sys.argv = [file, *words]
        sys.path[0] = os.path.dirname(self.main)
        module = type(sys)("__main__")
        module.__file__ = self.main
        module.__builtins__ = __builtins__
        prepare_builtins(self.cutting)
        prepare_torch(self.cutting)
        sys.modules["__main__"] = module
        sys.meta_path.insert(0, Finder(os.path.dirname(self.main)))
        signal.signal(signal.SIGALRM, self.out_of_time)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        sys.addaudithook(Fence(os.getcwd(), self.folder).hear)
        try:
            exec(Loader("__main__", self.main).get_code("__main__"), module.__dict__)
            self.end()
        except BaseException as error:
            signal.setitimer(signal.ITIMER_REAL, 0)
            is_unknown = unknown(error)
            trace = error.__traceback__.tb_next
            self.end(trace, "%s: %s" % (type(error).__name__, error), is_unknown)
            if is_unknown:
                os._exit(0)
            raise error.with_traceback(trace)

    def out_of_time(self, number, frame):
        self.end(reason="time", frame=frame)
        os._exit(0)

    def end(self, trace=None, reason="", is_unknown=True, frame=None):
        """Leave behind how far it came."""
        while trace is not None:
            frame = trace.tb_frame if trace.tb_frame.f_code.co_filename == self.main else frame
            line = trace.tb_lineno
            trace = trace.tb_next
        lines = []
        while frame is not None:
            if frame.f_code.co_filename == self.main:
                lines.append(frame.f_lineno)
            frame = frame.f_back
        told = {
            "reached": len(self.cutting.reached),
            "loops": len(self.cutting.places),
            "cut": self.cutting.cut,
            "reason": reason,
            "unknown": is_unknown,
            "line": lines[0] if lines else 0,
        }
        with os.fdopen(os.open(self.folder + "/build.json", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            json.dump(told, file)


def unknown(error):
    """Whether an error says something of this machine, or of how the program is run here."""
    if isinstance(error, (OSError, ImportError, EOFError, MemoryError, KeyboardInterrupt, SystemExit)):
        return True
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.replace(os.sep, "/").endswith(ELSEWHERE):
            return True
        trace = trace.tb_next
    return False


def prepare_builtins(cutting):
    import builtins
    import random

    builtins.__torchwhy_items__ = cutting.items
    builtins.__torchwhy_goes_on__ = cutting.goes_on
    sleep = time.sleep
    time.sleep = lambda seconds: sleep(min(seconds, MAX_SLEEP_S))
    random.seed(0)


def prepare_torch(cutting):
    import torch
    from torch.utils.data import dataloader

    torch.manual_seed(0)
    sys.modules["numpy"].random.seed(0) if "numpy" in sys.modules else None
    cutting.cut_loaders(dataloader)
    cutting.count_backward(torch.autograd)
    save = torch.save

    def announced(obj, f, *given, **named):
        if isinstance(f, (str, os.PathLike)):
            sys.audit("open", os.fspath(f), "w", 0)  # torch opens it by itself
        return save(obj, f, *given, **named)

    torch.save = announced


def start():
    folder, after, kept, seconds, file = sys.argv[1:6]
    Build(folder, float(after), int(kept), float(seconds)).run(file, sys.argv[6:])


start()
