"""A wrapper or hooks that a call goes past: forward() of a model that has hooks, the model inside DDP."""

import gc
import sys

import torch
from torchwhy_watch import Watching, hooks_of, names_of

MESSAGES = {
    "skipped": (
        "{model}.forward(...) is called directly: its {count} hooks do not run; call the model itself",
        "直接调用了 {model}.forward(...)：它的 {count} 个 hook 不会运行；应调用模型本身",
    ),
    "bypassed": (
        "{model} is called inside its DistributedDataParallel, which is never called itself: {count} gradients have not been averaged over the {ranks} ranks, whose weights drift apart",
        "直接调用了 DistributedDataParallel 里面的 {model}，从未调用 DDP 本身：{count} 个梯度没有在 {ranks} 个 rank 之间求平均，各 rank 的权重会逐渐不同",
    ),
}
STEPS = 3


class Guard(Watching):
    def begin(self):
        self.seen, self.calls, self.through = set(), {}, False

    def on_call(self, call, module, args, kwargs):
        """A layer is called as if it were a model: from the forward of one that was not called."""
        frame = self.watch.where.caller()
        if call.grad and call.training:
            self.calls[id(module)] = call
            wrapper = getattr(sys.modules.get("torch.nn.parallel.distributed"), "__file__", None)
            self.through |= frame is not None and frame.f_code.co_filename == wrapper
        owner = (
            names_of(frame).get("self") if frame is not None and frame.f_code.co_name == "forward" else None
        )
        if not hasattr(owner, "_forward_hooks") or id(owner) in self.seen:
            return
        self.seen.add(id(owner))
        back = next(self.watch.where.own_frames(frame.f_back), None)
        if hooks_of(owner) and back is not None:
            place = (back.f_code.co_filename, back.f_lineno)
            self.report("skipped", place, model=type(owner).__name__, count=hooks_of(owner))

    def on_stepped(self, stepped, at):
        """Gradients that no wrapper has seen: it is looked for once, and only where there are several ranks."""
        distributed = torch.distributed
        if stepped.steps != STEPS or self.through or self.watch.compiled or not distributed.is_available():
            return
        ranks = distributed.get_world_size() if distributed.is_initialized() else 1
        kind = getattr(sys.modules.get("torch.nn.parallel"), "DistributedDataParallel", None)
        held = {id(one) for one in stepped.parameters() if one.grad is not None}
        for wrapper in [one for one in gc.get_objects() if type(one) is kind] if ranks > 1 and kind else ():
            inside = [one for one in wrapper.module.parameters() if id(one) in held]
            parts = wrapper.module.modules() if inside and id(wrapper) not in self.watch.modules else ()
            calls = ((type(part).__name__, self.calls.get(id(part))) for part in parts)
            called = next(((name, call) for name, call in calls if call is not None and call.used), None)
            if called:
                self.report("bypassed", called[1].at, model=called[0], count=len(inside), ranks=ranks)
