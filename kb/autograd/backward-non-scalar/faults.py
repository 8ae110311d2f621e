OF_EACH = """class Bound(torch.nn.Module):
    def __init__(self, weight=0.5):
        super().__init__()
        self.weight = weight

    def forward(self, x, middle, spread):
        error = torch.nn.functional.mse_loss(middle, x)
        apart = -0.5 * torch.sum(1 + spread - middle.pow(2) - spread.exp(), dim=-1)
        return error + self.weight * apart, error


middle = torch.ones(4, 3, requires_grad=True)
both, _ = Bound()(torch.zeros(4, 3), middle, torch.zeros(4, 3))
both.backward()
assert both.item() == 1.75
"""


def faults(host):
    yield from host.with_text("torch.manual_seed(", f"{OF_EACH}torch.manual_seed(")
    for loss in ("CrossEntropyLoss", "MSELoss", "BCELoss", "BCEWithLogitsLoss"):
        yield from host.with_keyword(loss, 'reduction="none"')
    for loss in ("cross_entropy", "nll_loss", "mse_loss", "smooth_l1_loss"):
        yield from host.with_keyword(loss, 'reduction="none"')
    yield from host.with_text("pow(2).mean()", "pow(2)")
    yield from host.with_text("* returns).sum()", "* returns)")
    yield from host.with_text("return (same + apart) / len(x)", "return same + apart * torch.ones(len(x))")
