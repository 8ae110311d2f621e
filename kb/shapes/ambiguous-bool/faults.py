def faults(host):
    yield from host.with_text(" & ", " and ")
    yield from host.with_text("if padding is not None", "if padding")
    yield from host.with_text("if step ", "if loss > 0 and torch.ones(2) > 0 and step ")
    yield from host.with_text("if number % 2", "if windows > 0 and number % 2")
    yield from host.with_text("masked_fill(~mask,", "masked_fill(not mask,")
    yield from host.with_text("tags != -100)", "tags != -100).all() and not tags")
    yield from host.with_text(
        "    optimizer.step()", "    if loss.reshape(1, 1).expand(2, 2) > 0:\n        optimizer.step()"
    )
