def faults(host):
    yield from host.with_text(" & ", " and ")
    yield from host.with_text("if padding is not None", "if padding")
    yield from host.with_text("masked_fill(~mask,", "masked_fill(not mask,")
    yield from host.with_text("if number % 2", "if windows > 0 and number % 2")
    yield from host.with_text(
        "parameter.requires_grad = False", "parameter.requires_grad = bool(parameter > 9)"
    )
    yield from host.with_text("losses.append(loss.item())", "losses.append(loss.item() if logits > 0 else 0)")
    yield from host.with_text(
        "total += loss.item()", "total += loss.item() if output > 0 or output < 0 else 0"
    )
    yield from host.with_text("CrossEntropyLoss()\n", "CrossEntropyLoss\n")
    yield from host.with_text("MSELoss()\n", "MSELoss\n")
    yield from host.with_text("BCELoss()\n", "BCELoss\n")
