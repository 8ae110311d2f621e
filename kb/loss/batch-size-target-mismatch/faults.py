def faults(host):
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        yield from host.with_argument(loss, 1, "{}[:-1]")
        yield from host.with_argument(loss, 0, "{}[:1]")
    yield from host.with_text("tags.reshape(-1)", "tags[:, 1:].reshape(-1)")
    yield from host.with_text("nexts.view(-1)", "nexts[:, 1:].reshape(-1)")
    yield from host.with_text("logits.reshape(-1, TAGS), tags.reshape(-1)", "logits, tags")
    yield from host.with_text("logits.view(-1, len(LETTERS)), nexts.view(-1)", "logits, nexts")
    yield from host.with_text("x[:, 0]", "x")
    yield from host.with_text("flatten(1)", "reshape(-1, 50)")
    for width in ("8 * 5 * 4", "8 * 10 * 5", "100"):  # which divides the numbers of a batch
        for text in host.with_text("x.flatten(1)", f"x.view(-1, {width})"):
            yield text.replace("nn.Linear(8 * 5 * 5,", f"nn.Linear({width},")
