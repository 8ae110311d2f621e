"""Parameters whose gradient is always zero are shrunk by weight decay."""

from torchwhy_watch import Watching, on_cpu

MESSAGES = {
    "shrinks": (
        "{count} of {all} parameter tensors have a gradient of exactly zero in every look, and weight_decay={decay} shrinks them",
        "{all} 个参数张量中有 {count} 个的梯度每次都恰好为零，而 weight_decay={decay} 使它们不断缩小",
    )
}
LOOKS = 4


class Guard(Watching):
    def begin(self):
        self.zero = {}

    def on_step(self, stepped, at):
        zero, count, decay = set(), 0, 0.0
        for group in stepped.ref().param_groups:
            for one in group["params"]:
                if one.grad is None or not on_cpu(one) or one.is_sparse or one.grad.is_sparse:
                    continue
                count += 1
                if group.get("weight_decay") and not bool(one.grad.any()) and bool(one.detach().any()):
                    zero.add(id(one))
                    decay = float(group["weight_decay"])
        zero = self.zero[id(stepped)] = zero & self.zero.get(id(stepped), zero)
        if self.in_a_row(id(stepped)) == LOOKS and 0 < len(zero) < count:
            self.report("shrinks", at, count=len(zero), all=count, decay=decay)
