"""Events of modules that are called: a whole model, its layers, and whether their results are finite."""

from __future__ import annotations

import functools
import math
import sys
import weakref
from threading import get_ident
from time import perf_counter

import torch
import torchwhy_watch_values as values
from torchwhy_watch_seen import Call, Counted, NotFinite
from torchwhy_watch_values import (
    learns,
    not_finite,
    plain,
    state_of,
    tensors_in,
)

FRAMES_OF_A_CALL = 3  # of torch and the program, at least, beside one of the watch


def mark_used(call):
    """A hook that notes a gradient's coming; a tensor is saved without it and without a warning of it."""

    def hook(gradient):
        call.used = True

    hook.__torch_unserializable__ = True
    return hook


class Models:
    """The part of a watch that hears of modules."""

    def _watch_modules(self):
        self.replace(torch.nn.Module, "__call__", self._make_call, inner=True)
        self.layers = [one for one in self.replaced if one.owner is torch.nn.Module]

    def settle(self):
        """Where layers are called: at rest torch's own code, and the watch's at the models that the program
        calls; else the watch's at all of them.
        """
        resting = not self.looking and not self.checking
        if resting == bool(self.at_models) or not self.layers or self.compiled:
            return
        kinds = {type(one.ref()) for one in list(self.roots.values())} - {type(None)} if resting else ()
        own = any(kind.__call__ is not torch.nn.Module.__call__ for kind in kinds)  # what a call is
        if resting and (own or not kinds):
            return
        gone = self.at_models or self.layers
        for record in gone:
            record.put_back()
        for records in (self.replaced, self.inner):
            records[:] = [one for one in records if one not in gone]
        begun = len(self.replaced)
        for kind in kinds:
            self.replace(kind, "__call__", lambda original: self._make_call(self._call_layer), inner=True)
        self.at_models = self.replaced[begun:]
        if not self.at_models:
            self.layers[0].put()
            self.replaced += self.layers
            self.inner += self.layers

    def _call_layer(self, module, *args, **kwargs):
        """What torch, or who stands before it, does in a call of a module."""
        now, (record,) = torch.nn.Module.__call__, self.layers
        return (record.original if now is record.new else now)(module, *args, **kwargs)

    def _make_call(self, original):
        watch, modules = self, self.modules

        def __call__(module, *args, **kwargs):
            # a layer of a step that is not looked at, or none of the watched training's
            if watch.passing or not watch.live or get_ident() != watch.thread:
                return original(module, *args, **kwargs)
            counted = modules.get(id(module)) or watch.count(module)
            if counted is None:
                return original(module, *args, **kwargs)
            watch.depth += 1
            try:
                if watch.depth == 1:
                    watch.make_room()
                    if watch.is_new(module) or watch.checking:
                        watch.unheard(watch.enter, module, counted, args, kwargs)
                    watch.passing = watch.live and not watch.looking and not watch.checking
                elif watch.looking and watch.call is not None:
                    counted.root = id(watch.call.counted)
                output = original(module, *args, **kwargs)
                watch.passing = False
                if counted.leaf:
                    if watch.learning:
                        counted.calls += 1
                    if watch.checking and counted.checked and watch.live and not watch.bad:
                        begun = perf_counter()
                        watch.unheard(watch.check, module, counted, args, output)
                        watch.check_s += perf_counter() - begun
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
        if torch._C._get_tracing_state() is not None or values.TRANSFORM() is not None:
            self.call = None
            return
        self.later.read()
        self.learning = torch.is_grad_enabled()
        self.bad = False
        self.call = call = Call(module, counted, self.learning, self.where(), self.step)
        call.inputs = tuple(weakref.ref(one) for one in tensors_in([args, kwargs]))
        if not self.syncs_seen and any(
            one() is not None and values.on_accelerator(one()) for one in call.inputs
        ):
            self._watch_syncs()
        given = [one for one in tensors_in([args, kwargs]) if plain(one)] if self.passed else ()
        found = [self.passed.get(one.data_ptr()) for one in given]
        sources = [one.source or one for one in found if one is not None]
        call.sources = [one for one in sources if one is not counted and not one.feeds]
        if call.sources:
            call.state = state_of(module)
        self.roots[id(module)] = counted
        self.keep_call(call, args, kwargs)
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
        if isinstance(output, tuple) and output:
            output = output[0]
        if not plain(output) or not output.is_floating_point() or not output.numel():
            return
        kind = torch.float32 if output.dtype in (torch.float16, torch.bfloat16) else None
        total = output.detach().sum(dtype=kind)
        if total.device.type == "cpu":
            value = total.item()
            if value - value != 0.0 and not_finite(output) is not None:
                self._layer_not_finite(module, counted, args, output, value)
        else:
            self.later.ask(total, functools.partial(self._late, counted.name, self.where(), self.step))

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
