def faults(host):
    for conv in ("Conv1d", "Conv2d", "ConvTranspose2d"):
        yield from host.with_argument(conv, 0, "{} + 1")
        yield from host.with_argument(conv, 0, "2 * ({})")
    for norm in ("BatchNorm1d", "BatchNorm2d", "LayerNorm"):
        yield from host.with_argument(norm, 0, "{} + 2")
    yield from host.without_call("permute")
    yield from host.with_text(".transpose(1, 2))\n", ")\n")
    yield from host.with_text("permute(0, 3, 1, 2).float()", "float()")
    yield from host.with_text(
        "waves = rng.integers(0, 256, (count, 1, 64)", "waves = rng.integers(0, 256, (count, 64, 1)"
    )
    yield from host.with_text("BatchNorm1d(16)", "BatchNorm1d(12)")
