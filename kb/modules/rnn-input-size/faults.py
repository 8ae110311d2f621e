def faults(host):
    for layer in ("LSTM", "GRU"):
        yield from host.with_argument(layer, 0, "{} + 1")
        yield from host.with_argument(layer, 0, "2 * ({})")
    yield from host.with_text("self.gru(x.transpose(1, 2))", "self.gru(x)")
    yield from host.with_text("Reader(2, 6, CLASSES)", "Reader(3, 6, CLASSES)")
    yield from host.with_text("self.table(ids), (start", "self.table(ids).transpose(1, 2), (start")
    yield from host.with_text("self.rnn = nn.LSTM(6, 5", "self.rnn = nn.LSTM(9, 5")
