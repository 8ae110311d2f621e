COUNTED = """line = torch.nn.Linear(3, 2)
parameters = line.parameters()
print_count = sum(each.numel() for each in parameters)
tuner = torch.optim.SGD(parameters, lr=0.1)
assert len(tuner.param_groups[0]["params"]) == 2
"""
FILTERED = """def tuner_of(model):
    wanted = filter(lambda each: each.requires_grad, model.parameters())
    for each in wanted:
        each.data.clamp_(-1, 1)
    return torch.optim.Adam(wanted, lr=0.1)


assert len(tuner_of(torch.nn.Linear(3, 2)).param_groups[0]["params"]) == 2
"""
LISTED = """class Deep(torch.nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = [torch.nn.Linear(width, width) for _ in range(depth)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


deep = Deep(4, 3)
tuner = torch.optim.Adam(deep.parameters())
deep(torch.ones(2, 4)).sum().backward()
tuner.step()
assert len(deep.state_dict()) == 6
"""
APPENDED = """class Stack(torch.nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.sizes = list(sizes)
        self.parts = []
        for size in self.sizes:
            self.parts.append(torch.nn.Linear(size, size))

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


stack = Stack([4, 4])
tuner = torch.optim.SGD(stack.parameters(), lr=0.1)
assert len(tuner.param_groups[0]["params"]) == 4
"""
NAMED = """class Heads(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"kind": torch.nn.Linear(3, 2), "size": torch.nn.Linear(3, 1)}

    def forward(self, x, name):
        return self.heads[name](x)


heads = Heads()
tuner = torch.optim.AdamW(heads.parameters(), lr=0.1)
assert heads(torch.ones(1, 3), "size").shape == (1, 1)
"""
FROZEN = """line = torch.nn.Linear(3, 2)
for each in line.parameters():
    each.requires_grad = False
tuner = torch.optim.SGD([each for each in line.parameters() if each.requires_grad], lr=0.1)
"""


def faults(host):
    for text in (COUNTED, FILTERED, LISTED, APPENDED, NAMED, FROZEN):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for optimizer in ("Adam", "AdamW", "SGD", "RMSprop", "Adagrad"):
        yield from host.with_argument(optimizer, 0, "[each for each in {} if each.dim() > 9]")
