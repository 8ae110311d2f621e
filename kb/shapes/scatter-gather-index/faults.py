def faults(host):
    yield from host.with_text("chosen.unsqueeze(1))", "chosen)")
    yield from host.with_text("best.unsqueeze(1), 1.0)", "best, 1.0)")
    yield from host.with_text("chosen.unsqueeze(1)", "chosen.unsqueeze(1) + 1")
    yield from host.with_text("torch.zeros(40, ACTIONS)", "torch.zeros(40, 2)")
    yield from host.with_text(
        "loss = criterion(output, target)", "loss = -output.log_softmax(1).gather(1, target).mean()"
    )
    yield from host.with_text(
        "criterion(output.float(), target)", "-output.float().log_softmax(1).gather(1, target).mean()"
    )
    yield from host.with_text(
        "criterion(model(paths, lengths), classes)",
        "-model(paths, lengths).log_softmax(1).gather(1, classes).mean()",
    )
    yield from host.with_text("torch.topk(scores, 3)", "torch.topk(scores, 30)")
    yield from host.with_text("multinomial(chances, 2)", "multinomial(chances.topk(9).values, 2)")
    for before, taken in (
        ("    loss = F.mse_loss(guess, wanted)", "rows.gather(1, torch.arange(10) % 9)"),
        ("        loss = F.smooth_l1_loss(model(x), y)", "torch.gather(y, 1, torch.zeros(len(y)).long())"),
        ("    loss = criterion(values", "seen.gather(-1, chosen)"),
        ("    loss = vae_loss(made", "x.scatter(1, torch.arange(8), 0.0)"),
        ("right = (logits.argmax(-1)", "logits[:, 0].gather(1, tags[:, 0])"),
    ):
        yield from host.with_text(before, f"{before[: -len(before.lstrip())]}taken = {taken}\n{before}")
