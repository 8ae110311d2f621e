"""A model and a data set are asked what a training does not show, in a fork that nobody waits for.

At PROBED_STEP, with the arguments and the loss of one step kept, and when a data set was evaluated for the
first time, the program is forked. The fork has its own random state, lets go of all descriptors, may write,
connect and start nothing, runs on one thread at the lowest priority, and is ended after MAX_S. A guard's
`on_probe` asks the model there, its `on_items` a data set; what it reports comes through a pipe. The program
waits for it at its own end alone, for MAX_SHARE of the time that it took. Not where that could cost it
something: a GPU in use, ranks, compiled or hooked models, a quarter of the free memory, a handler that would
hear of the fork's end.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import warnings
import weakref
from contextlib import contextmanager
from time import perf_counter

import torch
from torch.utils.data import IterableDataset
from torchwhy_apart import let_go_of_descriptors, refuse
from torchwhy_watch_held import free_bytes, memory_held
from torchwhy_watch_seen import hooks_of
from torchwhy_watch_values import plain, tensors_in

PROBED_STEP = 8
MAX_S, MAX_SHARE, MIN_WAIT_S = 10.0, 0.05, 1.0
MAX_PASSES = 16  # over loaders that are remembered
MAX_KEPT_NUMBERS = 1 << 24
MAX_HELD_BYTES = 4 << 30
HANDLED = "torch.utils.data._utils.signal_handling"  # its handler looks at the loader's workers alone
MAX_ITEMS = 8  # that are joined to see what joins them
MIN_PADDED_SHARE = 0.25  # of rows
ROUNDING = 1e-4  # relative: what another order of additions may change


class NotAnswered(Exception):
    """What a model or a data set raised when it was asked: no guard's fault."""


