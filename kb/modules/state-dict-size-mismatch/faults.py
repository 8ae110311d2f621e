def faults(host):
    yield from host.with_text("again = UNet()\n", "again = UNet()\nagain.last = nn.Conv2d(16, 2, 1)\n")
    yield from host.with_text("backbone = Backbone()\n", "backbone = Backbone(16)\n")
    yield from host.with_text(
        "        model = Reader(2, 6, CLASSES)\n", "        model = Reader(2, 6, CLASSES + 1)\n"
    )
    yield from host.with_text(
        "        model = Reader(2, 6, CLASSES)\n", "        model = Reader(2, 8, CLASSES)\n"
    )
    yield from host.with_text('["model"])', '["model"] | {"last.bias": torch.zeros(2)})')
    yield from host.with_text(
        "map_location=device))", 'map_location=device) | {"conv1.bias": torch.zeros(3)})'
    )
