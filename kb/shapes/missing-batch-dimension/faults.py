NOISE = """class Maker(torch.nn.Module):
    def __init__(self, size, depth=4):
        super().__init__()
        self.main = torch.nn.Sequential(
            torch.nn.ConvTranspose2d(size, depth, 4), torch.nn.ReLU(), torch.nn.ConvTranspose2d(depth, 1, 4)
        )

    def forward(self, z):
        return self.main(z)


made = Maker(6)(torch.randn(3, 6))
assert made.shape == (3, 1, 7, 7)
"""
ONE = """class Eyes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4)

    def forward(self, picture):
        return self.norm(self.conv(picture)).amax((2, 3))


eyes = Eyes().eval()
with torch.no_grad():
    seen = eyes(torch.ones(3, 6, 6))
assert seen.shape == (1, 4)
"""


def faults(host):
    for text in (NOISE, ONE):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("pictures[0].unsqueeze(0)", "pictures[0]")
    yield from host.with_text("image.unsqueeze(0)", "image")
    yield from host.with_text("trunk(views[:1])", "trunk(views[0])")
    for before, alone in (
        ("    predicted = model(images)", "model(images[0])"),
        ("    chances = model(waves, lengths)", "model(waves[0], lengths[:1])"),
        ("    best = target(reader(states))", "target(reader(states[0]))"),
        ("    scores = model(pictures", "model(pictures[3])"),
        ("    large = F.interpolate(", "trunk(views[1])"),
        ("    found = torch.sigmoid(", "again(image)"),
        ("    sample = decoder(", "nn.BatchNorm1d(20)(decoder(torch.randn(3)))"),
    ):
        yield from host.with_text(before, f"    alone = {alone}\n{{}}")
    for before, alone in (  # in a loop that trains: a batch is meant
        ("output = model(batch)", "output = model(batch[0])"),
        ("out = net(images)", "out = net(images[0])"),
        ("criterion(model(x), y)", "criterion(model(x[0]), y)"),
    ):
        yield from host.with_text(before, alone)
    yield from host.with_argument("own", 0, "{}[0]")
    yield from host.with_text(
        "images, labels = torch.randn(24, 1, 28, 28)", "images, labels = torch.randn(24, 28, 28)"
    )
    yield from host.with_text("self.norm(self.conv1(x))", "self.norm(self.conv1(x).squeeze(0)[0])")
