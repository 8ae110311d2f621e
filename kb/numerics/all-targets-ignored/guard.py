"""Cross entropy averaged over no target at all."""

MESSAGES = {
    "ignored": (
        "all {count} targets of this batch are ignored ({index}): the mean over none is nan",
        "本批的 {count} 个目标全部被忽略（{index}）：对零个目标求平均得到 nan",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch, self.found = watch, False

    def on_loss(self, loss):
        if loss.name not in ("cross_entropy", "nll_loss") or loss.reduction != "mean":
            return
        if loss.target.device.type != "cpu" or loss.target.is_floating_point() or loss.result.dim():
            return
        value = loss.result.item()
        index = loss.options.get("ignore_index", -100)
        if value != value and bool((loss.target == index).all()):
            self.found = True
            self.watch.report("ignored", loss.at, count=loss.target.numel(), index=index)

    def on_not_finite(self, facts):
        facts.claimed = facts.claimed or (self.found and facts.what == "loss")
