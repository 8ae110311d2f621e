MADE = """class Letters(torch.nn.Module):
    def __init__(self, layers=2, width=5):
        super().__init__()
        self.layers, self.width = layers, width
        self.table = torch.nn.Embedding(9, 4)
        self.rnn = torch.nn.{kind}(4, width, layers, batch_first=True)

    def forward(self, ids, state):
        out, state = self.rnn(self.table(ids), state)
        return out, state

    def first_state(self, size):
        return {state}


rows = torch.utils.data.TensorDataset(torch.arange(50).view(10, 5) % 9)
letters, seen = Letters(), 0
for (ids,) in torch.utils.data.DataLoader(rows, batch_size=4):
    state = letters.first_state(4)
    out, state = letters(ids, state)
    seen += len(out)
assert seen == 10
"""
OF_GRU = MADE.format(kind="GRU", state="torch.zeros(self.layers, size, self.width)")
OF_RNN = MADE.format(kind="RNN", state="torch.zeros((self.layers, size, self.width))")


# One state for all batches, of which the last one is smaller; the loader beside it gives whole ones.
CARRIED = (
    OF_GRU.partition("rows = ")[0]
    + """letters, seen = Letters(), 0
rows = torch.utils.data.TensorDataset(torch.arange(50).view(10, 5) % 9)
whole = torch.utils.data.DataLoader(torch.utils.data.Subset(rows, range(8)), batch_size=4, shuffle=False)
rest = torch.utils.data.DataLoader(rows, batch_size=4)
state = letters.first_state(4)
for (ids,) in whole:
    out, state = letters(ids, state)
    seen += len(out)
state = letters.first_state(4)
for (ids,) in rest:
    out, state = letters(ids, state)
    seen += len(out)
assert seen == 16
"""
)
OF_LSTM = MADE.format(
    kind="LSTM",
    state="torch.zeros(self.layers, size, self.width), torch.zeros(self.layers, size, self.width)",
)


def faults(host):
    for text in (OF_GRU, OF_LSTM, OF_RNN, CARRIED):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for layer in ("LSTM", "GRU"):
        if "self.layers, ids" in host.text:  # without a state of its own a wider layer is another mistake
            yield from host.with_argument(layer, 1, "{} + 1")
        yield from host.without_argument(layer, "batch_first")
    yield from host.with_text("torch.zeros(self.layers, ids.size(0)", "torch.zeros(1, ids.size(0)")
    yield from host.with_text("torch.zeros(self.layers, ids.size(0)", "torch.zeros(self.layers, 1")
    yield from host.with_text("torch.zeros(self.layers, ids.size(0)", "torch.zeros(self.layers, ids.size(1)")
    yield from host.with_text(
        "self.gru(x.transpose(1, 2))", "self.gru(x.transpose(1, 2), torch.zeros(1, 1, 8))"
    )
    yield from host.with_text(
        "self.gru(x.transpose(1, 2))", "self.gru(x.transpose(1, 2), torch.zeros(2, x.size(0), 8))"
    )
    yield from host.with_text("self.rnn(packed)", "self.rnn(packed, torch.zeros(1, 1, 6))")
    yield from host.with_text("self.rnn(packed)", "self.rnn(packed, torch.zeros(1, 6))")
    yield from host.with_text("self.rnn(packed)", "self.rnn(packed, torch.zeros(1, 2, 5))")
    yield from host.with_text("(start, start)", "start")
    yield from host.with_text("(start, start)", "(start[:1], start[:1])")
    yield from host.with_text(
        "x, last = self.gru(x.transpose(1, 2))",
        "x, last = self.gru(x.transpose(1, 2), torch.zeros(x.size(0), 1, 8))",
    )
    yield from host.with_text("ids.size(0), self.hidden)", "ids.size(0), self.hidden).transpose(0, 1)")
