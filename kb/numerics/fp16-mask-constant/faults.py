# Scores of half precision, filled with what float32 can hold.
FILLED = (
    """def shares(scores, keep):
    scores = scores.masked_fill(~keep, -1e9)
    return scores.softmax(-1)


kept = shares(torch.zeros(2, 4).half(), torch.tensor([True, True, False, False]))
assert kept[:, 2:].sum() == 0 and kept.sum() == 2
""",
    """FAR = -1e30
scores = torch.zeros(2, 3, dtype=torch.float16)
scores.masked_fill_(torch.tensor([False, False, True]), FAR)
assert scores.softmax(-1)[:, 2].sum() == 0
""",
)


def faults(host):
    for text in FILLED:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
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
