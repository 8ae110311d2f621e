"""What a training does, seen from inside the program that trains: events for the guards of the knowledge.

One file that needs the standard library and the program's own torch (Python 3.8 and later, torch 1.13 and
later) and imports nothing of torchwhy. `torchwhy run --watch` loads it when the program has imported torch;
`torchwhy.watch()` does too. A guard is a class `Guard` in an entry's guard.py: each of its methods `on_...`
hears of one kind of event. A guard that raises is switched off. Nothing here draws random numbers, changes a
value or waits for a GPU; `stop` puts back all that `start` replaced.
"""

from __future__ import annotations

import functools
import gc
import inspect
import json
import math
import os
import sys
import types
import weakref
from threading import get_ident
from time import perf_counter as perf_counter  # all three for the guards as well
from time import thread_time as thread_time
from time import time as now  # noqa: F401

import torch
from torchwhy_crash_context import from_a_handler, is_library  # type: ignore[import-not-found]
from torchwhy_crash_context import names_of as names_of  # for the guards

MAX_FINDINGS = 40
MAX_POINTS = 200  # of one figure; then every second one goes
MAX_GRAPH_NODES = 20000
LOOK_EVERY, LATER_LOOK_EVERY = 5, 25  # steps between two looks at values, behind the first steps,
FIRST_LOOKS, EARLY_STEPS = 6, 50  # and behind those that are early
MAX_CHECK_SHARE = 0.008  # of the time of a step that checks of values may take,
MIN_CHECK_S = 0.0002  # or so many seconds, where that is more
MAX_PENDING = 256  # values on a GPU that are still awaited
FRAMES_OF_A_CALL = 3  # of torch and the program, at least, beside one of the watch
OWN_STANDING = 2  # references to what is put back: its record's, and the question's

# The watch's own code by its exact files, which a program's warnings take for the import system's.
PASSES_ON = "<frozen importlib._bootstrap: torchwhy passes on>"
OWN_FILES = {sys._getframe().f_code.co_filename, PASSES_ON}  # and each guard's, once it is loaded
GUARD_MODULE = "torchwhy_guard"
OWN_MODULES = frozenset((__name__, names_of.__module__, GUARD_MODULE))
LOSSES = (
    "cross_entropy",
    "nll_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "mse_loss",
    "l1_loss",
    "smooth_l1_loss",
    "huber_loss",
    "kl_div",
    "ctc_loss",
)
# Methods that give Python a value of a tensor, or whose result's size depends on values: on an accelerator
# the program waits in them until all that was asked for before is done.
SYNCS = (
    "item tolist cpu numpy nonzero __bool__ __int__ __float__ __index__ __repr__ __format__ "
    "to equal allclose unique masked_select"
).split()
SYNC_FUNCTIONS = ("nonzero", "equal", "allclose", "unique", "masked_select")
MAX_SYNC_LINES = 500
# Functions whose result or gradient is not finite at the edge of what they are made for.
EDGES = ("log", "sqrt", "acos", "asin", "log2", "log10")
# Layers that cannot make a nan out of finite numbers.
HARMLESS = frozenset(
    "ReLU ReLU6 LeakyReLU Identity Flatten Unflatten Dropout Dropout1d Dropout2d MaxPool1d MaxPool2d "
    "AvgPool2d AdaptiveAvgPool2d AdaptiveMaxPool2d Sigmoid Tanh Hardtanh Upsample ZeroPad2d Embedding".split()
)


def on_accelerator(tensor):
    """Whether Python has to wait for a tensor's values."""
    if type(tensor) in (torch.Tensor, torch.nn.Parameter):
        return tensor.device.type not in ("cpu", "meta")
    with untold():
        return tensor.device.type not in ("cpu", "meta")


class Counted:
    """A module that was called: `order` is the place of its first call, `calls` counts those that learn.

    `feeds`: its result went into another one that learns. `source`: of one that holds nothing which changes
    (a loss, an activation) the one whose result it was given, and passes on.
    """

    __slots__ = (
        "ref",
        "name",
        "leaf",
        "order",
        "calls",
        "checked",
        "passed",
        "feeds",
        "source",
        "mixes",
        "at",
        "root",
        "told",
        "heard",
    )

    def __init__(self, module, order, at):
        self.name, self.at = type(module).__name__, at
        self.leaf = not module._modules and self.name not in HARMLESS
        # guards hear of leaves, and of attention, whose own part is never called as a module
        self.told = not module._modules or isinstance(module, torch.nn.MultiheadAttention)
        self.order, self.calls, self.passed, self.feeds, self.source = order, 0, 0, False, None
        self.checked = self.leaf and bool(module._parameters)
        self.mixes = None  # whether training mode makes a difference, looked at when asked
        self.heard = None  # guards to tell without hooks and with them, and the step up to which that holds


class Call:
    """A call of a whole model by the program."""

    __slots__ = (
        "module",
        "counted",
        "training",
        "grad",
        "at",
        "used",
        "step",
        "inputs",
        "outputs",
        "sources",
        "state",
    )

    def __init__(self, module, counted, grad, at, step):
        self.module, self.counted, self.at, self.step = weakref.ref(module), counted, at, step
        self.training, self.grad, self.used = module.training, grad, False
        self.inputs, self.outputs, self.sources, self.state = (), (), (), ()


class Stepped:
    """An optimizer: where it was made, and how often it stepped."""

    __slots__ = ("ref", "at", "steps", "name", "busy", "through_scaler", "initial_rate")

    def __init__(self, optimizer, at):
        self.ref, self.at, self.steps, self.name = weakref.ref(optimizer), at, 0, type(optimizer).__name__
        self.busy = self.through_scaler = False
        self.initial_rate = max((rate_of(group) for group in optimizer.param_groups), default=0.0)

    def parameters(self):
        optimizer = self.ref()
        return [one for group in optimizer.param_groups for one in group["params"]] if optimizer else []


def rate_of(group):
    """The learning rate of a group; 0.01 where it lies on a GPU and cannot be read without waiting."""
    rate = group.get("lr", 0.0)
    if isinstance(rate, torch.Tensor):
        return float(rate) if rate.device.type == "cpu" else 0.01
    return float(rate or 0.0)


