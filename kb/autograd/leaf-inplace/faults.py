UPDATE = """w = torch.randn(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
rate = 0.1
for given in torch.randn(3, 5, 3):
    error = (given @ w + b - 1).square().mean()
    error.backward()
    w -= rate * w.grad
    b -= rate * b.grad
    w.grad.zero_()
    b.grad.zero_()
assert w.requires_grad and w.is_leaf
"""
LOOP = """line = torch.nn.Linear(3, 1)
for given in torch.randn(3, 5, 3):
    line.zero_grad()
    line(given).square().mean().backward()
    for each in line.parameters():
        each.sub_(0.1 * each.grad)
assert line.weight.is_leaf
"""
BEGIN = """line = torch.nn.Linear(3, 2)
line.weight.fill_(0.5)
line.bias[0] = 2
assert line.weight.mean() == 0.5 and line.weight.requires_grad
"""
CLASS = """class Scaled(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(width))
        self.scale *= 0.1

    def forward(self, x):
        return x * self.scale


assert Scaled(3)(torch.ones(3)).sum().item() < 0.31
"""
TRAINED = """shift = torch.zeros(3, requires_grad=True)
shift[0] = 2.0
tuner = torch.optim.SGD([shift], lr=0.1)
shift.square().sum().backward()
tuner.step()
assert shift[0].item() < 2
"""
# What is differentiated: here without gradients would be another function.
GRADIENT = """x = torch.ones(3, requires_grad=True)
x *= 2
x.pow(2).sum().backward()
print(x.grad)
"""
CLIPPED = """class Judge(torch.nn.Linear):
    def clip(self, most=0.05):
        for each in self.parameters():
            each.clamp_(-most, most)


judge = Judge(2, 3)
judge.clip()
assert judge.weight.abs().max().item() < 0.051 and judge.weight.requires_grad
"""


def faults(host):
    for text in (UPDATE, LOOP, CLIPPED, BEGIN, CLASS, TRAINED, GRADIENT):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("optimizer.step()", 'optimizer.param_groups[0]["params"][0].sub_(0.1)')
