HANDED_ON = """class Reader(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.GRU(2, 3, batch_first=True)

    def forward(self, x):
        return self.rnn(torch.relu(x))


class Whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.reader, self.out = Reader(), torch.nn.Linear(3, 1)

    def forward(self, x):
        seen = self.reader(x)
        return self.out(seen)


assert Whole()(torch.ones(2, 5, 2)).shape == (2, 5, 1)
"""


def faults(host):
    for text in (HANDED_ON,):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.without_call("stack")
    yield from host.without_call("tensor")
    yield from host.without_call("pad_sequence")
    yield from host.with_text("torch.from_numpy(", "(")
    yield from host.with_text("x, last = self.gru", "x = last = self.gru")
    yield from host.with_text("states, _ = self.lstm", "states = self.lstm")
    yield from host.with_text("logits, weights = model", "logits = model")
    yield from host.with_text("left, maps = trunk", "left = trunk")
    yield from host.with_text("math.sqrt(self.width)", "torch.sqrt(self.width)")
    yield from host.with_text("torch.cat((first, x), dim=1)", "torch.cat(first, x, dim=1)")
    yield from host.with_text(
        "torch.cat([self.up(deep), first], dim=1)", "torch.cat(self.up(deep), first, dim=1)"
    )
    yield from host.with_text("torch.cat([made, following], dim=1)", "torch.cat(made, following, dim=1)")
    yield from host.with_text(
        "predicted = model(images).argmax(1)\n    accuracy = (predicted == labels).float()",
        "predicted = model(images).max(1)\n    accuracy = (predicted == labels).float()",
    )
    yield from host.with_text(
        "best = target(reader(states)).argmax(1)", "best = target(reader(states)).max(1)"
    )