class Probing:
    """The part of a watch that keeps one step, forks, and reads what the fork reports."""

    def begin_probing(self):
        self.kept, self.kept_loss, self.probes, self.passes = {}, None, [], {}
        self.batch, self.evaluations, self.probed = LoadedBatch(), 0, set()

    def keep_call(self, call, args, kwargs):
        """Copies of what a model is called with in the step that is probed."""
        self.evaluations += not call.training
        if self.step == PROBED_STEP - 1 and call.grad and call.training and self.can_probe():
            self.kept[id(call.counted)] = Kept(call, self.batch, args, kwargs)

    def keep_loss(self, loss):
        if self.step == PROBED_STEP - 1 and loss.grad and self.kept:
            self.kept_loss = KeptLoss(loss)

    def can_probe(self):
        """Whether the program can be forked at no cost to it."""
        distributed = torch.distributed
        handler = signal.getsignal(signal.SIGCHLD)
        return (
            sys.platform == "linux"
            and not self.compiled
            and not torch.cuda.is_initialized()
            and not (distributed.is_available() and distributed.is_initialized())
            and (handler == signal.SIG_DFL or getattr(handler, "__module__", "") == HANDLED)
        )

    def probe_step(self):
        """After a step: where it is the one that was kept, ask its models and the data set trained on."""
        if self.probes:
            self.read_probes()
        if self.step != PROBED_STEP or "step" in self.probed:
            return
        self.probed.add("step")
        kept = [one for one in self.kept.values() if one.can_be_asked()]
        loss, dataset = self.kept_loss, self.batch.dataset()
        self.kept, self.kept_loss = {}, None
        if kept:
            self._fork("on_probe", Probed(self, kept, loss))
        if dataset is not None and self.can_probe():
            self._fork("on_items", Items(dataset, None, self.where()))

    def pass_begins(self, loader, iterator):
        while len(self.passes) > MAX_PASSES:
            del self.passes[next(iter(self.passes))]
        if getattr(type(loader.dataset), "__weakrefoffset__", 0) and not isinstance(
            loader.dataset, IterableDataset
        ):
            self.passes[id(iterator)] = weakref.ref(loader.dataset), self.step, self.evaluations

    def batch_comes(self, iterator, batch):
        if self.step == PROBED_STEP - 1 and id(iterator) in self.passes:
            collate = getattr(iterator, "_collate_fn", None)
            self.batch = LoadedBatch(self.passes[id(iterator)][0], collate, tensors_in(batch))

    def pass_ends(self, iterator):
        """A pass over a loader is over: was it an evaluation, the first of this data set?"""
        dataset, step, evaluations = self.passes.pop(id(iterator), (lambda: None, 0, 0))
        trained, dataset = self.batch.dataset(), dataset()
        if dataset is None or trained is None or self.step != step or self.evaluations == evaluations:
            return
        if dataset is not trained and "items" not in self.probed and self.can_probe():
            self.probed.add("items")
            self._fork("on_items", Items(dataset, trained, self.where()))

    def _fork(self, event, given):
        held = memory_held().get("host", 0)
        if held > min(MAX_HELD_BYTES, free_bytes("host") / 4) or not self.handlers.get(event):
            return
        try:
            reading, writing = os.pipe()
        except OSError:  # no descriptor is left
            return
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of other threads, which the fork does not have
                middle = os.fork()
        except OSError:  # no process, or no memory
            os.close(reading)
            os.close(writing)
            return
        if middle:
            os.close(writing)
            os.waitpid(middle, 0)
            os.set_blocking(reading, False)
            self.probes.append(Told(reading))
            return
        try:
            if not os.fork():
                self._in_fork(writing, event, given)
        finally:
            os._exit(0)

    def _in_fork(self, writing, event, given):
        for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, MAX_S)
        os.setsid()
        os.nice(19)
        let_go_of_descriptors(writing)
        torch.set_num_threads(1)
        sys.settrace(None)
        sys.addaudithook(refuse)
        self.findings, self.live = [], False
        self.tell = lambda told: os.write(writing, (json.dumps(told) + "\n").encode())
        for guard, handler in self.handlers[event]:
            try:
                with torch.no_grad():
                    handler(given)
            except NotAnswered:
                pass
            except Exception as error:
                self.switch_off(guard, error)

    def read_probes(self, wait_s=0.0):
        """Report what the forks have found; one that is still at it is waited for no longer than this."""
        until = perf_counter() + wait_s
        for one in list(self.probes):
            for told in one.news(until):
                if "off" in told:
                    self.off[told["off"]] = told["message"]
                    self.tell(told)
                else:
                    self.report(told["id"], (told["path"], told["line"]), told["message"], told["step"])
            if one.ended:
                self.probes.remove(one)


class Told:
    """The pipe on which a fork reports."""

    def __init__(self, number):
        self.number, self.file, self.rest, self.ended = number, identity(number), b"", False

    def news(self, until):
        """What came, waiting for the end until then. The program may have closed the pipe, and have another
        file by its number.
        """
        while not self.ended:
            if identity(self.number) != self.file:
                self.ended = True
                break
            ready, _, _ = select.select([self.number], [], [], max(until - perf_counter(), 0))
            if not ready:
                break
            part = os.read(self.number, 1 << 16)
            self.rest += part
            if not part:
                os.close(self.number)
                self.ended = True
        *lines, self.rest = self.rest.split(b"\n")
        return [json.loads(line) for line in lines]


