def faults(host):
    yield from host.with_text(
        'optimizer.load_state_dict(state["optimizer"])', "optimizer.load_state_dict(state)"
    )
    yield from host.with_text(
        '"optimizer": optimizer.state_dict()', '"optimizer": optimizer.state_dict()["state"]'
    )
    yield from host.with_text(
        "optimizer = torch.optim.Adam(model.parameters(), lr=0.02)\n        ",
        "optimizer = torch.optim.Adam(model.out.parameters(), lr=0.02)\n        ",
    )
    yield from host.with_text(
        'optimizer.load_state_dict(state["optimizer"])',
        'torch.optim.SGD(model.parameters(), lr=0.1).load_state_dict(state["optimizer"])',
    )
    for name, model in (("optimizer", "model"), ("opt", "net"), ("optimizer", "tagger")):
        part = f"torch.optim.SGD([*{model}.parameters()][:1], lr=0.1).load_state_dict({name}.state_dict())"
        if f"\n{model} = " in host.text and f"\n{name} = " in host.text:
            yield from host.with_text("\nprint(", f"\n{part}\nprint(")
