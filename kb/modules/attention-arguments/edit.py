"""A mask of padded keys that lies as (keys, batch)."""

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.kinds import makers
from torchwhy.source.nodes import argument, constant

MASKS = ("key_padding_mask", "src_key_padding_mask")


def mask_turned(line: FailingLine, values: Values) -> LineEdit | None:
    """The mask turned, where what it masks is known to have its batch first."""
    source, call = line.source, line.call
    mask = argument(call, -1, *MASKS) if call is not None else None
    made = makers(source, call.func) if source is not None and call is not None else []
    shape = line.record.shape(mask)
    sizes = [int(values["want"]), int(values["got"])]
    if values["axis"] == "1" or shape is None or [*shape] != sizes[::-1] or len(made) != 1:
        return None
    first = constant(argument(made[0], -1, "batch_first"))
    given = line.record.shape(call.args[-1]) if call is not None and call.args else None
    if first is not True or given is None or [*given[:2]] != sizes:
        return None
    return alone(line.put(mask, "{it}.T"))
