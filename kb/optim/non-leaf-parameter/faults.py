SCALED = """latent = torch.randn(1, 4, requires_grad=True) * 0.1
tuner = torch.optim.Adam([latent], lr=0.01)
latent.sum().backward()
tuner.step()
assert latent.is_leaf and latent.abs().max() < 1
"""
MOVED = """place = torch.device("cpu")
picture = torch.rand(3, 8, 8).requires_grad_().to(torch.float64).clamp(0, 1)
tuner = torch.optim.SGD([picture], lr=0.01)
picture.mean().backward()
tuner.step()
assert picture.dtype == torch.float64
"""
PARAMETER = """shift = torch.nn.Parameter(torch.zeros(4)).to(torch.float64)
line = torch.nn.Linear(4, 1).double()
tuner = torch.optim.AdamW([shift, *line.parameters()], lr=0.01)
line(shift).sum().backward()
tuner.step()
assert shift.grad is not None
"""
TWO = """w = torch.randn(3, 1, requires_grad=True) / 3 ** 0.5
b = torch.zeros(1, requires_grad=True) + 0.1
tuner = torch.optim.SGD([w, b], lr=0.1)
(torch.ones(2, 3) @ w + b).sum().backward()
tuner.step()
assert w.is_leaf and b.is_leaf
"""
WEIGHT = """line = torch.nn.Linear(3, 3)
line.weight = torch.eye(3)
tuner = torch.optim.SGD(line.parameters(), lr=0.1)
assert line.weight.requires_grad and line.weight.trace() == 3
"""
TABLE = """class Words(torch.nn.Module):
    def __init__(self, vectors):
        super().__init__()
        self.table = torch.nn.Embedding(*vectors.shape)
        self.table.weight = vectors.clone()

    def forward(self, ids):
        return self.table(ids)


assert Words(torch.ones(5, 2))(torch.tensor([3])).sum() == 2
"""
# Weights that are computed: a parameter would cut them off.
COMPUTED = """class Made(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.maker, self.line = torch.nn.Linear(1, 4), torch.nn.Linear(2, 2)

    def forward(self, x):
        self.line.weight = self.maker(torch.ones(1)).view(2, 2)
        return self.line(x)


Made()(torch.ones(1, 2))
"""


def faults(host):
    for text in (SCALED, MOVED, PARAMETER, TWO, WEIGHT, TABLE, COMPUTED):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for optimizer in ("Adam", "AdamW", "SGD", "RMSprop", "Adagrad"):
        yield from host.with_argument(optimizer, 0, "[each * 1.0 for each in {}]")
    yield from host.with_text(
        "scale = Trunk(), nn.Parameter(torch.ones(1))",
        "scale = Trunk(), torch.ones(1, requires_grad=True) * 1",
    )
