"""A mask whose shape would fit, were it turned or without a dimension of size 1."""

from torchwhy.source.edits import AN_INDEX, FailingLine, LineEdit, Values


def fitted(line: FailingLine, values: Values) -> LineEdit | None:
    mask, tensor = (values[name].split(", ") for name in ("mask", "tensor"))
    ones = [at for at, size in enumerate(mask) if size == "1"]
    without = [at for at in ones if mask[:at] + mask[at + 1 :] == tensor[: len(mask) - 1]]
    new = ""
    if len(without) == 1 and len(mask) > 1:
        new = f"{{it}}.squeeze({without[0]})"
    elif len(mask) == 2 and mask[::-1] == tensor[:2]:
        new = "{it}.T"
    edit = line.rewritten("0", new, AN_INDEX) if new else None
    made_here = edit is not None and not edit.place.written.isidentifier()  # no other index can lack the same
    return edit._replace(alone=made_here) if edit is not None else None