class Where:
    """Whose frame it is: the innermost one that is no library's."""

    def __init__(self):
        self.known = {}

    def library(self, path):
        known = self.known.get(path)
        if known is None:
            known = self.known[path] = path in OWN_FILES or path == "<string>" or is_library(path)
        return known

    def frame(self):
        frame = sys._getframe(1)
        while frame is not None and self.library(frame.f_code.co_filename):
            frame = frame.f_back
        return frame

    def caller(self):
        """The frame that called, of whomever, but none of the watch's own."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename in OWN_FILES:
            frame = frame.f_back
        return frame

    def __call__(self):
        frame = self.frame()
        return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("?", 0)


class Later:
    """Numbers of a device, read when they have come: at once on the CPU, behind an event on a GPU."""

    def __init__(self):
        self.pending = []

    def ask(self, value, then):
        if value.device.type == "cpu":
            then(value.item())
        elif value.device.type == "cuda" and len(self.pending) < MAX_PENDING:
            if torch.cuda.is_current_stream_capturing():
                return
            host = torch.empty((), dtype=value.dtype, device="cpu", pin_memory=True)
            host.copy_(value, non_blocking=True)
            event = torch.cuda.Event()
            event.record()
            self.pending.append((event, host, then))

    def read(self, wait=False):
        while self.pending and (wait or self.pending[0][0].query()):
            event, host, then = self.pending.pop(0)
            if wait:
                event.synchronize()
            then(host.item())


class Figures:
    """Numbers by step, thinned out to MAX_POINTS."""

    def __init__(self):
        self.lines, self.every = {}, {}

    def add(self, name, step, value):
        line = self.lines.setdefault(name, [])
        every = self.every.setdefault(name, 1)
        if step % every == 0 and math.isfinite(value):
            line.append([step, float("%.5g" % value)])
            if len(line) > MAX_POINTS:
                del line[1::2]
                self.every[name] = every * 2


class NotFinite:
    """A nan or an inf: what showed it first, and what was known of it.

    `what`: `layer`, `loss` or `gradient`. `cause`: `input` (came in), `weights` (were so already) or `here`.
    """

    def __init__(self, what, at, name, cause, value, dtype, step):
        self.what, self.at, self.name, self.cause, self.value = what, at, name, cause, value
        self.dtype, self.step, self.claimed = dtype, step, False


def tensors_in(value, depth=2):
    """The tensors of an argument or a result, a few levels down."""
    if isinstance(value, torch.Tensor):
        return [value]
    if depth and isinstance(value, dict):
        value = list(value.values())
    if depth and isinstance(value, (list, tuple)):
        return [one for part in value[:16] for one in tensors_in(part, depth - 1)]
    return []


def plain(value):
    """Whether a tensor holds numbers that can be looked at: no fake, meta, sparse, nested or wrapped one."""
    return (
        type(value) in (torch.Tensor, torch.nn.Parameter)
        and value.layout is torch.strided
        and not value.is_nested
        and value.device.type in ("cpu", "cuda")
    )


def not_finite(tensor):
    """nan or inf as a number where the tensor holds one; None where it is finite. For the CPU."""
    if not plain(tensor) or not tensor.is_floating_point() or not tensor.numel():
        return None
    kind = torch.float32 if tensor.dtype in (torch.float16, torch.bfloat16) else None
    value = tensor.detach().sum(dtype=kind).item()
    if math.isfinite(value) or bool(torch.isfinite(tensor.detach()).all()):
        return None  # finite numbers may have a sum that is none
    return value


def learns(module):
    """Whether a module holds parameters: it is no loss, activation or metric."""
    return any(one is not None for part in module.modules() for one in part._parameters.values())


def state_of(module):
    """What tells whether a call changed a module's buffers, as the means of a batch norm."""
    buffers = [one for part in module.modules() for one in part._buffers.values() if one is not None]
    return [(id(one), None if one.is_inference() else one._version) for one in buffers]


def graph(tensor, most=MAX_GRAPH_NODES):
    """The autograd nodes behind a tensor, nearest first."""
    seen, queue = set(), [tensor.grad_fn]
    for node in queue:
        for following, _ in getattr(node, "next_functions", ()):
            if following is not None and following not in seen and len(seen) < most:
                seen.add(following)
                queue.append(following)
    return [node for node in queue if node is not None]


def node_name(node):
    """`SubBackward` of `SubBackward0`."""
    return type(node).__name__.rstrip("0123456789")


def node_shape(node, place=0):
    """The shape of a node's result; None where torch does not tell (before 2.1)."""
    told = getattr(node, "_input_metadata", None)
    return tuple(told[place].shape) if told and place < len(told) else None


VIEWS = frozenset(
    "ViewBackward ReshapeAliasBackward UnsafeViewBackward SqueezeBackward UnsqueezeBackward "
    "TransposeBackward PermuteBackward TBackward SelectBackward SliceBackward CloneBackward "
    "ToCopyBackward AliasBackward".split()
)


def behind_views(tensor):
    """The node that computed a tensor's numbers: casts and views of it are passed."""
    node = tensor.grad_fn
    while node is not None and node_name(node) in VIEWS:
        node = node.next_functions[0][0] if node.next_functions else None
    return node


def listened():
    """Whether the program hears of each operation itself (a mode of dispatch or of functions, as a counter of
    flops): what the watch asks of a tensor would be counted as well. So it is inside of `torch.func`'s
    transforms, where a tensor has no single value that could be asked for.
    """
    transforms = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", None)
    if transforms is not None and transforms() is not None:
        return True
    modes = getattr(torch._C, "_len_torch_dispatch_stack", None)
    if modes is not None and modes():
        return True
    modes = getattr(torch._C, "_len_torch_function_stack", None)
    if modes is None or not modes():
        return False
    found = [torch._C._get_function_stack_at(place) for place in range(modes())]
    return any(type(mode).__name__ != "DeviceContext" for mode in found)  # that of a default device


