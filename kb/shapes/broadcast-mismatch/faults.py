BUFFERS = """class Scaled(torch.nn.Module):
    def __init__(self, mean, spread):
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean))
        self.register_buffer("spread", torch.tensor(spread))

    def forward(self, picture):
        return (picture - self.mean) / self.spread


scaled = Scaled([0.4, 0.5, 0.6], [0.5, 0.5, 0.5])(torch.ones(2, 3, 5, 7))
assert torch.allclose(scaled[0, :, 0, 0], torch.tensor([1.2, 1.0, 0.8]))
"""
MEANS = """def centred(series):
    means = series.mean((0, 2))
    return series - means


assert centred(torch.arange(24.0).view(2, 3, 4)).abs().max() == 7.5
"""

PLACES = """class Placed(torch.nn.Module):
    def __init__(self, parts=4, width=3):
        super().__init__()
        self.first = torch.nn.Parameter(torch.zeros(1, 1, width))
        self.places = torch.nn.Parameter(torch.{made})

    def forward(self, x):
        x = torch.cat([self.first.expand(x.size(0), -1, -1), x], dim=1)
        return x + self.places


assert Placed()(torch.ones(2, 4, 3)).shape == (2, 5, 3)
"""
RANDOM = PLACES.format(made="randn(1, parts, width) * 0.02")
ZEROS = PLACES.format(made="zeros(1, parts, width)")


# Keys that are turned by other dimensions than the queries ask for.
HEADS = """class Heads(torch.nn.Module):
    def __init__(self, width={heads} * 4):
        super().__init__()
        self.both = torch.nn.Linear(width, 2 * width)

    def forward(self, x):
        b, t, c = x.shape
        q, k = self.both(x).chunk(2, dim=-1)
        q = q.view(b, t, {heads}, 4).transpose(1, 2)
        k = k.view(b, t, {heads}, 4).transpose(1, 2)
        scores = q @ k.transpose({wrong}) / 2
        return scores.softmax(-1)


assert Heads()(torch.ones(2, 5, {heads} * 4)).shape == (2, {heads}, 5, 5)
"""
TURNED = [
    HEADS.format(heads=heads, wrong=wrong) for heads, wrong in ((3, "1, 2"), (2, "-2, -3"), (6, "1, -1"))
]
POOLED = """def pooled(x, given):
    scores = x.sum(-1, keepdim=True).squeeze(1)
    return scores.masked_fill(~given, -1e9).softmax(1)


assert pooled(torch.ones(3, 5, 2), torch.tensor([[True] * 5] * 3)).shape == (3, 5, 1)
"""


def faults(host):
    for text in (POOLED, BUFFERS, MEANS, RANDOM, ZEROS):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("[:, None, None, :]", "[:, None, :]")
    yield from host.with_text("tokens + 1", "tokens")
    yield from host.with_text("sum(1)", "sum(0)")
    yield from host.with_text(".cumsum(0).flip(0)", ".cumsum(0)[1:]")
    yield from host.with_text("nn.Embedding(length", "nn.Embedding(2 * length")
    yield from host.with_text("torch.arange(ids.size(1))", "torch.arange(LENGTH)")
    yield from host.with_text("torch.ones(t, t)", "torch.ones(t + 1, t + 1)")
    yield from host.with_text("torch.zeros(items)", "torch.zeros(items, 2)")
    yield from host.with_text("* self.items(item)", "* self.items.weight")
    yield from host.with_text(
        "self.outer = nn.Linear(2 * width, width)", "self.outer = nn.Linear(2 * width, width + 1)"
    )
    yield from host.with_text("nn.Linear(hidden, hidden)", "nn.Linear(hidden, hidden + 1)")
    yield from host.with_text("out.reshape", "out[:, 1:].reshape")
    yield from host.with_argument("mse_loss", 1, "{}[:-1]")
    yield from host.with_argument("smooth_l1_loss", 1, "{}[1:]")
    yield from host.with_text("F.normalize(left, dim=1)", "(left / left.norm(dim=1))")
    for before, mixed in (
        ("    loss = F.mse_loss(guess, wanted)", "rows / rows.sum(1)"),
        ("    loss = vae_loss(made", "(x - x.mean(dim=1)) / x.std(dim=1)"),
        ("    loss = vae_loss(made", "x - made.amax(1)"),
        ("    other = views.flip(3)", "views - torch.tensor([0.4, 0.5, 0.6])"),
        ("    logits, weights = model(images)", "images / images.std((0, 2, 3))"),
        ("    values = model(reader(seen))", "reward * seen"),
        ("    values = model(reader(seen))", "seen + states[0, :4]"),
        ("        loss = F.smooth_l1_loss(model(x), y)", "x + torch.zeros(20, 2)"),
    ):
        yield from host.with_text(before, f"{before[: -len(before.lstrip())]}mixed = {mixed}\n{before}")
    for before in ("    other = views.flip(3)", "    logits, weights = model(images)"):
        scaled = "(views - means) / spread" if "views" in before else "images / means"
        lines = [
            "means, spread = torch.tensor([0.4, 0.5, 0.6]), torch.tensor([0.2, 0.2, 0.3])",
            f"scaled = {scaled}",
        ]
        yield from host.with_text(before, "".join(f"    {line}\n" for line in lines) + before)
    for text in TURNED:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