def identity(number):
    try:
        status = os.fstat(number)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def copied(value, depth=2):
    """A value with its own tensors; what holds none is kept as it is."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone() if plain(value) else value
    if depth and type(value) in (list, tuple):
        return type(value)(copied(each, depth - 1) for each in value)
    if depth and isinstance(value, dict):
        return {key: copied(each, depth - 1) for key, each in value.items()}
    return value


class LoadedBatch:
    """The batch of a loader with which the kept step began: the places in memory of its tensors, and what
    made them.
    """

    def __init__(self, dataset=lambda: None, collate=None, tensors=()):
        self.dataset, self.collate = dataset, collate
        self.places = [place_of(one) for one in tensors]

    def line_of(self, place, library):
        """The line, (path, number), of the program's own code that gave what lies there: the last that reads
        an item, else that joins items. None where it is none, or no part of the batch.
        """
        dataset = self.dataset()
        if place not in self.places or dataset is None or self.collate is None:
            return None
        read, joined = [], []
        try:
            with traced(library, read):
                items = [dataset[0]]
            items += [dataset[number] for number in range(1, min(len(dataset), MAX_ITEMS))]
            with traced(library, joined):
                made = tensors_in(self.collate(items))[self.places.index(place)]
        except Exception:  # it cannot be read again, or not by number
            return None
        found = of_value(joined, made)
        if made.dim() > 1:  # of one number it is chance that another line gave the same
            found = of_value(read, made[0]) or found
        return found[-1] if found else None


def place_of(tensor):
    return tensor.data_ptr() if plain(tensor) else None


def of_value(told, wanted):
    """The lines that gave a tensor of these numbers."""
    return [(path, line) for path, line, found in told if any(torch.equal(one, wanted) for one in found)]


@contextmanager
def traced(library, told):
    """Within it, `told` gets what each line of the program's own code gives, as (path, line, tensors)."""
    sys.settrace(TracedLines(library, told) if told is not None else None)
    try:
        yield
    except Exception as error:
        raise NotAnswered from error
    finally:
        sys.settrace(None)


class Kept:
    """A call of a model in the step that is probed: what it was given, and which of that a loader gave."""

    def __init__(self, call, batch, args, kwargs):
        self.call, self.args, self.kwargs, self.batch = call, (), {}, batch
        given = tensors_in([args, kwargs])
        self.small = all(map(plain, given)) and sum(one.numel() for one in given) <= MAX_KEPT_NUMBERS
        self.places = [place_of(one) for one in given]
        self.of_loader = self.small and bool(given) and all(one in batch.places for one in self.places)
        if self.small:
            self.args, self.kwargs = copied(args), copied(kwargs)

    def can_be_asked(self):
        module = self.call.module()
        return self.small and module is not None and not any(map(hooks_of, module.modules()))


class KeptLoss:
    """A loss of the step that is probed; its target is a copy."""

    def __init__(self, loss):
        self.name, self.at, self.options, self.shapes = loss.name, loss.at, dict(loss.options), loss.shapes
        small = plain(loss.target) and loss.target.numel() <= MAX_KEPT_NUMBERS
        self.target, self.place = loss.target.detach().clone() if small else None, place_of(loss.target)


class Items:
    """A data set, for `on_items`. `trained`: where models were evaluated on it, the one they are trained on;
    `at`: the line that goes through it.
    """

    def __init__(self, dataset, trained, at):
        self.dataset, self.trained, self.at, self.evaluated = dataset, trained, at, trained is not None

    def read(self, place, seed, dataset=None):
        """The tensors of one item, of this data set or that one, read with this random state."""
        seeded(seed)
        try:
            return tensors_of((self.dataset if dataset is None else dataset)[place])
        except Exception as error:
            raise NotAnswered from error


def tensors_of(item):
    """The tensors of an item; arrays of NumPy become some."""
    numpy = sys.modules.get("numpy")
    parts = item.values() if isinstance(item, dict) else item if isinstance(item, (list, tuple)) else [item]
    found = [torch.from_numpy(one.copy()) if numpy and type(one) is numpy.ndarray else one for one in parts]
    return [one.clone() for one in found if isinstance(one, torch.Tensor) and plain(one)]


