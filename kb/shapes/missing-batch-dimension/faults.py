def faults(host):
    for model in ("model", "net", "again"):
        yield from host.with_argument(model, 0, "{}[0]")
    yield from host.with_text("pictures[0].unsqueeze(0)", "pictures[0]")
    yield from host.with_text("image.unsqueeze(0)", "image")
    yield from host.with_argument("own", 0, "{}[0]")
    yield from host.with_text(
        "images, labels = torch.randn(24, 1, 28, 28)", "images, labels = torch.randn(24, 28, 28)"
    )
    yield from host.with_text("self.norm(self.conv1(x))", "self.norm(self.conv1(x).squeeze(0)[0])")
