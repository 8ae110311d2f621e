def faults(host):
    for optimizer in ("Adam", "AdamW", "SGD", "RMSprop", "Adagrad"):
        yield from host.with_argument(optimizer, 0, "[each * 1.0 for each in {}]")
    yield from host.with_text(
        "scale = Trunk(), nn.Parameter(torch.ones(1))",
        "scale = Trunk(), torch.ones(1, requires_grad=True) * 1",
    )
    for layer in ("out", "head", "conv1", "q", "fc2"):
        yield from host.with_text(
            "        return ",
            f"        self.{layer}.weight = self.{layer}.weight * 1\n        return "
            if f"self.{layer} = nn." in host.text
            else "{}",
        )