def untold():
    """A context in which a program's own kind of tensor (`__torch_function__`) hears of nothing."""
    kind = getattr(torch._C, "DisableTorchFunctionSubclass", None) or torch._C.DisableTorchFunction
    return kind()


class Standing:
    """What stands in the place of a function that is written in C: it counts as that function.

    A program may look it up (`__torch_function__` is given the original) and save it in a checkpoint.
    """

    def __eq__(self, other):
        return self.__wrapped__ == (other.__wrapped__ if isinstance(other, Standing) else other)

    def __hash__(self):
        return hash(self.__wrapped__)

    def __repr__(self):
        return repr(self.__wrapped__)

    def __reduce_ex__(self, protocol):
        return self.__wrapped__.__reduce_ex__(protocol)


def standing(original, made):
    """`made` in the place of `original`, with as few frames between as there are."""
    if isinstance(original, types.FunctionType):
        return functools.wraps(original)(made)

    def get(self, owner, kind=None):
        return self if owner is None else types.MethodType(made, owner)

    parts = {"__call__": staticmethod(made)}
    if not isinstance(original, types.BuiltinFunctionType):  # a class has it as a method
        parts["__get__"] = get
    return functools.update_wrapper(type("Standing", (Standing,), parts)(), original)


class Replaced:
    """An attribute in whose place something else stands."""

    __slots__ = ("owner", "name", "original", "new", "inherited")

    def __init__(self, owner, name, original, new):
        self.owner, self.name, self.original, self.new = owner, name, original, new
        self.inherited = name not in vars(owner)

    def put(self):
        if getattr(self.owner, self.name, None) is self.original:
            setattr(self.owner, self.name, self.new)

    def put_back(self):
        if vars(self.owner).get(self.name) is not self.new:
            return  # somebody stands before us: it passes through, since we are not live
        if self.inherited:
            delattr(self.owner, self.name)
        else:
            setattr(self.owner, self.name, self.original)


class Within:
    """A function of a module that does something else and is the same object: a program may keep it
    (`self.loss = F.mse_loss`), pickle it, look it up, and have it compiled.
    """

    __slots__ = ("owner", "name", "original", "new", "made", "code", "options", "signature")

    def __init__(self, owner, name, function, make):
        self.owner, self.name, self.new = owner, name, function
        self.code, self.options = function.__code__, function.__kwdefaults__
        copy = types.FunctionType(self.code, function.__globals__, function.__name__, function.__defaults__)
        self.original = functools.update_wrapper(copy, function)
        copy.__kwdefaults__ = self.options
        del copy.__wrapped__
        self.made, self.signature = make(copy), inspect.signature(copy)

    def put(self):
        function = self.new
        if function.__code__ is self.code:
            function.__kwdefaults__ = dict(self.options or {}, _torchwhy=self.made)
            # of another file than the watch's own calls, which are not counted as the program's
            function.__code__ = passed_on.__code__.replace(co_name=self.name, co_filename=PASSES_ON)
            function.__wrapped__ = self.original
            function.__signature__ = self.signature  # for `getfullargspec`, which follows no wrappers

    def put_back(self):
        function = self.new
        if "_torchwhy" in (function.__kwdefaults__ or {}):
            function.__code__ = self.code
            function.__kwdefaults__ = self.options
            del function.__wrapped__, function.__signature__


def give_back(record):
    """Where the program has kept what stood in the place of a function (`self.act = torch.sqrt`), it gets
    that function: a compiler knows no other.
    """
    for holder in gc.get_referrers(record.new):
        if type(holder) in (dict, list):
            for key, value in list(holder.items() if type(holder) is dict else enumerate(holder)):
                if value is record.new:
                    holder[key] = record.original


def passed_on(*args, _torchwhy, **kwargs):
    """What stands in a function of `Within`."""
    return _torchwhy(*args, **kwargs)


def quietly(function, *given):
    """What fails in telling (a full disk, a folder that the program removed) is not the program's affair."""
    try:
        function(*given)
    except Exception as error:
        if from_a_handler(error):
            raise


def told_of(error):
    """An error in one line: one of the program's own classes may fail to say what it is."""
    try:
        text = str(error)[:200]
    except Exception:
        text = ""
    return "%s: %s" % (type(error).__name__, text)


