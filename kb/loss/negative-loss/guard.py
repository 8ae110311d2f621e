"""A loss that cannot be negative is, or gets targets with which it can be."""

from torchwhy_watch import CLASSIFYING, Watching, on_cpu

MESSAGES = {
    "targets": (
        "{loss} gets targets from {low} to {high}: it is made for 0 to 1, and has no lower bound outside",
        "{loss} 的目标在 {low} 到 {high} 之间：它只适用于 0 到 1，超出范围就没有下界",
    ),
    "negative": (
        "{loss} gave {value}, and cannot be negative with what it is made for: look at its input and targets",
        "{loss} 的结果是 {value}，而输入符合要求时它不可能为负：请检查它的输入和目标",
    ),
}
SLACK = 1e-3


class Guard(Watching):
    def on_loss(self, loss):
        if loss.reduction == "none" or loss.options.get("weight") is not None:
            return  # -1 may stand for a target that is left out afterwards
        if loss.name == "binary_cross_entropy_with_logits" and on_cpu(loss.target, floating=True):
            if loss.target.numel():
                low, high = float(loss.target.min()), float(loss.target.max())
                if low < -SLACK or high > 1 + SLACK:
                    self.report("targets", loss.at, loss=loss.name, low=low, high=high)
        elif loss.name in (*CLASSIFYING, "kl_div") and on_cpu(loss.result) and not loss.result.dim():
            value = float(loss.result.detach())
            if value < -SLACK and not loss.options.get("log_target"):
                self.report("negative", loss.at, loss=loss.name, value=value)
