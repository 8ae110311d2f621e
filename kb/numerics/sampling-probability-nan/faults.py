# Scores of a network that are given as probabilities: of a class, of layers, by their keyword.
POLICIES = (
    """class Scores(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.last = torch.nn.Linear(2, 3)

    def forward(self, x):
        return self.last(torch.relu(x))

    def choice(self, x):
        return {made}(self(x.unsqueeze(0)))


chosen = Scores().choice(torch.ones(2)).sample()
assert chosen.shape == (1,)
""",
    """scores = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, 3))
chosen = {made}(probs=scores(torch.ones(5, 2))).sample()
assert chosen.shape == (5,)
""",
)


def faults(host):
    for text in POLICIES:
        made = text.format(made="torch.distributions.Categorical")
        yield from host.with_text("torch.manual_seed(", f"{made}torch.manual_seed(")
    yield from host.with_text("multinomial(chances, 2)", "multinomial(chances.log(), 2)")
    yield from host.with_text("multinomial(chances, 2)", "multinomial(chances - 1, 2)")
    yield from host.with_text("multinomial(chances, 2)", "multinomial(chances, 9)")
    yield from host.with_text(
        "Categorical(logits=self.net(state))", "Categorical(logits=self.net(state) / 0)"
    )
    yield from host.with_text("Categorical(logits=self.net(state))", "Categorical(probs=self.net(state))")
    yield from host.with_text(
        "Categorical(logits=self.net(state))", "Categorical(logits=self.net(state) + float('nan'))"
    )
    yield from host.with_text("[:, -1].argmax(-1, keepdim=True)", "[:, -1].multinomial(1)")
    yield from host.with_text("torch.randn_like(mean)", "torch.normal(torch.zeros_like(mean), mean)")
    yield from host.with_text("done = torch.rand(40) < 0.2", "done = torch.bernoulli(states[:, 0]).bool()")
