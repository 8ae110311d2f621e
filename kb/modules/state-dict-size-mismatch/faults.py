def faults(host):
    yield from host.with_text("again = UNet()\n", "again = UNet()\nagain.last = nn.Conv2d(16, 2, 1)\n")
    yield from host.with_text("backbone = Backbone()\n", "backbone = Backbone(16)\n")
    yield from host.with_text(
        "        model = Reader(2, 6, CLASSES)\n", "        model = Reader(2, 6, CLASSES + 1)\n"
    )
    yield from host.with_text(
        "        model = Reader(2, 6, CLASSES)\n", "        model = Reader(2, 8, CLASSES)\n"
    )
    yield from host.with_argument("load_state_dict", 0, "{key: each[:1] for key, each in {}.items()}")
    yield from host.with_argument("load_state_dict", 0, "{key: each[..., None] for key, each in {}.items()}")
