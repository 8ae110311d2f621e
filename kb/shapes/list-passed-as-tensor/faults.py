def faults(host):
    yield from host.without_call("stack")
    yield from host.without_call("tensor")
    yield from host.without_call("pad_sequence")
    yield from host.with_text("torch.from_numpy(", "(")
    yield from host.with_text("x, last = self.gru", "x = last = self.gru")
    yield from host.with_text("states, _ = self.lstm", "states = self.lstm")
    yield from host.with_text("logits, weights = model", "logits = weights = model")
