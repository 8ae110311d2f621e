def faults(host):
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
