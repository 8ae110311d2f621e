ZERO = """w = torch.randn(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for given in torch.randn(3, 5, 3):
    w.grad.zero_()
    b.grad.zero_()
    error = (given @ w + b - 1).square().mean()
    error.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
assert error.item() >= 0
"""
REPLACED = """w = torch.randn(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
rate = 0.1
for given in torch.randn(3, 5, 3):
    error = (given @ w + b - 1).square().mean()
    error.backward()
    w = w - rate * w.grad
    b = b - rate * b.grad
    w.grad = None
    b.grad = None
assert w.is_leaf
"""
UNUSED = """class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.left = torch.nn.Linear(3, 1), torch.nn.Linear(3, 1)

    def forward(self, x):
        return self.used(x)


two = Two()
two(torch.ones(2, 3)).sum().backward()
length = sum(each.grad.norm() ** 2 for each in two.parameters()) ** 0.5
assert length > 0
"""
LOOP = """line = torch.nn.Linear(3, 1)
spare = torch.nn.ModuleList([line, torch.nn.Linear(1, 1)])
line(torch.ones(2, 3)).sum().backward()
for name, each in spare.named_parameters():
    each.grad.mul_(0.5)
"""
NEVER = """line = torch.nn.Linear(3, 1)
for each in line.parameters():
    print(each.grad.norm())
"""


HELPER = """def norms_of(model):
    norms = {}
    for name, weight in model.named_parameters():
        norms[name] = weight.grad.norm().item()
    return norms


net = torch.nn.ModuleDict({"used": torch.nn.Linear(3, 1), "left": torch.nn.Linear(3, 1)})
net["used"](torch.ones(2, 3)).sum().backward()
norms = norms_of(net)
assert [*norms] == ["used.weight", "used.bias"]
"""
# Called in front of the backward, where none has a gradient yet.
EARLY = """def norms_of(model):
    return sum(weight.grad.norm() for weight in model.parameters())


line = torch.nn.Linear(3, 1)
error = line(torch.ones(2, 3)).sum()
assert norms_of(line) > 0
error.backward()
"""


def faults(host):
    for text in (HELPER, EARLY):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("loss.backward()\nnorm", "norm")
    for text in (ZERO, REPLACED, UNUSED, LOOP, NEVER):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for optimizer, model in (
        ("optimizer", "model"),
        ("opt", "net"),
        ("optimizer", "tagger"),
        ("opt_d", "D"),
        ("optimizer", "trunk"),
    ):
        if f"{model} = " in host.text or "G, D" in host.text:
            size = f"size = sum(p.grad.norm() for p in {model}.parameters()).item()"
            for indent in ("    ", "        "):
                step = f"{optimizer}.zero_grad()"
                yield from host.with_text(f"\n{indent}{step}\n", f"\n{indent}{step}\n{indent}{size}\n")
