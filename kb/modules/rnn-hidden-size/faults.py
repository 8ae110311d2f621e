def faults(host):
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
