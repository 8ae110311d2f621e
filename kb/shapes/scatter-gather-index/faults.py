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
