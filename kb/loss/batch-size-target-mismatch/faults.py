# The last sample of the batch in place of the last step of each.
SERIES = """class Series(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = torch.nn.{layer}(2, 5, batch_first=True)
        self.last = torch.nn.Linear(5, 3)

    def forward(self, x):
        steps, state = self.rnn(x)
        return self.last(steps[-1])


rows = Series()(torch.zeros({batch}, 7, 2))
assert torch.nn.functional.cross_entropy(rows, torch.zeros({batch}, dtype=torch.long)) > 0
assert rows.shape == ({batch}, 3)
"""
LAST = [SERIES.format(layer=layer, batch=batch) for layer, batch in (("GRU", 4), ("LSTM", 9))]


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
    for text in LAST:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
