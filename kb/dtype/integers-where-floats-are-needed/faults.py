def faults(host):
    yield from host.with_text("labels).float().mean()", "labels).mean()")
    for call in ("sum", "mean", "exp", "abs"):
        yield from host.with_call(call, "{}.long().mean()")
    yield from host.with_argument("softmax", 0, "{}.long()")
    yield from host.with_argument("relu", 0, "{}.long()")
    yield from host.with_text("torch.tensor(rewards)", "torch.tensor(rewards).long()")
    yield from host.with_argument("Parameter", 0, "{}.long()")
    yield from host.with_text(".pow(2).mean()", ".long().pow(2).mean()")
