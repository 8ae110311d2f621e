"""Runs a program for `torchwhy check --build`: as it is for some seconds, then with its training loops cut.

It stands alone, in the user's Python (3.8 and later), as `hooks.py` does, which writes down what is raised.
Nothing is written outside of the folder that it runs in, and nobody is connected to; where the program ended
is left in `build.json`.
"""

import ast
import json
import os
import shutil
import signal
import sys
import time
import traceback
from collections import deque
from importlib.machinery import SourceFileLoader
from itertools import repeat

OWN_FILE = "<frozen importlib._bootstrap: torchwhy build gpu>"
MAX_DRAINED = 1000000  # of an iterator, on the way to its last element
MAX_REASON_CHARS = 200
MAX_SLEEP_S = 0.01
# Audited events that change files, by the number of paths among their arguments
CHANGES = {
    **dict.fromkeys("os.remove os.rmdir os.truncate os.chmod os.utime os.mkdir os.chown".split(), 1),
    **dict.fromkeys("os.rename os.link os.symlink".split(), 2),
}
COMMANDS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn")
LOCAL = ("127.0.0.1", "::1", "localhost", "")
ELSEWHERE = ("/torch/distributed/rendezvous.py", "/torch/hub.py")  # what asks others for something
GPU_CODE = ("/torch/cuda/", "/torch/distributed/")  # what there has to be a real GPU for
NOT_THE_PROGRAMS = (OSError, ImportError, EOFError, MemoryError, KeyboardInterrupt, SystemExit)


class RefusedError(PermissionError):
    """What this program wants is not done here."""


class Cutting:
    """When loops are cut, and which were reached. `kept`: the iterations that a loop does before its last."""

    def __init__(self, after, kept):
        self.after, self.kept = after, kept
        self.from_time = float("inf")
        self.places = set()
        self.reached = set()
        self.cut = 0
        self.backwards = 0  # passes of autograd: a loop in which none came is never cut

    def begin(self):
        self.from_time = time.monotonic() + self.after

    def late(self):
        return time.monotonic() > self.from_time

    def items(self, iterable, place):
        """What a loop goes through; once it is late, of one that trains the first and the last."""
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

    def asking(self, node, iterated):
        place = "%s:%d" % (self.file, node.lineno)
        self.cutting.places.add(place)
        asked = ast.Name("__torchwhy_items__", ast.Load())
        return ast.copy_location(ast.Call(asked, [iterated, ast.Constant(place)], []), iterated)

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = self.asking(node, node.iter)
        return node

    def visit_While(self, node):
        """As a `for` without end that breaks where the condition does not hold."""
        self.generic_visit(node)
        if node.orelse:
            return node
        ends = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
        endless = ast.Name("__torchwhy_endless__", ast.Load())
        passes = ast.Name("__torchwhy_pass__", ast.Store())
        body = [ast.copy_location(ends, node.test), *node.body]
        iterated = self.asking(node, ast.copy_location(endless, node.test))
        return ast.copy_location(ast.For(passes, iterated, body, []), node)


def rewrite_loops(cutting, folder):
    """Let the loops ask in every file below `folder` that is no installed package's."""
    original = SourceFileLoader.get_code

    def get_code(loader, name):
        path = loader.path
        if not path.startswith(folder + os.sep) or "site-packages" in path:
            return original(loader, name)
        tree = LoopRewriter(cutting, path).visit(ast.parse(loader.get_data(path), path))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code


class Fence:
    """Keeps writing within `folder`, whose links to the user's files are replaced before a write would follow
    them; `free`: torchwhy's own folder of this run. `refused`: the code that was at work at a refusal.
    """

    def __init__(self, folder, free):
        self.folder = os.path.realpath(folder)
        self.free = ("/dev/", "/proc/", os.path.join(os.path.realpath(free), ""))
        self.busy = False
        self.refused = set()

    def hear(self, event, given):
        if self.busy:
            return
        self.busy = True
        try:
            self.judge(event, given)
        except RefusedError:
            frame = sys._getframe(1)
            while frame is not None:
                self.refused.add(frame.f_code)
                frame = frame.f_back
            raise
        finally:
            self.busy = False

    def judge(self, event, given):
        """Raises RefusedError for what changes or reaches anything beyond the folder."""
        if event == "open" and isinstance(given[0], (str, bytes, os.PathLike)) and writes(*given[1:3]):
            self.own(given[0], "w" in (given[1] or ""))
        elif event in CHANGES:
            for path in given[: CHANGES[event]]:
                self.own(path, event == "os.remove")
        elif event in COMMANDS:
            raise RefusedError("no command is started here (%s)" % event)
        elif event in ("socket.connect", "socket.getaddrinfo"):
            host = given[1] if event == "socket.connect" else given
            host = host[0] if isinstance(host, tuple) else ""  # a path of this machine's
            if host and os.fsdecode(host) not in LOCAL:
                raise RefusedError("nobody is connected to here: %s" % os.fsdecode(host))

    def own(self, path, replaced):
        """Make a path the folder's own; `replaced`: nothing of what stands there is needed."""
        if isinstance(path, int) or os.path.realpath(path).startswith(self.free):
            return
        path = os.path.abspath(os.fsdecode(path))
        inside = os.path.relpath(path, self.folder)
        if inside.startswith(os.pardir):
            raise RefusedError("nothing is written here outside of its folder: %s" % path)
        at = self.folder
        for part in inside.split(os.sep):
            at = os.path.join(at, part)
            if os.path.islink(at):
                self.unlink(at, replaced and at == path)

    def unlink(self, link, replaced):
        target = os.path.realpath(link)
        os.unlink(link)
        if os.path.isdir(target):
            os.mkdir(link)
            for name in os.listdir(target):
                os.symlink(os.path.join(target, name), os.path.join(link, name))
        elif not replaced and os.path.exists(target):
            shutil.copyfile(target, link)


