STEPPED = """class Both(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4))
        self.left, self.right = torch.nn.Linear(4, 1), torch.nn.Linear(4, 1)

    def forward(self, x):
        seen = self.trunk(x)
        return self.left(seen), self.right(seen)


both = Both()
shared = list(both.trunk.parameters())
first = torch.optim.SGD(shared + list(both.left.parameters()), lr=0.1)
second = torch.optim.SGD([*shared, *both.right.parameters()], lr=0.1)
one, other = both(torch.ones(2, 3))
one.mean().backward(retain_graph=True)
first.step()
other.mean().backward()
second.step()
assert both.trunk[0].weight.grad is not None
"""
# Whose weights the other loss is not to move: its own optimizer has them.
APART = """maker, judge = torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
of_judge = torch.optim.SGD(judge.parameters(), lr=0.1)
of_maker = torch.optim.SGD(maker.parameters(), lr=0.1)
said = judge(maker(torch.ones(3, 2)))
said.mean().backward(retain_graph=True)
of_judge.step()
said.square().mean().neg().backward()
of_maker.step()
"""


# The judge steps before the loss that goes through it has gone back.
TURN = """judge = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
actor = torch.nn.Linear(2, 2)
of_judge = torch.optim.SGD(judge.parameters(), lr=0.1)
of_actor = torch.optim.SGD(actor.parameters(), lr=0.1)
for _ in range(2):
    seen = torch.ones(4, 2)
    wrong = (judge(seen) - 1).square().mean()
    cost = -judge(actor(seen)).mean()
    of_judge.zero_grad()
    wrong.backward()
    of_judge.step()
{between}    cost.backward()
    of_actor.step()
"""
TURNS = (
    TURN.format(between="    of_actor.zero_grad()\n"),
    TURN.format(between="\n    of_actor.zero_grad()\n"),
)


def faults(host):
    for text in (STEPPED, APART):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("x = x + ", "x += ")
    yield from host.with_text("hidden = hidden + ", "hidden += ")
    yield from host.with_text("mean + torch.exp(0.5 * spread)", "mean + torch.exp(0.5 * spread).mul_(1)")
    yield from host.with_text(
        "first = torch.relu(self.down1(x))", "first = torch.relu(self.down1(x)).mul_(1)"
    )
    yield from host.with_text("return self.fc2(x)", "x *= 1\n        return self.fc2(x)")
    yield from host.renamed("relu", "relu_")
    for kept in (
        "torch.relu(self.fc1(x))",
        "torch.relu(self.conv1(x))",
        "torch.relu(self.inner(self.norm(x)))",
        "torch.relu(self.norm(self.backbone(x)))",
        "torch.tanh(self.inner(x))",
        "F.relu(self.norm(self.first(x)))",
        "F.relu(self.hidden(x))",
        "scores.softmax(-1)",
    ):  # whose result backward() needs
        yield from host.with_text(kept, f"{kept}.mul_(1)")
    yield from host.with_text("nn.Sigmoid())", "nn.Sigmoid(), nn.ReLU(inplace=True))")
    yield from host.with_text("nn.Tanh(),", "nn.Tanh(), nn.Hardtanh(inplace=True),")
    yield from host.with_text("x = self.norm(x + mixed)", "x += mixed\n        x = self.norm(x)")
    for text in TURNS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
