"""What was seen of a training: modules, calls, losses, optimizers, figures."""

from __future__ import annotations

import math
import weakref

import torch

MAX_POINTS = 200  # of one figure; then every second one goes
# Layers that cannot make a nan out of finite numbers.
HARMLESS = frozenset(
    "ReLU ReLU6 LeakyReLU Identity Flatten Unflatten Dropout Dropout1d Dropout2d MaxPool1d MaxPool2d "
    "AvgPool2d AdaptiveAvgPool2d AdaptiveMaxPool2d Sigmoid Tanh Hardtanh Upsample ZeroPad2d Embedding".split()
)


class Counted:
    """A module that was called: `order` is the place of its first call, `calls` counts those that
    learn, in steps that are looked at.

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
        self.heard = None  # guards to tell, without hooks and with them


def hooks_of(module):
    """How many hooks a module has."""
    return len(module._forward_hooks) + len(module._forward_pre_hooks) + len(module._backward_hooks)


def own_parameters(counted):
    """The parameters that a module itself holds; [] of one that is gone."""
    module = counted.ref()
    return [one for one in module._parameters.values() if one is not None] if module is not None else []


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

    def lives(self):
        """Whether a result of it is still held."""
        return any(one() is not None for one in self.outputs)


class Stepped:
    """An optimizer: where it was made, and how often it stepped."""

    __slots__ = ("ref", "at", "steps", "name", "busy", "through_scaler", "initial_rate", "learned")

    def __init__(self, optimizer, at):
        self.ref, self.at, self.steps, self.name = weakref.ref(optimizer), at, 0, type(optimizer).__name__
        self.busy = self.through_scaler = self.learned = False
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
