LOOP = """line = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
for each in line.parameters():
    torch.nn.init.{name}(each)
assert line(torch.ones(2, 3)).shape == (2, 1)
"""
NAMED = """def begin(model):
    for name, weight in model.named_parameters():
        if "norm" not in name:
            torch.nn.init.{name}(weight.data)


begin(torch.nn.LSTM(3, 4))
"""
BIAS = """def begin(part):
    if isinstance(part, torch.nn.Linear):
        torch.nn.init.{name}(part.weight)
        torch.nn.init.{name}(part.bias)


whole = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
whole.apply(begin)
assert whole[0].bias.abs().sum() == 0
"""
NO_BIAS = """def begin(part):
    if isinstance(part, (torch.nn.Linear, torch.nn.Conv2d)):
        part.weight.data.normal_(0, 0.02)
        part.bias.data.zero_()


torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 1, bias=False)).apply(begin)
"""
OWN = """scale = torch.nn.Parameter(torch.empty(4))
torch.nn.init.xavier_uniform_(scale)
"""


def faults(host):
    for name in ("xavier_uniform_", "kaiming_normal_", "orthogonal_"):
        for text in (LOOP, NAMED, BIAS):
            yield from host.with_text(
                "torch.manual_seed(", text.replace("{name}", name) + "torch.manual_seed("
            )
    for text in (NO_BIAS, OWN):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("nn.init.zeros_(self.out.bias)", "nn.init.xavier_uniform_(self.out.bias)")
