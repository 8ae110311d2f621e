"""Cross entropy averaged over no target at all."""

MESSAGES = {
    "ignored": (
        "all {count} targets of this batch are ignored ({index}): the mean over none is nan",
        "本批的 {count} 个目标全部被忽略（{index}）：对零个目标求平均得到 nan",
    ),
    "divided": (
        "all {count} targets of this batch are ignored ({index}): their sum is 0, and divided by their number it is nan",
        "本批的 {count} 个目标全部被忽略（{index}）：其和为 0，再除以其个数得到 nan",
    ),
    "in_a_row": (
        "all {count} targets of this batch and of the {before} before it are ignored ({index}): nothing can be learned",
        "本批的 {count} 个目标以及之前 {before} 批的目标全部被忽略（{index}）：什么也学不到",
    ),
}
IN_A_ROW = 4  # sums of 0: micro-batches of padding alone may come in between


class Guard:
    def __init__(self, watch):
        self.watch, self.found, self.zero, self.rows = watch, False, None, {}

    def on_loss(self, loss):
        self.zero = None
        if loss.name not in ("cross_entropy", "nll_loss") or loss.reduction not in ("mean", "sum"):
            return
        if loss.target.device.type != "cpu" or loss.target.is_floating_point() or loss.result.dim():
            return
        value = loss.result.item()
        index = loss.options.get("ignore_index", -100)
        empty = (value != value) == (loss.reduction == "mean") and not value > 0
        if not (empty and loss.target.numel() and bool((loss.target == index).all())):
            self.rows[loss.at] = 0
        elif loss.reduction == "mean":
            self.found = True
            self.watch.report("ignored", loss.at, count=loss.target.numel(), index=index)
        else:
            self.zero = (loss.at, loss.target.numel(), index)
            self.rows[loss.at] = self.rows.get(loss.at, 0) + 1
            if self.rows[loss.at] == IN_A_ROW:
                self.watch.report(
                    "in_a_row", loss.at, count=loss.target.numel(), before=IN_A_ROW - 1, index=index
                )

    def on_not_finite(self, facts):
        if facts.claimed or facts.what != "loss":
            return
        if self.zero is not None:
            self.found = True
            at, count, index = self.zero
            self.watch.report("divided", at, step=facts.step, count=count, index=index)
        facts.claimed = self.found
