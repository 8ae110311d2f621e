def faults(host):
    for dim in ("0", "1", "2"):
        yield from host.with_argument("cat", "dim", dim)
    yield from host.with_argument("Conv2d", "padding", "0")
    yield from host.with_text(
        "ids = pad_sequence(sentences, batch_first=True, padding_value=PAD)", "ids = torch.stack(sentences)"
    )
    yield from host.with_text(
        "tags = pad_sequence(gold, batch_first=True, padding_value=-100)", "tags = torch.stack(gold)"
    )
    yield from host.with_text("pad_sequence(paths, batch_first=True)", "torch.stack(paths)")
    yield from host.with_text("range(0, 48, 4)", "range(0, 60, 4)")
    yield from host.with_text("range(step, step + 30, 6)", "range(step, step + 60, 6)")
    yield from host.with_text("self.first.expand(x.size(0), -1, -1)", "self.first")
    yield from host.with_text("argmax(-1, keepdim=True)", "argmax(-1)")
    yield from host.with_text("(count, 16, 16, 3)", "(count, 15, 15, 3)")
    for before, tensors in (
        ("    z = mean +", "[mean, spread[:, :2]], dim=0"),
        ("    z = mean +", "[mean, spread[0, :1]], dim=1"),
        ("    loss = criterion(output, target)", "[output, target], dim=1"),
        ("    loss = criterion(values", "[seen, reward], dim=1"),
        ("    loss = F.mse_loss(guess, wanted)", "[rows, guess], dim=1"),
        ("    loss = F.mse_loss(guess, wanted)", "[rows, rows[:, :2]], 0"),
        ("        x = last[0]", "[x, x[:, 1:]], dim=2"),
    ):
        yield from host.with_text(
            before, f"{before[: -len(before.lstrip())]}both = torch.cat({tensors})\n{before}"
        )
