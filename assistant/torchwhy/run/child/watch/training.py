"""Events of what a training loop calls: losses, backward, optimizers, loaders, collectives."""

from __future__ import annotations

import math
import weakref
from threading import get_ident
from time import perf_counter

import torch
from torchwhy_watch_looking import FIRST_STEPS
from torchwhy_watch_seen import Loss, NotFinite, Stepped, rate_of
from torchwhy_watch_values import listened, plain, tensors_in

# by the names of their functions
FITTING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
CLASSIFYING = ("cross_entropy", "nll_loss")
LOSSES = (
    *FITTING,
    *CLASSIFYING,
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "kl_div",
    "ctc_loss",
)
# Functions whose result or gradient is not finite at the edge of what they are made for.
EDGES = ("log", "sqrt", "acos", "asin", "log2", "log10")
AVERAGED_STEPS = 2, 5
MAX_CHECK_SHARE = 0.005  # of the time of a step that checks of values may take,
MIN_CHECK_S = 0.0001  # or so many seconds, where that is more


class Training:
    """The part of a watch that hears of losses, gradients, optimizers and data."""

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

    def _watch_eval(self):
        watch = self

        def make(original):
            def eval(module):
                if watch.live and get_ident() == watch.thread:
                    watch.safely(watch.new, "eval", watch.where())
                return original(module)

            return eval

        self.replace(torch.nn.Module, "eval", make)

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
        self.keep_loss(self.last_loss)
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
                    watch.safely(watch.note_lines, True)

            return backward

        def make_grad(original):
            def grad(*args, **kwargs):
                live, watch.live = watch.live, False
                watch.derived |= bool(kwargs.get("create_graph"))
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
        self.note_lines(False)
        if at == self.lines_until:
            self.lines_until = None
        self.new(at)
        self.fire("on_backward", loss, at)
        if loss.numel() == 1 and plain(loss):
            step = self.step
            self.later.ask(loss.detach().float().reshape(()), lambda value: self.loss_value(value, at, step))

    def loss_value(self, value, at, step):
        self.figures.add("loss", step, value)
        self.fire("on_loss_value", value, at, step)
        if not math.isfinite(value) and not self.bad:
            self.bad = True
            self.new("not finite", at)
            self.not_finite_seen(NotFinite("loss", at, "loss", "here", value, None, step))

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
                if watch.live and watch.looking:
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
        self.look(FIRST_STEPS)
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
        self.look_on()
        self._spend(seconds)
        self.settle()
        self.later.read()
        self.probe_step()
        self._watch_averages()

    def _spend(self, seconds):
        """Checks of values take no more than their share: so many steps go by without one."""
        if self.checking and self.step >= FIRST_STEPS:
            self.skip = int(self.check_s / max(MAX_CHECK_SHARE * seconds, MIN_CHECK_S))
        elif self.skip:
            self.skip -= 1
        self.checking = self.skip <= 0
        self.check_s = 0.0

    def _watch_averages(self):
        """In a few steps: weights that are averaged with themselves, in place."""
        if self.step == AVERAGED_STEPS[0] and not self.averaging:
            held = [one for stepped in self.optimizers.values() for one in stepped.parameters()]
            self.averaging = {one.data_ptr(): None for one in held if plain(one) and one.numel()}
            begun = len(self.replaced)
            for name in ("mul_", "add_", "lerp_"):
                self.replace(torch.Tensor, name, self._make_in_place(name), inner=True)
            self.averages = self.replaced[begun:]
        elif self.step > AVERAGED_STEPS[1] and self.averages:
            self.put_back(self.averages)
            for records in (self.replaced, self.inner):
                records[:] = [one for one in records if one not in self.averages]
            self.averages = []

    def _make_in_place(self, name):
        watch = self

        def make(original):
            def in_place(*args, **kwargs):
                if watch.live and len(args) > 1 and type(args[0]) in (torch.Tensor, torch.nn.Parameter):
                    watch.unheard(watch._on_in_place, name, args[0], args[1:], kwargs)
                return original(*args, **kwargs)

            return in_place

        return make

    def _on_in_place(self, name, changed, args, kwargs):
        place = changed.data_ptr() if plain(changed) else 0
        if place not in self.averaging:
            return
        if name == "mul_":
            self.averaging[place] = args[0] if isinstance(args[0], float) else None
        elif plain(args[0]) and args[0].data_ptr() == place:
            kept, added = self.averaging[place], kwargs.get("alpha", 1)
            if name == "lerp_" or (kept is not None and abs(kept + added - 1) < 1e-6):
                self.fire("on_own_average", self.where())

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
        for owner in (base, schedulers.ReduceLROnPlateau):
            self.replace(owner, "step", event("on_scheduler"))
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
                    at = watch.where()
                    watch.new("pass", at)
                    watch.fire("on_loader", loader, at)
                iterator = original(loader)
                if watch.live:
                    watch.unheard(watch.pass_begins, loader, iterator)
                return iterator

            return __iter__

        def make_next(original):
            def __next__(iterator):
                if not watch.live:
                    return original(iterator)
                begun = perf_counter()
                try:
                    batch = original(iterator)
                except StopIteration:
                    watch.new("end", watch.where())
                    watch.unheard(watch.pass_ends, iterator)
                    raise
                watch.unheard(watch.batch_comes, iterator, batch)
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
