def faults(host):
    yield from host.with_text("(~ended).float()", "(1 - ended).float()")
    yield from host.with_text("1 - done.float()", "1 - done")
    yield from host.with_text("states[~done]", "states[1 - done]")
    yield from host.with_text("masked_fill(~mask,", "masked_fill(1 - mask,")
    yield from host.with_text("masked_fill(~mask,", "masked_fill(-mask,")
    yield from host.with_text("scores.masked_fill(mask,", "scores.masked_fill(1 - (1 - mask),")
    yield from host.with_text("(predicted == labels).float()", "(1 - (predicted != labels)).float()")
    yield from host.with_text(
        "(alone(ids).argmax(1) == kinds).float()", "(1 - (alone(ids).argmax(1) != kinds)).float()"
    )
    yield from host.with_text("padding[:, None, None, :]", "1 - (~padding)[:, None, None, :]")
    yield from host.with_text("(found & mask.bool())", "(found - ~mask.bool())")
    yield from host.with_text("(tags != -100)", "(1 - (tags == -100))")
    yield from host.with_text("heat[heat < 0]", "heat[1 - (heat >= 0)]")
    yield from host.with_text("chances[chances > 0.2]", "chances[1 - (chances <= 0.2)]")