class Watch:
    """All that is watched in one process.

    guards: (id, namespace of its guard.py). tell: takes a finding, a dictionary. language: `en` or `zh`.
    folder: the run's, where processes of one training find each other's files; None without a run.
    """

    def __init__(self, guards, tell, language="en", folder=None):
        self.tell, self.language, self.folder = functools.partial(quietly, tell), language, folder
        self.where, self.later, self.figures = Where(), Later(), Figures()
        self.replaced, self.handlers, self.names, self.off = [], {}, {}, {}
        self.modules, self.roots, self.optimizers, self.findings = {}, {}, {}, []
        self.room = 0, 0
        self.passed = {}  # which model gave the tensor of this address last
        self.step, self.backwards, self.depth, self.order = 0, 0, 0, 0
        self.live, self.looking, self.checking, self.learning = False, True, True, False
        self.call, self.last_loss, self.suspects, self.threads = None, None, {}, {}
        self.stack, self.bad, self.skip, self.passing = [], False, 0, False
        self.check_s = self.wait_s = self.steps_s = 0.0
        self.syncs_seen, self.waiting, self.syncs, self.sync_s, self.sync_count = False, False, {}, 0.0, 0
        self.step_at = self.started_at = perf_counter()
        self.thread, self.inner, self.compiled, self.backward_at = get_ident(), [], False, ("?", 0)
        for name, namespace in guards:
            self._add(name, namespace)

    def _add(self, name, namespace):
        try:
            guard = namespace["Guard"](Reporter(self, name, namespace["MESSAGES"]))
        except Exception as error:
            self.off[name] = told_of(error)
            return
        self.names[id(guard)] = name
        for event in dir(guard):
            if event.startswith("on_"):
                self.handlers.setdefault(event, []).append((guard, getattr(guard, event)))

    # --- events ---

    def fire(self, event, *given):
        """Tell the guards; one that raises is switched off, and the program goes on."""
        handlers = self.handlers.get(event)
        if handlers:
            self.call_all(handlers, given)

    def fire_layer(self, module, counted, args, output):
        """Tell of a layer's result those guards that want it: a model has many layers, and most guards want
        few of them. `layers` of a guard: the types; `hooked`: only with hooks; `until`: the last step.
        """
        if counted.heard is None or self.step > counted.heard[2]:
            wanted = [
                pair
                for pair in self.handlers.get("on_layer", ())
                if isinstance(module, getattr(pair[0], "layers", torch.nn.Module))
                and self.step <= getattr(pair[0], "until", self.step)
            ]
            plain = [pair for pair in wanted if not getattr(pair[0], "hooked", False)]
            last = min([getattr(pair[0], "until", math.inf) for pair in wanted] or [math.inf])
            counted.heard = plain, wanted, last
        hooked = module._forward_hooks or module._forward_pre_hooks or module._backward_hooks
        handlers = counted.heard[1 if hooked else 0]
        if handlers:
            self.call_all(handlers, (module, counted, args, output))

    def call_all(self, handlers, given):
        if listened():
            return
        live, self.live = self.live, False  # what a guard calls is not watched
        try:
            with torch.no_grad(), untold():
                for guard, handler in tuple(handlers):
                    try:
                        handler(*given)
                    except Exception as error:
                        if from_a_handler(error):
                            raise
                        self.switch_off(guard, error)
        finally:
            self.live = live

    def switch_off(self, guard, error):
        name = self.names.pop(id(guard), None)
        for event in self.handlers:
            self.handlers[event] = [pair for pair in self.handlers[event] if pair[0] is not guard]
        for counted in list(self.modules.values()):
            counted.heard = None
        if name is not None:
            self.off[name] = told_of(error)
            self.tell({"off": name, "message": self.off[name]})

    def safely(self, function, *given):
        """The core's own bookkeeping: what fails in it ends the watch, never the program."""
        try:
            with untold():
                return function(*given)
        except Exception as error:
            if from_a_handler(error):
                raise
            self.live = False
            self.tell({"off": "*", "message": told_of(error)})
            self.stop()
        return None

    def unheard(self, function, *given):
        """`safely`, where no mode of the program's would hear of it."""
        return None if listened() else self.safely(function, *given)

    def report(self, name, at, message, step=None):
        """A finding, each once. `at`: (path, line)."""
        path, line = at
        if any(one["id"] == name and (one["path"], one["line"]) == at for one in self.findings):
            return
        if len(self.findings) >= MAX_FINDINGS or sum(one["id"] == name for one in self.findings) >= 3:
            return
        finding = {"id": name, "path": path, "line": line, "step": step if step is not None else self.step}
        finding["message"] = message
        self.findings.append(finding)
        self.tell(finding)

    # --- replacing ---

    def replace(self, owner, name, make, inner=False):
        """Put `make(original)` in the place of an attribute. `inner`: seen by a compiler or tracer."""
        original = getattr(owner, name, None)
        if original is None:
            return
        of_module = type(owner) is types.ModuleType and type(original) is types.FunctionType
        try:
            if of_module and not original.__closure__:
                record = Within(owner, name, original, make)
            else:
                record = Replaced(owner, name, original, standing(original, make(original)))
        except (AttributeError, TypeError):
            return
        if of_module and type(record) is Replaced:
            record.new.__module__ = owner.__name__  # where a pickle looks for it
        record.put()
        self.replaced.append(record)
        if inner:
            self.inner.append(record)

    def put_back(self, records):
        for record in reversed(records):
            record.put_back()
        for record in records:
            if type(record) is Replaced and sys.getrefcount(record.new) > OWN_STANDING:
                give_back(record)

    def start(self, adopt=False):
        """Begin. adopt: optimizers that are there already are looked for."""
        self.live = True
        for install in (
            self._watch_modules,
            self._watch_losses,
            self._watch_dropout,
            self._watch_edges,
            self._watch_equal,
            self._watch_backward,
            self._watch_optimizers,
            self._watch_others,
            self._watch_data,
            self._watch_ranks,
            self._watch_compilers,
        ):
            install()
        if adopt:
            for one in gc.get_objects():
                if issubclass(
                    type(one), torch.optim.Optimizer
                ):  # a proxy would answer for what it stands for
                    self.add_optimizer(one)
        return self

    def stop(self):
        """Tell the guards that it ends, and put back all that was replaced."""
        if self.replaced:
            if self.live:
                self.later.read(wait=True)
                self.fire("on_end")
            self.live = False
            self.put_back(self.replaced)
            self.replaced, self.inner = [], []
            self.modules.clear()

    def summary(self):
        """What the page at the end shows."""
        total = perf_counter() - self.started_at
        return {
            "steps": self.step,
            "backwards": self.backwards,
            "seconds": round(total, 3),
            "wait_s": round(self.wait_s, 3),
            "compiled": self.compiled,
            "figures": self.figures.lines,
            "guards": sorted(self.names.values()),
            "off": self.off,
        }

    # --- modules ---

    def _watch_modules(self):
        watch, modules = self, self.modules

        def make(original):
            def __call__(module, *args, **kwargs):
                if watch.passing:  # a layer of a step that is not looked at
                    counted = modules.get(id(module)) or watch.count(module)
                    if watch.learning and counted is not None and counted.leaf:
                        counted.calls += 1
                    return original(module, *args, **kwargs)
                if not watch.live or get_ident() != watch.thread:
                    return original(module, *args, **kwargs)
                counted = modules.get(id(module)) or watch.count(module)
                if counted is None:
                    return original(module, *args, **kwargs)
                watch.depth += 1
                try:
                    if watch.depth == 1:
                        watch.make_room()
                        watch.unheard(watch.enter, module, counted, args, kwargs)
                        watch.passing = watch.live and not watch.looking and not watch.checking
                    elif watch.looking and watch.call is not None:
                        counted.root = id(watch.call.counted)
                    output = original(module, *args, **kwargs)
                    watch.passing = False
                    if counted.leaf:
                        if watch.learning:
                            counted.calls += 1
                        if watch.checking and counted.checked and watch.live:
                            watch.unheard(watch.check, module, counted, args, output)
                    if watch.looking and watch.live and counted.told:
                        watch.fire_layer(module, counted, args, output)
                    if watch.depth == 1 and watch.call is not None and watch.live:
                        watch.unheard(watch.leave, output)
                    return output
                finally:
                    watch.depth -= 1
                    if not watch.depth:
                        watch.give_room_back()
                        watch.call, watch.passing = None, False

            return __call__

        self.replace(torch.nn.Module, "__call__", make, inner=True)

    def make_room(self):
        """Room on the stack for the watch's own frames, while a model runs: without it a tree whose nodes
        call one another would end sooner.
        """
        limit = sys.getrecursionlimit()
        self.room = limit, limit + limit // FRAMES_OF_A_CALL
        sys.setrecursionlimit(self.room[1])

    def give_room_back(self):
        if sys.getrecursionlimit() == self.room[1]:  # the program has set none meanwhile
            sys.setrecursionlimit(self.room[0])

    def count(self, module):
        if not hasattr(module, "_modules") or not hasattr(module, "_parameters"):
            return None  # its __init__ did not call super(): torch says so
        self.order += 1
        # with the line of its first call, and the model that called it first
        counted = self.modules[id(module)] = Counted(module, self.order, self.where())
        counted.root = id(self.call.counted if self.call is not None else counted)
        key, modules, roots, passed = id(module), self.modules, self.roots, self.passed

        def forget(_):
            gone = modules.pop(key, None)
            roots.pop(key, None)
            if gone is not None and passed.get(gone.passed) is gone:
                del passed[gone.passed]

        counted.ref = weakref.ref(module, forget)
        return counted

    def enter(self, module, counted, args, kwargs):
        peek = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", None)
        if torch._C._get_tracing_state() is not None or (peek is not None and peek() is not None):
            self.call = None
            return
        if self.looking or self.checking:
            self.later.read()
        self.learning = torch.is_grad_enabled()
        self.bad = False
        self.call = call = Call(module, counted, self.learning, self.where(), self.step)
        call.inputs = tuple(weakref.ref(one) for one in tensors_in([args, kwargs]))
        if not self.syncs_seen and any(one() is not None and on_accelerator(one()) for one in call.inputs):
            self._watch_syncs()
        given = [one for one in tensors_in([args, kwargs]) if plain(one)] if self.passed else ()
        found = [self.passed.get(one.data_ptr()) for one in given]
        sources = [one.source or one for one in found if one is not None]
        call.sources = [one for one in sources if one is not counted and not one.feeds]
        if call.sources:
            call.state = state_of(module)
        self.roots[id(module)] = counted
        self.fire("on_call", call, module, args, kwargs)

    def leave(self, output):
        call, self.call = self.call, None
        found = tensors_in(output)
        counted, passed = call.counted, self.passed
        if passed.get(counted.passed) is counted:
            del passed[counted.passed]
        counted.passed = found[0].data_ptr() if found and plain(found[0]) else 0
        if counted.passed:
            passed[counted.passed] = counted
        if call.sources and (learns(call.module()) or state_of(call.module()) != call.state):
            for one in call.sources:
                one.feeds = True
        counted.source = next((one for one in call.sources if not one.feeds), None)
        if call.grad:
            for one in found[:8]:
                if one.requires_grad and one.grad_fn is not None:
                    one.register_hook(mark_used(call))
        call.outputs = tuple(weakref.ref(one) for one in found[:8])
        self.fire("on_called", call, output)

    def check(self, module, counted, args, output):
        """Whether a layer's result is finite; on the CPU at once, on a GPU later."""
        if self.bad:
            return
        begun = perf_counter()
        if isinstance(output, tuple) and output:
            output = output[0]
        if plain(output) and output.is_floating_point() and output.numel():
            with torch.no_grad():
                kind = torch.float32 if output.dtype in (torch.float16, torch.bfloat16) else None
                total = output.detach().sum(dtype=kind)
                if total.device.type == "cpu":
                    value = total.item()
                    if value - value != 0.0 and not_finite(output) is not None:
                        self._layer_not_finite(module, counted, args, output, value)
                else:
                    self.later.ask(
                        total, functools.partial(self._late, counted.name, self.where(), self.step)
                    )
        self.check_s += perf_counter() - begun

    def _late(self, name, at, step, value):
        if not math.isfinite(value) and not self.bad:
            self.bad = True
            self.not_finite_seen(NotFinite("layer", at, name, "here", value, None, step))

    def _layer_not_finite(self, module, counted, args, output, value):
        self.bad = True
        cause = "here"
        if any(not_finite(one) is not None for one in tensors_in(args)):
            cause = "input"
        elif any(not_finite(one) is not None for one in module.parameters(recurse=False)):
            cause = "weights"
        facts = NotFinite("layer", self.where(), counted.name, cause, value, output.dtype, self.step)
        self.not_finite_seen(facts)

    def not_finite_seen(self, facts):
        self.fire("on_not_finite", facts)
        if not facts.claimed:
            self.fire("on_not_finite_else", facts)

    # --- losses ---

    def _watch_losses(self):
        watch, functional = self, torch.nn.functional

        def loss(name):
            def make(original):
                def measured(*args, **kwargs):
                    result = original(*args, **kwargs)
                    if watch.live and get_ident() == watch.thread:
                        watch.unheard(watch.on_loss, name, args, kwargs, result)
                    return result

                return measured

            return make

        for name in LOSSES:
            self.replace(functional, name, loss(name), inner=True)

    def _watch_dropout(self):
        watch, functional = self, torch.nn.functional

        def dropout(original):
            def dropped(*args, **kwargs):
                if watch.live and watch.call is not None and not watch.call.training:
                    training = kwargs.get("training", args[2] if len(args) > 2 else True)
                    rate = kwargs.get("p", args[1] if len(args) > 1 else 0.5)
                    if training and rate:
                        watch.fire("on_dropout_in_eval", watch.call, watch.where(), rate)
                return original(*args, **kwargs)

            return dropped

        self.replace(functional, "dropout", dropout, inner=True)

    def _watch_edges(self):
        watch = self

        def edge(name):
            def make(original):
                def measured(*args, **kwargs):
                    if watch.live and watch.checking and args and get_ident() == watch.thread:
                        watch.unheard(watch.on_edge, name, args[0])
                    return original(*args, **kwargs)

                return measured

            return make

        for name in EDGES:
            self.replace(torch, name, edge(name), inner=True)
            self.replace(torch.Tensor, name, edge(name), inner=True)

        def divide(original):
            def divided(*args, **kwargs):
                if watch.live and watch.checking and len(args) > 1 and isinstance(args[1], torch.Tensor):
                    if get_ident() == watch.thread:
                        watch.unheard(watch.on_edge, "division", args[1])
                return original(*args, **kwargs)

            return divided

        for owner, name in ((torch.Tensor, "__truediv__"), (torch.Tensor, "div"), (torch, "div")):
            self.replace(owner, name, divide, inner=True)

    def _watch_equal(self):
        watch = self

        def equal(original):
            def compared(*args, **kwargs):
                result = original(*args, **kwargs)
                # a tensor of the program's own kind would hear of the question
                if watch.live and len(args) > 1 and type(result) is torch.Tensor and not listened():
                    if result.dim() == 2 and isinstance(args[1], torch.Tensor):
                        watch.fire("on_equal", args[0], args[1], result, watch.where())
                return result

            return compared

        for owner, name in ((torch.Tensor, "__eq__"), (torch.Tensor, "eq"), (torch, "eq")):
            self.replace(owner, name, equal, inner=True)

    def on_loss(self, name, args, kwargs, result):
        given = args[0] if args else kwargs.get("input")
        target = args[1] if len(args) > 1 else kwargs.get("target")
        if not isinstance(given, torch.Tensor) or not isinstance(target, torch.Tensor):
            return
        if given.device.type == "meta" or type(given) is not torch.Tensor:
            return
        self.last_loss = Loss(name, given, target, kwargs, result, self.where(), torch.is_grad_enabled())
        self.fire("on_loss", self.last_loss)
        self.last_loss.forget()

    def on_edge(self, name, value):
        if not plain(value) or value.device.type != "cpu" or not value.is_floating_point():
            return
        if not 0 < value.numel() <= 1 << 16:
            return
        begun = perf_counter()
        with torch.no_grad():
            if name == "division":
                outside = bool((value.detach() == 0).any())
            elif name in ("acos", "asin"):
                outside = bool((value.detach().abs() >= 1).any())
            else:
                outside = bool(value.detach().min() <= 0)
        if outside:
            self.suspects.setdefault(name, self.where())
        self.check_s += perf_counter() - begun

    # --- waiting for an accelerator ---

    def _watch_syncs(self):
        """From the first model that is called with tensors of an accelerator on: a program on the CPU has
        none of these, and calls such methods without end.
        """
        self.syncs_seen = True
        if self.compiled:
            return  # a compiler reads these calls in the program's source
        for name in SYNCS:
            self.replace(torch.Tensor, name, self._make_sync(name), inner=True)
        for name in SYNC_FUNCTIONS:
            self.replace(torch, name, self._make_sync(name), inner=True)
        owners = [(torch.cuda, "cuda"), (getattr(torch, "accelerator", None), "accelerator")]
        for owner, name in owners:
            if owner is not None:
                make = self._make_sync("%s.synchronize" % name, tensors=False)
                self.replace(owner, "synchronize", make, inner=True)

    def _make_sync(self, name, tensors=True):
        watch = self

        def make(original):
            def waited(*args, **kwargs):
                if not watch.live or watch.waiting or listened():
                    return original(*args, **kwargs)
                if tensors and not (args and isinstance(args[0], torch.Tensor) and on_accelerator(args[0])):
                    return original(*args, **kwargs)
                asked_by = sys._getframe(1).f_code.co_filename
                by_watch = asked_by in OWN_FILES and asked_by != PASSES_ON
                if by_watch or get_ident() != watch.thread:
                    return original(*args, **kwargs)
                watch.waiting, begun = True, perf_counter()
                try:
                    result = original(*args, **kwargs)
                finally:
                    watch.waiting, seconds = False, perf_counter() - begun
                watch.unheard(watch.add_sync, name, result, kwargs, seconds)
                return result

            return waited

        return make

    def add_sync(self, name, result, kwargs, seconds):
        here = name != "to" or (result.device.type == "cpu" and not on_accelerator(result))
        if not here or kwargs.get("non_blocking"):
            return
        key = (self.where(), name)
        if key not in self.syncs and len(self.syncs) >= MAX_SYNC_LINES:
            return
        counted = self.syncs.setdefault(key, [0, 0.0])
        counted[0] += 1
        counted[1] += seconds
        self.sync_count += 1
        self.sync_s += seconds

    # --- backward ---

    def _watch_backward(self):
        watch = self

        def make(original):
            def backward(*args, **kwargs):
                if not watch.live or get_ident() != watch.thread:
                    return original(*args, **kwargs)
                tensors = args[0] if args else kwargs.get("tensors")
                watch.unheard(watch.before_backward, tensors)
                watch.live = False  # layers that are computed again on the way are no calls of the program
                try:
                    return original(*args, **kwargs)
                finally:
                    watch.live = bool(watch.replaced)
                    watch.fire("on_backward_end")

            return backward

        def make_grad(original):
            def grad(*args, **kwargs):
                live, watch.live = watch.live, False
                try:
                    return original(*args, **kwargs)
                finally:
                    watch.live = live

            return grad

        self.replace(torch.autograd, "backward", make)
        self.replace(torch.autograd, "grad", make_grad)

    def before_backward(self, tensors):
        found = tensors_in(tensors)
        if not found:
            return
        loss = found[0]
        self.backward_at = at = self.where()
        self.backwards += 1
        self.fire("on_backward", loss, at)
        if loss.numel() == 1 and plain(loss):
            step = self.step
            self.later.ask(loss.detach().float().reshape(()), lambda value: self.loss_value(value, at, step))

    def loss_value(self, value, at, step):
        self.figures.add("loss", step, value)
        self.fire("on_loss_value", value, at, step)
        if not math.isfinite(value) and not self.bad:
            self.bad = True
            self.not_finite_seen(NotFinite("loss", at, "loss", "here", value, None, step))

    # --- optimizers ---

    def _watch_optimizers(self):
        watch, base = self, torch.optim.Optimizer

        def make_init(original):
            def __init__(optimizer, *args, **kwargs):
                original(optimizer, *args, **kwargs)
                if watch.live:
                    watch.safely(watch.add_optimizer, optimizer)

            return __init__

        def make_zero(original):
            def zero_grad(owner, *args, **kwargs):
                if watch.live:
                    watch.fire("on_zero_grad", owner, watch.where())
                return original(owner, *args, **kwargs)

            return zero_grad

        self.replace(base, "__init__", make_init)
        self.replace(base, "zero_grad", make_zero)
        self.replace(torch.nn.Module, "zero_grad", make_zero)

    def add_optimizer(self, optimizer):
        key, optimizers = id(optimizer), self.optimizers
        stepped = optimizers[key] = Stepped(optimizer, self.where())
        stepped.ref = weakref.ref(optimizer, lambda _: optimizers.pop(key, None))
        owner = next((kind for kind in type(optimizer).__mro__ if "step" in vars(kind)), None)
        if owner is not None and not any(one.owner is owner and one.name == "step" for one in self.replaced):
            self.replace(owner, "step", self._make_step)
        self.fire("on_optimizer", stepped)

    def _make_step(self, original):
        watch = self

        def step(optimizer, *args, **kwargs):
            stepped = watch.optimizers.get(id(optimizer))
            if not watch.live or stepped is None or stepped.busy:
                return original(optimizer, *args, **kwargs)
            stepped.busy = True
            try:
                at = watch.where()
                watch.fire("on_step", stepped, at)
                result = original(optimizer, *args, **kwargs)
                stepped.steps += 1
                watch.fire("on_stepped", stepped, at)
                watch.safely(watch.after_step, stepped)
                return result
            finally:
                stepped.busy = False

        return step

    def after_step(self, stepped):
        before, self.step_at = self.step_at, perf_counter()
        seconds = self.step_at - before
        groups = stepped.ref().param_groups
        self.figures.add("learning rate", self.step, max(map(rate_of, groups), default=0.0))
        if self.step:
            self.figures.add("ms per step", self.step, 1000 * seconds)
        self.step = max(self.step + (stepped.steps > self.step), stepped.steps)
        self.suspects = {}
        every = LOOK_EVERY if self.step < EARLY_STEPS else LATER_LOOK_EVERY
        self.looking = self.step < FIRST_LOOKS or self.step % every == 0
        self._spend(seconds)
        self.later.read()

    def _spend(self, seconds):
        """Checks of values take no more than their share: so many steps go by without one."""
        if self.checking and self.step > FIRST_LOOKS:
            self.skip = int(self.check_s / max(MAX_CHECK_SHARE * seconds, MIN_CHECK_S))
        elif self.skip:
            self.skip -= 1
        self.checking = self.skip <= 0
        self.check_s = 0.0

    # --- others that a loop calls ---

    def _watch_others(self):
        watch = self

        def event(name, after=False):
            def make(original):
                def told(*args, **kwargs):
                    if watch.live and not after:
                        watch.fire(name, args, kwargs, watch.where())
                    result = original(*args, **kwargs)
                    if watch.live and after:
                        watch.fire(name, args, kwargs, watch.where())
                    return result

                return told

            return make

        schedulers = torch.optim.lr_scheduler
        base = getattr(schedulers, "LRScheduler", None) or schedulers._LRScheduler
        self.replace(base, "step", event("on_scheduler"))
        clip = torch.nn.utils.clip_grad
        for name in ("clip_grad_norm_", "clip_grad_value_"):
            for owner in (clip, torch.nn.utils):
                self.replace(owner, name, event("on_clip"))
        self.replace(torch.nn.Module, "load_state_dict", event("on_load"))
        scaler = getattr(getattr(torch, "amp", None), "GradScaler", None) or torch.cuda.amp.GradScaler
        self.replace(scaler, "step", event("on_scaler_step"))
        self.replace(scaler, "unscale_", event("on_unscale"))
        self.replace(scaler, "update", event("on_scaler_update", after=True))
        self.replace(torch.Tensor, "__iter__", event("on_iterate"), inner=True)

    def _watch_data(self):
        from torch.utils.data import _utils, dataloader

        watch = self

        def make_iter(original):
            def __iter__(loader):
                if watch.live:
                    watch.fire("on_loader", loader, watch.where())
                return original(loader)

            return __iter__

        def make_next(original):
            def __next__(iterator):
                if not watch.live:
                    return original(iterator)
                begun = perf_counter()
                batch = original(iterator)
                watch.wait_s += perf_counter() - begun
                watch.fire("on_batch", iterator, batch, perf_counter() - begun)
                return batch

            return __next__

        def make_worker(original):
            held = (
                "dataset_holder" in original.__code__.co_varnames
            )  # since torch 2.15: in a list, to be let go

            def _worker_loop(*args, **kwargs):
                watch.live = False
                fetcher = _utils.fetch._MapDatasetFetcher
                fetch = fetcher.fetch
                dataset = args[1] if len(args) > 1 else None
                dataset = dataset[0] if held and dataset else dataset
                number = args[10] if len(args) > 10 else 0
                for _, handler in watch.handlers.get("on_worker", ()):
                    try:
                        fetcher.fetch = handler(dataset, number, fetcher.fetch) or fetcher.fetch
                    except Exception:
                        fetcher.fetch = fetch
                return original(*args, **kwargs)

            return _worker_loop

        self.replace(dataloader.DataLoader, "__iter__", make_iter)
        self.replace(dataloader._BaseDataLoaderIter, "__next__", make_next)
        self.replace(_utils.worker, "_worker_loop", make_worker)

    # --- several ranks ---

    def _watch_ranks(self):
        """Wrapping a model in DDP, and collectives by which a program keeps its ranks together by hand."""
        distributed, watch = torch.distributed, self
        if not distributed.is_available():
            return

        def make_init(original):
            def __init__(wrapper, *args, **kwargs):
                original(wrapper, *args, **kwargs)
                if watch.live:
                    watch.fire("on_ddp", wrapper, watch.where())

            return __init__

        def collective(name):
            def make(original):
                def called(*args, **kwargs):
                    if watch.live:
                        watch.fire("on_collective", name, args, kwargs)
                    return original(*args, **kwargs)

                return called

            return make

        self.replace(torch.nn.parallel.DistributedDataParallel, "__init__", make_init)
        for name in ("all_reduce", "broadcast"):
            self.replace(distributed, name, collective(name), inner=True)

    # --- compilers ---

    def _watch_compilers(self):
        """What reads the program's functions as source, or records them, gets the originals."""
        watch = self

        def for_good(original):
            def compile_(*args, **kwargs):
                if watch.live:
                    watch.compiled = True
                    watch.put_back(watch.inner)
                    watch.inner = []
                return original(*args, **kwargs)

            return compile_

        def meanwhile(original):
            def traced(*args, **kwargs):
                if not watch.live:
                    return original(*args, **kwargs)
                watch.live = False
                watch.put_back(watch.inner)
                try:
                    return original(*args, **kwargs)
                finally:
                    for record in watch.inner:
                        record.put()
                    watch.live = True

            return traced

        self.replace(torch, "compile", for_good)
        for owner, name in ((torch.jit, "script"), (torch.jit, "trace"), (torch.onnx, "export")):
            self.replace(owner, name, meanwhile)
        if hasattr(torch, "export") and hasattr(torch.export, "export"):
            self.replace(torch.export, "export", meanwhile)


