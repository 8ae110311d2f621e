# The head of another task in a file that is loaded without it.
HEAD = """class Net(torch.nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.trunk = torch.nn.Linear(2, 3)
        self.head = torch.nn.Linear(3, classes)


first, second = Net(4), Net(2)
{begin}
report = second.load_state_dict(weights, strict=False)
assert report.missing_keys == ["head.weight", "head.bias"]
assert torch.equal(first.trunk.weight, second.trunk.weight)
"""
HEADS = (
    HEAD.format(begin="weights = first.state_dict()"),
    HEAD.format(
        begin="weights = {name: value for name, value in first.state_dict().items()}\nweights['more'] = torch.ones(1)"
    ),
)


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
    for text in HEADS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
