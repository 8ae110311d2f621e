def faults(host):
    for layer in ("ReLU", "Tanh", "GELU", "Sigmoid"):
        yield from host.with_call(layer, f"nn.functional.{layer.lower()}")
        yield from host.with_call(layer, f"nn.{layer}")
    for layer in ("ReLU", "Tanh", "Sigmoid"):
        yield from host.with_call(layer, f"torch.{layer.lower()}")
