def faults(host):
    for conv in ("Conv1d", "Conv2d", "ConvTranspose2d"):
        yield from host.with_argument(conv, 0, "{} + 1")
        yield from host.with_argument(conv, 0, "2 * ({})")
    for norm in ("BatchNorm1d", "BatchNorm2d", "LayerNorm"):
        yield from host.with_argument(norm, 0, "{} + 2")
    yield from host.without_call("permute")
    yield from host.with_text(".transpose(1, 2))\n", ")\n")
