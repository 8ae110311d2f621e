def faults(host):
    yield from host.with_argument("model", 0, "{}.byte()")
    yield from host.with_argument("trunk", 0, "{}.byte()")
    yield from host.with_argument("net", 0, "{}.byte()")
    yield from host.with_argument("again", 0, "{}.byte()")
    yield from host.with_text(
        "images = torch.randn(5, 3, 12, 12)",
        "images = torch.randint(0, 256, (5, 3, 12, 12), dtype=torch.uint8)",
    )
    yield from host.with_text(".float() / 255\n        return wave", "\n        return wave")
    yield from host.with_text("permute(0, 3, 1, 2).float() / 255", "permute(0, 3, 1, 2)")
