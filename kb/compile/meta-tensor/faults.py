def faults(host):
    for layer in ("Linear", "Conv2d", "Embedding", "LayerNorm", "GRU"):
        yield from host.with_keyword(layer, 'device="meta"')
    for call in ("zeros", "arange", "ones", "randn"):
        yield from host.with_keyword(call, 'device="meta"')
    yield from host.with_text("model = ", "torch.set_default_device('meta')\nmodel = ")
