"""The class labels come in their order."""

MESSAGES = {
    "sorted": (
        "the first {count} labels that the loss got are in ascending order ({classes} classes): the data are sorted and not shuffled",
        "损失收到的前 {count} 个标签按升序排列（{classes} 类）：数据有序且没有打乱",
    )
}
LEAST, BATCHES = 40, 4


class Guard:
    def __init__(self, watch):
        self.watch, self.count, self.last, self.classes, self.batches, self.over = (
            watch,
            0,
            None,
            set(),
            0,
            False,
        )

    def on_loss(self, loss):
        target = loss.target
        if self.over or not loss.grad or loss.name not in ("cross_entropy", "nll_loss") or target.dim() != 1:
            return
        if target.device.type != "cpu" or target.is_floating_point() or target.numel() < 2:
            return
        values = target[target >= 0].tolist()
        ascending = all(a <= b for a, b in zip(values, values[1:])) and (
            self.last is None or not values or values[0] >= self.last
        )
        if not ascending:
            if self.batches >= BATCHES and self.count >= LEAST and len(self.classes) > 1:
                self.watch.report("sorted", loss.at, count=self.count, classes=len(self.classes))
            self.over = True
            return
        self.batches += 1
        self.count += len(values)
        self.classes.update(values)
        self.last = values[-1] if values else self.last