def mark_used(call):
    """A hook that notes a gradient's coming; a tensor is saved without it and without a warning of it."""

    def hook(gradient):
        call.used = True

    hook.__torch_unserializable__ = True
    return hook


class Loss:
    """A loss function's call; its tensors are there while the guards hear of it."""

    __slots__ = ("name", "given", "target", "options", "result", "at", "grad", "shapes", "reduction")

    def __init__(self, name, given, target, options, result, at, grad):
        self.name, self.given, self.target, self.options = name, given, target, options
        self.result, self.at, self.grad = result, at, grad
        self.shapes = (tuple(given.shape), tuple(target.shape))
        self.reduction = options.get("reduction", "mean")

    def forget(self):
        self.given = self.target = self.result = None
        self.options = {}


class Reporter:
    """What a guard has of the watch: its state, and `report`."""

    def __init__(self, watch, name, messages):
        self._watch, self._name, self._messages = watch, name, messages

    def __getattr__(self, name):
        return getattr(self._watch, name)

    def report(self, key, at, step=None, **values):
        """A finding at the user's line `at`; the numbers are filled into the guard's own sentence."""
        texts = self._messages[key]
        text = texts[1 if self._watch.language == "zh" else 0]
        shown = {name: shorten(value) for name, value in values.items()}
        self._watch.report(self._name, at, text.format(**shown), step)

    def trained(self):
        """The ids of the parameters that some optimizer holds."""
        return {id(one) for each in list(self._watch.optimizers.values()) for one in each.parameters()}

    def mixes(self, module):
        """Whether a model does something else in training mode: dropout, or a norm over the batch."""
        counted = self._watch.modules.get(id(module))
        if counted is not None and counted.mixes is not None:
            return counted.mixes
        found = any(
            isinstance(one, torch.nn.modules.batchnorm._BatchNorm)
            or (isinstance(one, torch.nn.modules.dropout._DropoutNd) and one.p > 0)
            for one in module.modules()
        )
        if counted is not None:
            counted.mixes = found
        return found


