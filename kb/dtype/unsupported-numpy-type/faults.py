def faults(host):
    yield from host.with_argument("from_numpy", 0, "{}.astype(object)")
    yield from host.with_argument("from_numpy", 0, "np.flip(np.flip({}, 0).copy(), 0)")
    yield from host.with_argument("from_numpy", 0, "{}[::-1].copy()[::-1]")
    yield from host.with_argument("from_numpy", 0, "{}.astype(str)")
    yield from host.with_argument("from_numpy", 0, "{}.astype(np.uint16).astype('>u2')")
    yield from host.with_argument("tensor", 0, "[*{}, None]")
    yield from host.with_text(
        "weights = model", "lowered = model.items.weight.detach().bfloat16().numpy()\n    weights = model"
    )
    yield from host.with_text(
        "import torch\n\n", "import torch\n\nhalf = torch.ones(3).bfloat16().numpy()\n\n"
    )
