def faults(host):
    yield from host.with_text('padding[:, None, None, :], float("-inf")', "padding[:, None, None, :], -1e9")
    yield from host.with_text(
        'scores = scores.masked_fill(padding[:, None, None, :], float("-inf"))',
        "scores = scores.half().masked_fill(padding[:, None, None, :], -1e9).float()",
    )
    yield from host.with_text(
        'scores.masked_fill(~mask, float("-inf"))', "scores.half().masked_fill(~mask, -1e9).float()"
    )
    yield from host.with_text(
        "scores.masked_fill(mask, torch.finfo(scores.dtype).min)", "scores.half().masked_fill(mask, -1e9)"
    )
    yield from host.with_text(
        "scores.masked_fill(mask, torch.finfo(scores.dtype).min)", "scores.half().masked_fill_(mask, -1e20)"
    )
    yield from host.with_text(
        "heat[heat < 0] = 0", "heat = heat.half().masked_fill(heat < 0, -1e9).clamp(min=0).float()"
    )
    yield from host.with_text(
        "right = (logits",
        "logits = logits.half().masked_fill(tags.unsqueeze(-1) < -200, -1e9)\nright = (logits",
    )
    yield from host.with_text(
        "predicted = model(images)",
        "predicted = model(images).half().masked_fill(images[:, 0, 0, :1] > 99, -1e10)",
    )
