def faults(host):
    yield from host.with_text("return image, mask", "return (image * 255).round().byte(), mask")
    yield from host.with_text(
        "permute(2, 0, 1).float() / 255\n        mask = (image.mean",
        "permute(2, 0, 1)\n        mask = ((image / 255).mean",
    )
    yield from host.with_text("return wave,", "return (wave * 255).round().byte(),")
    yield from host.with_text("(self.waves[index]).float() / 255", "(self.waves[index])")
    yield from host.with_text("permute(0, 3, 1, 2).float() / 255", "permute(0, 3, 1, 2)")
    yield from host.with_text("permute(0, 3, 1, 2).float() / 255", "permute(0, 3, 1, 2).contiguous()")
