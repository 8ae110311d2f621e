"""The first layer and step that made a nan or an inf, where no other guard knows more."""

from torchwhy_watch import Watching

MESSAGES = {
    "layer": (
        "{name} gives {value}, the first of this program: its input and its weights are finite",
        "{name} 的输出出现 {value}，为本程序中首次：其输入与权重都是有限值",
    ),
    "weights": (
        "{name} gives {value} since its weights are not finite any more: the step before, or its gradient, made them so",
        "{name} 的输出为 {value}，因为它的权重已不是有限值：由前一步更新或其梯度造成",
    ),
    "input": (
        "{name} gets {value} as its input: it comes from what stands between the layers before it",
        "{name} 的输入中已有 {value}：来自它之前的计算",
    ),
    "loss": (
        "the loss is {value} at this backward, though the layers' results were finite: the loss's own formula makes it",
        "此处 backward 的损失为 {value}，而各层的输出都是有限值：由损失的公式产生",
    ),
    "gradient": (
        "a gradient is {value} though the loss was finite: some function's derivative is infinite there",
        "损失是有限值，梯度却为 {value}：某个函数在该处的导数为无穷",
    ),
}
# What made them: later ones follow from it.
KNOWN = (
    *("log-of-zero", "nan-in-input-data", "all-targets-ignored"),
    *("amp-fp16-overflow", "learning-rate-out-of-range"),
)


class Guard(Watching):
    def begin(self):
        self.done = False

    def on_not_finite_else(self, facts):
        if not self.done and not self.watch.has_found(*KNOWN):
            self.done = True
            key = facts.cause if facts.what == "layer" and facts.cause != "here" else facts.what
            self.report(key, facts.at, facts.step, name=facts.name, value=float(facts.value))
