DECODER = """class Code(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.into, self.out = torch.nn.Linear(6, 2), torch.nn.Linear(2, 6)

    def forward(self, x):
        return self.out(torch.relu(self.into(x)))


x = torch.full((4, 6), 0.5)
code = Code()
error = torch.nn.functional.binary_cross_entropy(code(x), x, reduction="sum")
error.backward()
assert error > 0
"""
OBJECT = """yes = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
criterion_of_yes = torch.nn.BCELoss()
out = yes(torch.randn(32, 2) * 9)
error = criterion_of_yes(out, torch.ones(32, 1))
assert error > 0
"""


def faults(host):
    for text in (DECODER, OBJECT):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.without_call("sigmoid")
    yield from host.with_text(", nn.Sigmoid()", "")
    yield from host.renamed("BCEWithLogitsLoss", "BCELoss")
    yield from host.with_argument("bce", 0, "{} + 1")
    yield from host.with_argument("binary_cross_entropy", 1, "255 * {}")
    yield from host.with_argument("bce", 1, "{} - 2")
    yield from host.with_text("criterion(out, masks)", "nn.functional.binary_cross_entropy(out, masks)")
