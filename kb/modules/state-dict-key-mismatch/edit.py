"""The part of a checkpoint that holds the weights, and the level that one side's names have more."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.nodes import constant, inside
from torchwhy.source.roles import saved_weights

LOAD, GIVEN = "load_state_dict", "0|state_dict"


def weights_of_checkpoint(line: FailingLine, values: Values) -> LineEdit | None:
    """The part that the message names, else the one that this file saves the weights under."""
    saved = {key for _, key in saved_weights(line.source)} if line.source is not None else set()
    holder = values.get("holder") or (next(iter(saved)) if len(saved) == 1 else None)
    call = line.call
    at, given = line.where_given(given_at(call, GIVEN) if call is not None else None)
    if holder and at is not line:
        return alone(at.put(given, f'{{it}}["{holder}"]'))
    return alone(line.rewritten(GIVEN, f'{{it}}["{holder}"]', LOAD) if holder else None)


def part_that_was_saved(line: FailingLine, values: Values) -> LineEdit | None:
    """The key under which this file saves the weights, in the place of one that is not there."""
    source, statement = line.file, line.statement()
    saved = {key for _, key in saved_weights(source)} if source is not None else set()
    asked = [each for each in inside(statement, ast.Subscript) if constant(each.slice) == values["asked"]]
    if len(saved) != 1 or len(asked) != 1 or len(source.calls("torch.save")) != 1:
        return None
    [key] = saved
    whole, part = source.place_of(asked[0]), source.place_of(asked[0].slice)
    if key is not None:
        return LineEdit(part, part.with_text(f'"{key}"')) if part is not None else None
    inner = ast.get_source_segment(source.text, asked[0].value)
    return LineEdit(whole, whole.with_text(inner)) if whole is not None and inner else None


def level_of_names(line: FailingLine, values: Values) -> LineEdit | None:
    """`net.` taken off the names of the file, or put in front of them; it is loaded as strictly as before."""
    missing, unexpected = values["missing"], values["unexpected"]
    if unexpected.endswith(f".{missing}"):
        to = f'{{k.removeprefix("{unexpected.removesuffix(missing)}"): v for k, v in {{it}}.items()}}'
    elif missing.endswith(f".{unexpected}"):
        to = f'{{"{missing.removesuffix(unexpected)}" + k: v for k, v in {{it}}.items()}}'
    else:
        return None
    return alone(line.rewritten(GIVEN, to, LOAD))
