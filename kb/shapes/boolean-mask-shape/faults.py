# A mask of the ids as they came, for losses of all but the first of them.
SHIFTED = """def by_token(model, ids, pad):
    given, wanted = ids[:, :-1], ids[:, 1:]
    losses = torch.nn.functional.{loss}(model(given).{turned}, wanted, reduction="none")
    mask = ids != pad
    return losses[mask].mean()


reader = torch.nn.Sequential(torch.nn.Embedding(4, {width}), torch.nn.Linear({width}, {width}))
assert by_token(reader, torch.tensor([[3, 1, 2, 0], [2, 2, 0, 0]]), 0) > 0
"""
SHIFTS = (
    SHIFTED.format(loss="cross_entropy", turned="transpose(1, 2)", width=4),
    SHIFTED.format(loss="mse_loss", turned="squeeze(-1)", width=1),
)


def faults(host):
    for text in SHIFTS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("states[~done]", "states[~done[:30]]")
    yield from host.with_text("chances[chances > 0.2]", "chances[chances.T > 0.2]")
    yield from host.with_text("chances[chances > 0.2]", "chances[lengths > torch.zeros(3, 1)]")
    yield from host.with_text("heat[heat < 0]", "heat[heat[0] < 0]")
    yield from host.with_text("heat[heat < 0]", "heat[(heat < 0).permute(0, 2, 3, 1)]")
    yield from host.with_text(
        "(logits.argmax(-1) == tags) & (tags != -100)",
        "logits.argmax(-1)[tags.T != -100] == tags[tags != -100]",
    )
    yield from host.with_text("(predicted == labels)", "(predicted[images[:9, 0, 0, 0] > 0] == labels)")
    yield from host.with_text("scores[:, 1].cpu()", "scores[kinds[:7] > 0, 1].cpu()")
    yield from host.with_text(
        "images, labels = ", "picked = torch.ones(4, 3)[torch.ones(3, 4) > 0]\nimages, labels = "
    )
    yield from host.with_text("found & mask.bool()", "found[mask.bool()]")
    for before, mask in (
        ("    loss = F.mse_loss(guess, wanted)", "rows[wanted.unsqueeze(1) > 0]"),
        ("    loss = criterion(values", "seen[(reward > 0).unsqueeze(1)]"),
        ("    loss = vae_loss(made", "x[x.mean(1, keepdim=True) > 0]"),
        ("    logits, weights = model(images)", "images[(target > 0).view(5, 1)]"),
        ("        loss = F.smooth_l1_loss(model(x), y)", "x[y > 0]"),
        ("right = (logits.argmax(-1)", "logits[tags.T != 0]"),
    ):
        yield from host.with_text(before, f"{before[: -len(before.lstrip())]}kept = {mask}\n{before}")
