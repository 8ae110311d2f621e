"""Cross entropy counts the targets of padding."""

from torchwhy_watch import CLASSIFYING, Watching, padded

MESSAGES = {
    "counted": (
        "{share} of the targets belong to padding (all of them {value}), and the loss counts them: ignore_index={value}?",
        "{share} 的目标属于补齐位置（值都是 {value}），损失把它们也算了进去：是否应设 ignore_index={value}？",
    ),
}
LEAST = 0.03  # of the targets


class Guard(Watching):
    def on_probe(self, probed):
        loss = probed.loss
        if (
            loss is None
            or loss.target is None
            or loss.name not in CLASSIFYING
            or loss.options.get("reduction") == "none"
        ):
            return
        for asked in probed.calls:
            for tokens in asked.tensors():
                if tokens.dim() == 2 and loss.target.numel() == tokens.numel():
                    self._look(padded(tokens), loss.target.reshape(tokens.shape), loss)

    def _look(self, padding, target, loss):
        if padding is None or not float(padding.float().mean()) >= LEAST:
            return
        values, weight = target[padding].unique(), loss.options.get("weight")
        if len(values) != 1 or values[0] == loss.options.get("ignore_index", -100):
            return
        if weight is not None and float(weight[values[0]]) == 0:
            return
        share = "%d%%" % round(100 * float(padding.float().mean()))
        self.report(
            "counted",
            self.watch.line_that_made("CrossEntropyLoss", loss.at),
            share=share,
            value=int(values[0]),
        )
