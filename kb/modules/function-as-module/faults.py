CHOICE = """ACTS = {"relu": torch.relu, "tanh": torch.nn.Tanh()}


def layers_of(name):
    return torch.nn.Sequential(torch.nn.Linear(2, 2), ACTS[name])


assert layers_of("relu")(torch.ones(1, 2)).min() >= 0
"""


def faults(host):
    for text in (CHOICE,):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for layer in ("ReLU", "Tanh", "GELU", "Sigmoid"):
        yield from host.with_call(layer, f"nn.functional.{layer.lower()}")
        yield from host.with_call(layer, f"nn.{layer}")
    for layer in ("ReLU", "Tanh", "Sigmoid"):
        yield from host.with_call(layer, f"torch.{layer.lower()}")
