"""A mask whose shape would fit, were it turned or without a dimension of size 1."""

import ast

from torchwhy.source.edits import AN_INDEX, FailingLine, LineEdit, Values, alone


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


def of_what_was_given(line: FailingLine, values: Values) -> LineEdit | None:
    """A mask of whole rows, of which only a part went into what it picks from: of that part."""
    source = line.file
    picked = (
        [] if source is None else [each for each in source.of(ast.Subscript) if each.lineno == line.here.line]
    )
    picked = [
        each for each in picked if isinstance(each.slice, ast.Name) and isinstance(each.value, ast.Name)
    ]
    if len(picked) != 1:
        return None
    masks, made = source.values(picked[0].slice), source.values(picked[0].value)
    whole = masks[0].left if len(masks) == 1 and isinstance(masks[0], ast.Compare) else None
    if not isinstance(whole, ast.Name) or len(made) != 1 or not isinstance(made[0], ast.Call):
        return None
    parts = {
        each.id
        for each in made[0].args
        if isinstance(each, ast.Name) and each.lineno < whole.lineno
        for part in source.values(each)
        if isinstance(part, ast.Subscript) and ast.unparse(part.value) == whole.id
    }
    return alone(line.put(whole, parts.pop())) if len(parts) == 1 else None
