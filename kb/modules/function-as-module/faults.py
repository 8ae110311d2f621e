def faults(host):
    for layer in ("ReLU", "Tanh", "GELU", "Sigmoid"):
        yield from host.with_call(layer, f"nn.functional.{layer.lower()}")
        yield from host.with_call(layer, f"torch.{layer.lower()}")
        yield from host.with_call(layer, f"nn.{layer}")
    yield from host.with_call("LeakyReLU", "nn.functional.leaky_relu")
