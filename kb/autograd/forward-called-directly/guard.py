"""A wrapper or hooks that a call goes past: forward() of a model that has hooks, the model inside DDP."""

import gc
import sys

import torch
from torchwhy_watch import names_of

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


class Guard:
    def __init__(self, watch):
        self.watch, self.seen, self.calls, self.through = watch, set(), {}, False

    def on_call(self, call, module, args, kwargs):
        """A layer is called as if it were a model: from the forward of one that was not called."""
        frame = self.watch.where.caller()
        if call.grad and call.training:
            self.calls[id(module)] = call
            wrapper = getattr(sys.modules.get("torch.nn.parallel.distributed"), "__file__", None)
            self.through |= frame is not None and frame.f_code.co_filename == wrapper
        if frame is None or frame.f_code.co_name != "forward":
            return
        owner = names_of(frame).get("self")
        if not hasattr(owner, "_forward_hooks") or id(owner) in self.seen:
            return
        self.seen.add(id(owner))
        count = len(owner._forward_hooks) + len(owner._forward_pre_hooks) + len(owner._backward_hooks)
        back = frame.f_back
        while back is not None and self.watch.where.library(back.f_code.co_filename):
            back = back.f_back
        if count and back is not None:
            self.watch.report(
                "skipped", (back.f_code.co_filename, back.f_lineno), model=type(owner).__name__, count=count
            )

    def on_stepped(self, stepped, at):
        """Gradients that no wrapper has seen: it is looked for once, and only where there are several ranks."""
        if stepped.steps != STEPS or self.through or self.watch.compiled:
            return
        distributed = torch.distributed
        if not distributed.is_available() or not distributed.is_initialized():
            return
        ranks = distributed.get_world_size()
        kind = getattr(sys.modules.get("torch.nn.parallel"), "DistributedDataParallel", None)
        if ranks < 2 or kind is None:
            return
        held = {id(one) for one in stepped.parameters() if one.grad is not None}
        for wrapper in [one for one in gc.get_objects() if type(one) is kind]:
            inside = [one for one in wrapper.module.parameters() if id(one) in held]
            if not inside or id(wrapper) in self.watch.modules:
                continue
            for part in wrapper.module.modules():
                call = self.calls.get(id(part))
                if call is not None and call.used:
                    self.watch.report(
                        "bypassed", call.at, model=type(part).__name__, count=len(inside), ranks=ranks
                    )
                    break
