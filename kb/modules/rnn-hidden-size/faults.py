def faults(host):
    for layer in ("LSTM", "GRU"):
        yield from host.with_argument(layer, 1, "{} + 1")
        yield from host.without_argument(layer, "batch_first")
        yield from host.without_argument(layer, "num_layers")
    yield from host.with_argument("zeros", 0, "1")
    yield from host.with_argument("zeros", 1, "1")
    yield from host.with_text(
        "self.gru(x.transpose(1, 2))", "self.gru(x.transpose(1, 2), torch.zeros(1, 1, 8))"
    )
    yield from host.with_text("self.rnn(packed)", "self.rnn(packed, torch.zeros(1, 1, 6))")
