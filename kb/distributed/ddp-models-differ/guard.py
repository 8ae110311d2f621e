"""Ranks whose parameters should be the same, and are not: each writes a few numbers, and reads those of the others."""

import json
import os
import weakref

import torch
from torchwhy_watch import Watching, now, plain

MESSAGES = {
    "changed": (
        "ranks {here} and {there} differ in {count} of {of} parameters before the first step: first `{name}`, by {difference} or more (mean size of its values: {scale}); DDP sends rank 0's values when it is made, here, and never again",
        "rank {here} 与 {there} 在第一步之前就有 {count}/{of} 个参数不同：最先是 `{name}`，相差至少 {difference}（其数值的平均大小 {scale}）；DDP 只在构造时（此行）发送 rank 0 的数值，之后不再发送",
    ),
    "ddp": (
        "ranks {here} and {there} differ in {count} of {of} parameters after step {steps}, though DDP averages their gradients: first `{name}`, by {difference} or more (mean size of its values: {scale})",
        "rank {here} 与 {there} 在第 {steps} 步之后有 {count}/{of} 个参数不同，尽管 DDP 会对梯度求平均：最先是 `{name}`，相差至少 {difference}（其数值的平均大小 {scale}）",
    ),
    "hand": (
        "ranks {here} and {there} differ in {count} of {of} parameters after step {steps}, though the program keeps them together by all_reduce or broadcast: first `{name}`, by {difference} or more (mean size of its values: {scale})",
        "rank {here} 与 {there} 在第 {steps} 步之后有 {count}/{of} 个参数不同，尽管程序用 all_reduce 或 broadcast 使它们一致：最先是 `{name}`，相差至少 {difference}（其数值的平均大小 {scale}）",
    ),
}
LOOKS = frozenset([0] + [1 << power for power in range(24)])  # optimizer steps before a look
EARLY = 3  # steps in which it is seen what the program averages
SAMPLES, MAX_SUMMED, MAX_PARAMETERS, MAX_WRAPPERS = 4, 1 << 14, 400, 32
TOLERANCE, MEAN_TOLERANCE = 1e-4, 1e-5  # of the size of a parameter's values
MAX_FILES, MAX_BYTES = 64, 1 << 24


