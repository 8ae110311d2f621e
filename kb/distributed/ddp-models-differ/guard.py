"""Ranks whose parameters should be the same, and are not: each writes a few numbers, and reads those of the others."""

import weakref

import torch
from torchwhy_watch import (
    RankFiles,
    Watching,
    difference,
    digest,
    leaves_apart,
    now,
    of_all_ranks,
    plain,
    rows_of,
    scale_of,
    several_ranks,
)

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
MAX_PARAMETERS, MAX_WRAPPERS = 400, 32


class Guard(Watching):
    always = ("on_step",)

    def begin(self):
        self.begun, self.told, self.exchange = now(), False, RankFiles(self.watch.folder)
        self.wrapped, self.order, self.calls, self.apart = [], {}, {}, set()
        self.reduced, self.averaged, self.sent, self.pointers = {}, {}, set(), None
        self.own, self.others = {}, {}

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
        pointer, early = tensor.data_ptr(), self.watch.step < EARLY
        if name == "broadcast":
            self.sent.add(pointer)  # often before there is an optimizer
        elif pointer in parameters:
            self._count(self.averaged, parameters[pointer])
        elif early and pointer in gradients:
            self._count(self.reduced, gradients[pointer])
        elif early and tensor.numel() in whole:  # all gradients as one tensor
            self._count(self.reduced, whole[tensor.numel()])

    def _count(self, steps, ids):
        for one in ids:
            steps.setdefault(one, set()).add(self.watch.step)

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
            ignored = getattr(wrapper, "parameters_to_ignore", ())
            for name, one in wrapper.module.named_parameters() if reference not in self.apart else ():
                if one.requires_grad and name not in ignored:
                    found[id(one)] = (name, at)
        by_hand = any(id(one) in self.reduced for one in held)
        steps = range(min(stepped.steps, EARLY))
        for one in held:
            key = id(one)
            if key in self.averaged:
                found.pop(key, None)  # local steps, and an average now and then
                together = steps and self.averaged[key].issuperset(steps)
            else:
                reduced = key in self.reduced and self.reduced[key].issuperset(steps)
                together = key not in found and (reduced or (by_hand and one.data_ptr() in self.sent))
            if together:
                found[key] = ("", None)
        chosen = [(place, one, *found[id(one)]) for place, one in enumerate(held) if id(one) in found]
        return chosen[:: 1 + len(chosen) // MAX_PARAMETERS]

    # --- a few numbers of each, at a few steps ---

    def on_step(self, stepped, at):
        """Before a step: behind it, a program may average first."""
        watch = self.watch
        watch.later.read()
        if stepped.steps not in LOOKS or not watch.folder or self.told or "LocalSGD" in stepped.name:
            return
        chosen = self._agreeing(stepped) if several_ranks() else ()
        chosen = [one for one in chosen if plain(one[1]) and one[1].numel()]
        if not chosen:
            return
        names = self._names([one for _, one, name, _ in chosen if not name])
        shown = [
            (place, name or names.get(id(one), "parameter %d" % place)) for place, one, name, _ in chosen
        ]
        told = {
            "rank": torch.distributed.get_rank(),
            "begun": self.begun,
            "optimizer": self.order.setdefault(stepped, len(self.order)),
            "steps": stepped.steps,
            "names": ["%d %s" % one for one in shown],
        }
        by_ddp = chosen[0][3]
        values = torch.cat([digest(one.detach()) for _, one, _, _ in chosen])
        place = (by_ddp if by_ddp and not stepped.steps else at), by_ddp is not None
        watch.later.fetch(values, lambda host: self._write(told, host, place))
        self._compare()

    def on_stepped(self, stepped, at):
        if self.watch.step <= EARLY:
            self.pointers = None  # the next gradients lie elsewhere

    def _names(self, wanted):
        found, ids = {}, {id(one) for one in wanted}
        for counted in list(self.watch.roots.values()) if ids else ():
            module = counted.ref()
            if module is not None:
                found.update((id(one), name) for name, one in module.named_parameters() if id(one) in ids)
        return found

    def _write(self, told, values, place):
        told["values"], told["time"] = rows_of(values), now()
        self.own[told["optimizer"], told["steps"]] = (told, place)
        self.exchange.write(told["rank"], told)

    # --- side by side ---

    def on_end(self):
        self._compare()

    def _compare(self):
        """What other ranks have written by now; the last one to end sees all of it."""
        if self.told or not self.own:
            return
        for other in self.exchange.news():
            self.others.setdefault((other["optimizer"], other["steps"]), []).append(other)
        for key in sorted(set(self.own) & set(self.others)):
            for other in self.others.pop(key):
                self._compare_with(other, *self.own[key])

    def _compare_with(self, other, told, place):
        # of one training: they ran at the same time
        apart = other["begun"] > told["time"] or told["begun"] > other["time"]
        if self.told or apart or other["rank"] == told["rank"]:
            return
        theirs = dict(zip(other["names"], other["values"]))
        pairs = [
            (name, mine, theirs[name]) for name, mine in zip(told["names"], told["values"]) if name in theirs
        ]
        found = [(name, difference(mine, his), mine) for name, mine, his in pairs if mine[0] == his[0]]
        differing = [one for one in found if one[1]]
        if differing:
            self.told = True
            (at, by_ddp), ranks = place, sorted((told["rank"], other["rank"]))
            name, _, mine = differing[0]
            self.report(
                "hand" if not by_ddp else "ddp" if told["steps"] else "changed",
                at,
                step=told["steps"],
                here=ranks[0],
                there=ranks[1],
                count=len(differing),
                of=len(told["names"]),
                steps=told["steps"],
                name=name.split(" ", 1)[1],
                difference="%.3g" % max(one[1] for one in differing),
                scale="%.3g" % scale_of(mine)[0],
            )