def seeded(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


class Probed:
    """What `on_probe` gets: `calls` of models, and the `loss` of the same step (or None)."""

    def __init__(self, watch, kept, loss):
        self.calls, self.loss = [Asked(watch, one) for one in kept], loss


class Asked:
    """A model that answers again what it was asked in the kept step, in evaluation mode."""

    def __init__(self, watch, kept):
        self.kept, self.call, self.of_loader = kept, kept.call, kept.of_loader
        self.watch, self.args, self.kwargs = watch, kept.args, kept.kwargs
        self.model = kept.call.module()

    def tensors(self):
        """The tensors that it was given."""
        return tensors_in([self.args, self.kwargs])

    def answer(self, change=None, seed=0, lines=None):
        """The tensors of its result. change: takes and gives a tensor that goes in. lines: a list that gets
        what each line of the program's own code gave, as (path, line, tensors).
        """
        self.model.eval()
        seeded(seed)
        args, kwargs = (changed(one, change) for one in (copied(self.args), copied(self.kwargs)))
        with traced(self.watch.where.library, lines):
            return tensors_in(self.model(*args, **kwargs))

    def line_of_target(self, loss):
        """The line that made the targets; the loss's where they are also given to the model, or come from no
        data set.
        """
        kept = self.kept
        made = None
        if loss.place not in kept.places:
            made = kept.batch.line_of(loss.place, self.watch.where.library)
        return made or loss.at

    def is_settled(self):
        """Whether it answers the same question in the same way, whatever the random state."""
        first, again, other = self.answer(), self.answer(), self.answer(seed=1)
        return bool(first) and same(first, again) and same(first, other)

    def first_line(self, one, two, part):
        """Where two questions come apart: the first line, (path, number), whose result differs in this part
        of it; the call's where none can be told. one, two: as `change`; part: takes and gives a tensor.
        """
        told = [], []
        for lines, change in zip(told, (one, two)):
            self.answer(change, lines=lines)
        for (path, line, before), (_, other, after) in zip(*told):
            if line != other:
                break
            if len(before) == len(after) and not same([part(x) for x in before], [part(x) for x in after]):
                return path, line
        return self.call.at


def changed(value, change, depth=2):
    if change is None:
        return value
    if isinstance(value, torch.Tensor):
        return change(value)
    if depth and type(value) in (list, tuple):
        return type(value)(changed(each, change, depth - 1) for each in value)
    if depth and isinstance(value, dict):
        return {key: changed(each, change, depth - 1) for key, each in value.items()}
    return value


def same(one, two):
    """Whether tensors are equal but for rounding."""
    return len(one) == len(two) and all(map(close, one, two))


def close(one, two):
    if one.shape != two.shape:
        return False
    if not one.is_floating_point():
        return bool((one == two).all())
    finite = one[torch.isfinite(one)]
    scale = float(finite.abs().max()) if finite.numel() else 0.0
    return bool(torch.allclose(one, two, rtol=ROUNDING, atol=ROUNDING * scale, equal_nan=True))


def padded(tokens):
    """Which places of (batch, length) are padding: runs of one number at the ends of rows, of different
    length, where it stands nowhere else. None where nothing says so.
    """
    if tokens.dim() != 2 or tokens.is_floating_point() or min(tokens.shape) < 2 or len(tokens.unique()) < 3:
        return None  # with two numbers it is a mask itself
    value = tokens[:, -1].mode().values
    is_value = tokens == value
    runs = is_value.flip(1).cumprod(1).flip(1).bool()
    lengths = runs.sum(1)
    told = len(lengths[lengths > 0].unique()) > 1 and int((is_value & ~runs).sum()) == 0
    return runs if told and int((lengths > 0).sum()) >= MIN_PADDED_SHARE * len(lengths) else None


class TracedLines:
    """A trace function that writes down what each line of the program's own code assigned to its names."""

    def __init__(self, library, told):
        self.library, self.told = library, told

    def __call__(self, frame, event, given):
        path = frame.f_code.co_filename
        if self.library(path) or path.startswith("<"):
            return None
        before, line = names_held(frame), frame.f_lineno

        def local(frame, event, given):
            nonlocal before, line
            if event in ("line", "return"):
                now = names_held(frame)
                new = [value for name, value in now.items() if before.get(name) is not value]
                if event == "return":
                    held = {id(value) for value in now.values()}
                    new += [one for one in tensors_in(given) if id(one) not in held]
                if new:
                    self.told.append((path, line, new))
                before, line = now, frame.f_lineno
            return local

        return local


def names_held(frame):
    """The tensors that a frame's names stand for."""
    return {name: value for name, value in frame.f_locals.items() if type(value) is torch.Tensor}
