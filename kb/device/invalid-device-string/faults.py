FORMS = (
    'there = torch.device("gpu")\nassert torch.ones(2, device=there).sum() == 2\n',
    'name = "gpu"\nlayer = torch.nn.Linear(2, 1)\nlayer.to(name)\nassert layer.weight.device.type != "gpu"\n',
    'config = {"rate": 0.1, "device": "gpu"}\nx = torch.ones(2).to(config["device"])\nassert x.sum() == 2\n',
    'def there(config):\n    name = config["device"]\n    return torch.device(name)\n\n\n'
    'assert there(dict(device="gpu")).type in ("cpu", "cuda")\n',
    # What it is compared with would be another text.
    'name = str("gpu")\nx = torch.ones(2).to(name)\ny = torch.ones(2).to(name)\nassert name == "gpu"\n',
)


def faults(host):
    for text in FORMS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
