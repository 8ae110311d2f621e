"""Cross entropy averaged over no target at all."""

from torchwhy_watch import CLASSIFYING, Watching, on_cpu

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


class Guard(Watching):
    always = ("on_loss",)

    def begin(self):
        self.found, self.zero = False, None

    def on_loss(self, loss):
        self.zero = None
        if loss.name not in CLASSIFYING or loss.reduction not in ("mean", "sum"):
            return
        if not on_cpu(loss.target, floating=False) or loss.result.dim():
            return
        value, count, index = loss.result.item(), loss.target.numel(), loss.options.get("ignore_index", -100)
        empty = (value != value) == (loss.reduction == "mean") and not value > 0
        empty = empty and count and bool((loss.target == index).all())
        summed = self.in_a_row(loss.at, empty and loss.reduction == "sum")
        if summed:
            self.zero = (loss.at, count, index)
            if summed == IN_A_ROW:
                self.report("in_a_row", loss.at, count=count, before=IN_A_ROW - 1, index=index)
        elif empty:
            self.found = True
            self.report("ignored", loss.at, count=count, index=index)

    def on_not_finite(self, facts):
        if not facts.claimed and facts.what == "loss":
            if self.zero is not None:
                self.found = True
                at, count, index = self.zero
                self.report("divided", at, facts.step, count=count, index=index)
            facts.claimed = self.found