def shorten(value):
    """A number with three digits; a shape as torch writes it."""
    if isinstance(value, float):
        return "%.3g" % value
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(str(one) for one in value) + "]"
    return str(value)


def load_guards(paths):
    """(id, namespace) of each guard.py; one that cannot be read is left out."""
    found = []
    sys.modules["torchwhy_watch"] = sys.modules[__name__]  # the name by which guards import from here
    for path in paths:
        namespace = {"__name__": GUARD_MODULE, "__file__": path}
        shown = "<torchwhy watch %s>" % path
        OWN_FILES.add(shown)
        try:
            with open(path, "rb") as file:
                exec(compile(file.read(), shown, "exec"), namespace)
        except Exception:
            continue
        found.append((os.path.basename(os.path.dirname(path)), namespace))
    return found


class Files:
    """Findings and figures as files of the run's folder, of this process."""

    def __init__(self, folder):
        self.folder = folder

    def tell(self, finding):
        rank = os.environ.get("RANK", "")
        line = json.dumps(dict(finding, rank=int(rank) if rank.isdigit() else None))
        path = os.path.join(self.folder, "watch-%d.jsonl" % os.getpid())
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(number, (line + "\n").encode())
        finally:
            os.close(number)

    def end(self, watch):
        watch.stop()
        path = os.path.join(self.folder, "watch-%d.json" % os.getpid())
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(number, "w") as file:
            json.dump(watch.summary(), file)


def start_in_run(folder):
    """The watch of a program below `torchwhy run --watch`, as the run's watch.json asks for it."""
    import atexit

    with open(os.path.join(folder, "watch.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    files = Files(folder)
    watch = Watch(load_guards(wanted["guards"]), files.tell, wanted["language"], folder).start()
    pid = os.getpid()

    def end():
        try:
            files.end(watch)
        except Exception:
            pass

    atexit.register(end)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:  # a process of multiprocessing runs no atexit
        if sys.modules["multiprocessing.process"].parent_process() is not None:
            util.Finalize(None, end, exitpriority=0)

        def forked(one):
            if os.getpid() != pid:
                one.thread = get_ident()
                util.Finalize(None, end, exitpriority=0)

        util.register_after_fork(watch, forked)
    return watch
