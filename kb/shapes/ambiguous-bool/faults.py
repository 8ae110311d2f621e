TABLE = """losses = {{"squares": torch.nn.MSELoss, "sizes": torch.nn.L1Loss}}


def loss_named(name):
    return losses[name]


class Fit:
    def __init__(self, name="sizes"):
        self.criterion = {made}


assert Fit().criterion(torch.ones(3), torch.zeros(3)) == 1
"""


def faults(host):
    for made in ("loss_named(name)", "losses[name]"):
        yield from host.with_text("torch.manual_seed(", f"{TABLE.format(made=made)}torch.manual_seed(")
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
    yield from host.with_text("~done", "not done")
    yield from host.with_text("(~ended).float()", "(not ended)")
    yield from host.with_text("chances > 0.2]", "(chances > 0.2) and (chances < 2)]")
    yield from host.with_text("heat < 0]", "(heat < 0) and (heat > -9)]")
    yield from host.with_text("(predicted == labels)", "((predicted == labels) and (labels >= 0))")
    yield from host.with_text(
        "(alone(ids).argmax(1) == kinds)", "((alone(ids).argmax(1) == kinds) and (kinds >= 0))"
    )
