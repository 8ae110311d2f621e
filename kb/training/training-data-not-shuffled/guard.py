"""The class labels come in their order."""

from torchwhy_watch import CLASSIFYING, Watching, on_cpu

MESSAGES = {
    "sorted": (
        "the first {count} labels that the loss got are in ascending order ({classes} classes): the data are sorted and not shuffled",
        "损失收到的前 {count} 个标签按升序排列（{classes} 类）：数据有序且没有打乱",
    )
}
LEAST, BATCHES = 40, 4


class Guard(Watching):
    always = ("on_loss",)

    def begin(self):
        self.labels, self.classes, self.batches, self.over = [], set(), 0, False

    def on_loss(self, loss):
        target = loss.target
        if self.over or not loss.grad or loss.name not in CLASSIFYING or target.dim() != 1:
            return
        if not on_cpu(target, floating=False) or target.numel() < 2:
            return
        values = target[target >= 0].tolist()
        if all(a <= b for a, b in zip([*self.labels[-1:], *values], values)):
            self.batches += 1
            self.labels += values
            return
        self.over = True
        count, classes = len(self.labels), len(set(self.labels))
        if self.batches >= BATCHES and count >= LEAST and classes > 1:
            self.report("sorted", loss.at, count=count, classes=classes)