class Guard(Watching):
    def begin(self):
        self.begun, self.told = now(), False
        self.wrapped, self.names, self.order, self.pending = [], {}, {}, []
        self.reduced, self.averaged, self.sent, self.pointers = {}, {}, set(), None
        self.own, self.others, self.read = {}, {}, {}
        self.calls, self.apart = {}, set()

    # --- what should agree ---

    def on_ddp(self, wrapper, at):
        if len(self.wrapped) < MAX_WRAPPERS and of_all_ranks(wrapper.process_group):
            self.wrapped.append((weakref.ref(wrapper), at))
            self.calls[id(wrapper)] = set()

    def on_call(self, call, module, args, kwargs):
        if id(module) in self.calls and call.grad:
            self.calls[id(module)].add(bool(getattr(module, "require_backward_grad_sync", True)))

    def on_collective(self, name, args, kwargs):
        """A gradient that is averaged by hand, or a parameter that is sent or averaged."""
        tensor = args[0] if args else kwargs.get("tensor")
        if not self.watch.folder or type(tensor) not in (torch.Tensor, torch.nn.Parameter):
            return
        if not plain(tensor) or not of_all_ranks(kwargs.get("group")):
            return
        if self.pointers is None:
            self._point()
        gradients, parameters, whole = self.pointers
        pointer, step = tensor.data_ptr(), self.watch.step
        if name == "broadcast":
            self.sent.add(pointer)  # often before there is an optimizer
        elif pointer in parameters:
            self._count(self.averaged, parameters[pointer], step)
        elif step < EARLY and pointer in gradients:
            self._count(self.reduced, gradients[pointer], step)
        elif step < EARLY and tensor.numel() in whole:  # all gradients as one tensor
            self._count(self.reduced, whole[tensor.numel()], step)

    @staticmethod
    def _count(steps, ids, step):
        for one in ids:
            steps.setdefault(one, set()).add(step)

    def _point(self):
        gradients, parameters, whole = {}, {}, {}
        for stepped in list(self.watch.optimizers.values()):
            held = [one for one in stepped.parameters() if plain(one)]
            for one in held:
                parameters[one.data_ptr()] = (id(one),)
                if one.grad is not None and plain(one.grad):
                    gradients[one.grad.data_ptr()] = (id(one),)
            with_gradient = [one for one in held if one.grad is not None]
            if len(with_gradient) > 1:
                whole[sum(one.numel() for one in with_gradient)] = tuple(map(id, with_gradient))
        self.pointers = gradients, parameters, whole

    def _agreeing(self, stepped):
        """(place, parameter, name, how) of those that the ranks should share, in the optimizer's order."""
        held, found = stepped.parameters(), {}
        for reference, at in self.wrapped:
            wrapper = reference()
            if wrapper is None:
                continue
            calls, self.calls[id(wrapper)] = self.calls[id(wrapper)], set()
            if calls == {False} or leaves_apart(wrapper):
                self.apart.add(reference)
            if reference in self.apart:
                continue
            ignored = getattr(wrapper, "parameters_to_ignore", ())
            for name, one in wrapper.module.named_parameters():
                if one.requires_grad and name not in ignored:
                    found[id(one)] = (name, at)
        by_hand = [one for one in held if id(one) in self.reduced]
        for one in held:
            key = id(one)
            steps = range(min(stepped.steps, EARLY))
            if key in self.averaged:
                found.pop(key, None)  # local steps, and an average now and then
                if steps and self.averaged[key].issuperset(steps):
                    found[key] = ("", None)
            elif key not in found and self.reduced.get(key, set()).issuperset(steps) and key in self.reduced:
                found[key] = ("", None)
            elif key not in found and one.data_ptr() in self.sent and by_hand:
                found[key] = ("", None)
        chosen = [(place, one, *found[id(one)]) for place, one in enumerate(held) if id(one) in found]
        return chosen[:: 1 + len(chosen) // MAX_PARAMETERS]

    # --- a few numbers of each, at a few steps ---

    def on_step(self, stepped, at):
        """Before a step: behind it, a program may average first."""
        self._written()
        watch, distributed = self.watch, torch.distributed
        if stepped.steps not in LOOKS or not watch.folder or self.told or "LocalSGD" in stepped.name:
            return
        if (
            not distributed.is_available()
            or not distributed.is_initialized()
            or distributed.get_world_size() < 2
        ):
            return
        chosen = [one for one in self._agreeing(stepped) if plain(one[1]) and one[1].numel()]
        if not chosen:
            return
        names = self._names([one for _, one, name, _ in chosen if not name])
        told = {
            "rank": distributed.get_rank(),
            "begun": self.begun,
            "optimizer": self.order.setdefault(stepped, len(self.order)),
            "steps": stepped.steps,
            "names": [
                "%d %s" % (place, name or names.get(id(one), "parameter %d" % place))
                for place, one, name, _ in chosen
            ],
        }
        by_ddp = chosen[0][3]
        values = torch.cat([digest(one.detach()) for _, one, _, _ in chosen])
        place = (by_ddp if by_ddp and not stepped.steps else at), by_ddp is not None
        if values.device.type == "cpu":
            self._write(told, values, place)
        elif not torch.cuda.is_current_stream_capturing():
            host = torch.empty(values.shape, dtype=values.dtype, device="cpu", pin_memory=True)
            host.copy_(values, non_blocking=True)
            event = torch.cuda.Event()
            event.record()
            self.pending.append((event, told, host, place))
        self._compare()

    def on_stepped(self, stepped, at):
        if self.watch.step <= EARLY:
            self.pointers = None  # the next gradients lie elsewhere

    def _written(self, wait=False):
        while self.pending and (wait or self.pending[0][0].query()):
            event, told, host, place = self.pending.pop(0)
            event.synchronize()
            self._write(told, host, place)

    def _names(self, wanted):
        found, ids = {}, {id(one) for one in wanted}
        for counted in list(self.watch.roots.values()) if ids else ():
            module = counted.ref()
            if module is not None:
                found.update((id(one), name) for name, one in module.named_parameters() if id(one) in ids)
        return found

    def _write(self, told, values, place):
        rows = [[float("%.7g" % one) for one in row] for row in values.reshape(-1, SAMPLES + 3).tolist()]
        told["values"], told["time"] = rows, now()
        self.own[told["optimizer"], told["steps"]] = (told, place)
        path = os.path.join(self.watch.folder, "ranks-%d-%d.txt" % (told["rank"], os.getpid()))
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(number, (json.dumps(told) + "\n").encode())
        finally:
            os.close(number)

    # --- side by side ---

    def on_end(self):
        self._written(wait=True)
        self._compare()

    def _compare(self):
        """What other ranks have written by now; the last one to end sees all of it."""
        if self.told or not self.own:
            return
        own = "-%d.txt" % os.getpid()
        paths = sorted(
            one for one in os.listdir(self.watch.folder) if one.startswith("ranks-") and not one.endswith(own)
        )
        for name in paths[:MAX_FILES]:
            with open(os.path.join(self.watch.folder, name), "rb") as file:
                file.seek(self.read.get(name, 0))
                data = file.read(MAX_BYTES)
            whole = data[: data.rfind(b"\n") + 1]
            self.read[name] = self.read.get(name, 0) + len(whole)
            for line in whole.splitlines():
                other = json.loads(line)
                self.others.setdefault((other["optimizer"], other["steps"]), []).append(other)
        for key in sorted(set(self.own) & set(self.others)):
            for other in self.others.pop(key):
                self._compare_with(other, *self.own[key])

    def _compare_with(self, other, told, place):
        at, by_ddp = place
        if self.told:
            return
        # of one training: they ran at the same time
        if other["rank"] == told["rank"] or other["begun"] > told["time"] or told["begun"] > other["time"]:
            return
        theirs, differing = dict(zip(other["names"], other["values"])), []
        for name, mine in zip(told["names"], told["values"]):
            if name in theirs and theirs[name][0] == mine[0]:
                found = difference(mine, theirs[name])
                if found:
                    differing.append((name, found, mine))
        if differing:
            self.told = True
            name, found, mine = differing[0]
            key = "hand" if not by_ddp else "ddp" if told["steps"] else "changed"
            self.report(
                key,
                at,
                step=told["steps"],
                here=min(told["rank"], other["rank"]),
                there=max(told["rank"], other["rank"]),
                count=len(differing),
                of=len(told["names"]),
                steps=told["steps"],
                name=name.split(" ", 1)[1],
                difference="%.3g" % max(one[1] for one in differing),
                scale="%.3g" % (mine[2] / len(range(0, int(mine[0]), max(1, int(mine[0]) // MAX_SUMMED)))),
            )


def of_all_ranks(group):
    distributed = torch.distributed
    return distributed.is_initialized() and distributed.get_world_size(group) == distributed.get_world_size()


def leaves_apart(wrapper):
    """Whether a communication hook leaves each rank its own gradients, for an average now and then."""
    try:
        hook = str(wrapper._get_ddp_logging_data().get("comm_hook", "")).lower()
    except Exception:
        return False
    return "local" in hook or "noop" in hook


def digest(tensor):
    """A parameter's size, sum and sum of sizes over some elements, and a few elements, as a row."""
    flat = tensor.reshape(-1)
    part = flat[:: max(1, flat.numel() // MAX_SUMMED)]
    few = part[:: max(1, part.numel() // SAMPLES)][:SAMPLES].double()
    row = flat.new_zeros(SAMPLES + 3, dtype=torch.float64)
    row[0] = flat.numel()
    row[1] = part.sum(dtype=torch.float64)
    row[2] = part.abs().sum(dtype=torch.float64)
    row[3 : 3 + len(few)] = few
    return row


def difference(mine, theirs):
    """By how much two digests differ at least; 0 where it may be rounding."""
    count = len(range(0, int(mine[0]), max(1, int(mine[0]) // MAX_SUMMED)))
    scale = max(mine[2], theirs[2]) / count
    single = max(abs(a - b) for a, b in zip(mine[3:], theirs[3:]))
    mean = abs(mine[1] - theirs[1]) / count
    return max(single, mean) if single > TOLERANCE * scale or mean > MEAN_TOLERANCE * scale else 0.0
