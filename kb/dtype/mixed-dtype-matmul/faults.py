def faults(host):
    yield from host.without_call("float")
    yield from host.without_call("bfloat16")
    yield from host.with_text(
        "torch.randn(", "torch.DoubleTensor().new_empty(0).new_tensor(1.0) * torch.randn("
    )
    for call in ("randn", "rand", "arange"):
        yield from host.with_call(call, "{}.double()")
        yield from host.with_call(call, "{}.half()")
    yield from host.with_text(".astype(np.float32)", "")
    for model in ("model", "net", "tagger", "encoder", "D"):
        yield from host.with_argument(model, 0, "{}.double()")
        yield from host.with_argument(model, 0, "{}.long()")
