def faults(host):
    yield from host.with_argument("cat", "dim", "0")
    yield from host.with_argument("cat", "dim", "-1")
    yield from host.with_argument(
        "cat", 0, "[each[:, :-1] if each.dim() > 3 else each[:-1] for each in {}][:1] + list({})[1:]"
    )
    yield from host.with_argument("Conv2d", "padding", "0")
    yield from host.with_call("pad_sequence", "torch.stack(list(sentences))")
    yield from host.with_text("pad_sequence(paths, batch_first=True)", "torch.stack(paths)")
    yield from host.with_text("range(0, 48, 4)", "range(0, 60, 4)")
    yield from host.with_text("range(step, step + 30, 6)", "range(step, step + 60, 6)")
    yield from host.without_call("unsqueeze")
    yield from host.without_call("expand")
