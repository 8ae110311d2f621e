LOADS = (
    'torch.load(file)["model"]',
    'state["model"]',
    "torch.load(path, map_location=device)",
    "torch.load(saved)",
)


def faults(host):
    for prefix in ("net.", "backbone.", "model.encoder."):
        yield from host.with_call("state_dict", f'{{"{prefix}" + key: each for key, each in {{}}.items()}}')
    yield from host.with_argument("save", 0, '{"state_dict": {}, "epoch": 3}')
    yield from host.with_argument("save", 0, '{"epoch": 3, "weights": {}}')
    yield from host.with_argument("save", 0, '{"arch": "small", "net": {}, "loss": 0.5}')
    for given in LOADS:
        yield from host.with_text(
            given, f'{given.removesuffix("[" + chr(34) + "model" + chr(34) + "]")}["model_state"]'
        )
        yield from host.with_text(given, given.removesuffix('["model"]'))
        yield from host.with_text(
            given, f'{{key: each for key, each in {given}.items() if "bias" not in key}}'
        )
        yield from host.with_text(given, f'{{**{given}, "extra.weight": torch.zeros(2)}}')