def writes(mode=None, flags=0):
    if mode is not None:
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


class Build:
    """One program, and what is told of its end; `notes`: torchwhy's own folder of this run."""

    def __init__(self, notes, after, kept, seconds):
        self.notes, self.seconds = notes, seconds
        self.cutting = Cutting(after, kept)
        self.fence = Fence(os.getcwd(), notes)
        self.has_gpu = False

    def run(self, file, words):
        self.main = os.path.abspath(file)
        sys.argv = [file, *words]
        sys.path[0] = os.path.dirname(self.main)
        rewrite_loops(self.cutting, sys.path[0])
        beside("apart")["shut_in"](os.getcwd(), self.notes, "/dev", "/proc", network=True)
        module = sys.modules["__main__"] = type(sys)("__main__")
        module.__file__ = self.main
        sys.addaudithook(self.fence.hear)
        try:
            self.has_gpu = prepare(self.cutting)
            signal.signal(signal.SIGALRM, self.out_of_time)
            signal.setitimer(signal.ITIMER_REAL, self.seconds)
            self.cutting.begin()
            exec(SourceFileLoader("__main__", self.main).get_code("__main__"), module.__dict__)
        except BaseException as error:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if isinstance(error, SystemExit) and not error.code:
                self.end([], "")
                return
            trace = error.__traceback__.tb_next
            lines = [(each.f_code, line) for each, line in traceback.walk_tb(trace)]
            is_unknown = self.unknown(error)
            words = "%s: %s" % (type(error).__name__, error)
            self.end(lines, words.splitlines()[0][:MAX_REASON_CHARS], is_unknown)
            if is_unknown:
                os._exit(0)
            raise error.with_traceback(trace)  # noqa: B904 (it is the same error)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.end([], "")

    def out_of_time(self, number, frame):
        lines = [(each.f_code, line) for each, line in traceback.walk_stack(frame)]
        self.end(lines[::-1], "time")
        os._exit(0)

    def unknown(self, error):
        """Whether an error says something of this machine, or of how the program is run here."""
        elsewhere = ELSEWHERE + GPU_CODE if self.has_gpu else ELSEWHERE
        while error is not None:
            codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
            if isinstance(error, NOT_THE_PROGRAMS) or type(error).__name__ == "OutOfMemoryError":
                return True
            if any(part in code.co_filename for code in codes for part in elsewhere):
                return True
            if codes and codes[-1] in self.fence.refused and codes[-1].co_name != "<module>":
                return True
            error = error.__cause__ or error.__context__
        return False

    def end(self, lines, reason, is_unknown=True):
        """Leave behind how far it came: `lines`, the outermost first, as pairs of code and number."""
        own = [line for code, line in lines if code.co_filename == self.main]
        told = {
            "reached": len(self.cutting.reached),
            "loops": len(self.cutting.places),
            "cut": self.cutting.cut,
            "reason": reason,
            "unknown": is_unknown,
            "line": own[-1] if own else 0,
        }
        with os.fdopen(os.open(self.notes + "/build.json", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            json.dump(told, file)


def prepare(cutting):
    """What the program finds changed: it is seeded, waits for and compiles nothing, its loops can be cut, and
    where torch was built for a GPU there is one. Gives whether that is so.
    """
    import builtins
    import random

    import torch
    from torch.utils.data import dataloader

    builtins.__torchwhy_items__, builtins.__torchwhy_endless__ = cutting.items, repeat(None)
    cutting.cut_loaders(dataloader)
    cutting.count_backward(torch.autograd)
    random.seed(0)
    torch.manual_seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    sleep, save = time.sleep, torch.save

    def announced(obj, f, *given, **named):
        if isinstance(f, (str, os.PathLike)):
            sys.audit("open", os.fspath(f), "w", 0)  # torch opens it by itself
        return save(obj, f, *given, **named)

    time.sleep = lambda seconds: sleep(min(float(seconds), MAX_SLEEP_S))
    torch.save = announced
    torch.compile = uncompiled
    has_gpu = bool(torch.version.cuda or torch.version.hip or os.environ.get("TORCHWHY_RUN_GPU"))
    if has_gpu:
        beside("build_gpu")["make_believe"]()
    return has_gpu


def uncompiled(model=None, **options):
    """`torch.compile`, which takes too long here: a model or function as it is."""
    return uncompiled if model is None else model


def beside(name):
    """The names of the file beside this one, whose frames are none of the program's either."""
    with open(os.path.join(os.path.dirname(__file__), name + ".py"), "rb") as file:
        code = compile(file.read(), OWN_FILE, "exec")
    names = {"__name__": "torchwhy_" + name}
    exec(code, names)
    return names


def start():
    notes, after, kept, seconds, file = sys.argv[1:6]
    Build(notes, float(after), int(kept), float(seconds)).run(file, sys.argv[6:])


if __name__ == "__main__":
    start()
