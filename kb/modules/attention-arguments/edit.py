"""Masks of padded keys that lie as (keys, batch)."""

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.kinds import makers
from torchwhy.source.nodes import argument, constant, words

MASKS = words("key_padding_mask src_key_padding_mask tgt_key_padding_mask memory_key_padding_mask")


def mask_turned(line: FailingLine, values: Values) -> LineEdit | None:
    """The masks turned, where it is known which dimension of what they mask is the batch: the first, as the
    layer was made, or the second, since another mask is as long and as wide as the first.
    """
    source, call = line.source, line.failed
    made = makers(source, call.func) if source is not None and call is not None else []
    if len(made) != 1 or values["axis"] == "1":
        return None
    shapes = {each.value: line.record.shape(each.value) or () for each in call.keywords}
    padding = [each.value for each in call.keywords if each.arg in MASKS]
    batch = int(values["want"])
    wrong = [each for each in padding if shapes[each][1:] == (batch,) != shapes[each][:1]]
    if constant(argument(made[0], -1, "batch_first")) is True:
        given = line.record.shape(call.args[-1]) if call.args else None
        known = given is not None and given[:2] == (batch, int(values["got"]))
    else:
        known = any(shapes[each][:1] * 2 in shapes.values() for each in wrong)
    return alone(line.put_each(wrong, "{it}.T")) if known else None
