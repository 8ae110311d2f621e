"""A mask whose shape would fit, were it turned or without a dimension of size 1."""

from torchwhy.source.edits import AN_INDEX, FailingLine, LineEdit, Values


def fitted(line: FailingLine, values: Values) -> LineEdit | None:
    mask, tensor = (values[name].split(", ") for name in ("mask", "tensor"))
    ones = [at for at, size in enumerate(mask) if size == "1"]
    without = [at for at in ones if mask[:at] + mask[at + 1 :] == tensor[: len(mask) - 1]]
    if len(without) == 1 and len(mask) > 1:
        return line.rewritten("0", f"{{it}}.squeeze({without[0]})", AN_INDEX)
    if len(mask) == 2 and mask[::-1] == tensor[:2]:
        return line.rewritten("0", "{it}.T", AN_INDEX)
    return None
