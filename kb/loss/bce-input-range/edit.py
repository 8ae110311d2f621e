"""The loss that takes what a last layer gives, where nothing in the file makes probabilities of it."""

from torchwhy.source.edits import FailingLine, LineEdit, Values

LAYERS = ("Linear", "LazyLinear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "Parameter")
SQUASHING = ("sigmoid", "sigmoid_", "Sigmoid", "softmax", "Softmax", "expit")


def function_of_logits(line: FailingLine, values: Values) -> LineEdit | None:
    name = "binary_cross_entropy"
    return line.replaced(f"{name}(", f"{name}_with_logits(") if _gives_logits(line) else None


def class_of_logits(line: FailingLine, values: Values) -> LineEdit | None:
    """The class under its other name; only of `nn.Name(`, which needs no other import."""
    calls = line.makers("BCELoss") if _gives_logits(line) else []
    made = line.shown(calls[0].lineno) if len(calls) == 1 else None
    if made is None or made.place.text.count(".BCELoss(") != 1:
        return None
    return made._replace(after=made.place.text.strip().replace(".BCELoss(", ".BCEWithLogitsLoss("))


def _gives_logits(line: FailingLine) -> bool:
    return line.uses(*LAYERS) and not line.uses(*SQUASHING)
