def faults(host):
    yield from host.with_argument("load_state_dict", 0, '{"net." + key: each for key, each in {}.items()}')
    yield from host.with_argument(
        "load_state_dict", 0, '{key: each for key, each in {}.items() if "bias" not in key}'
    )
    yield from host.with_argument("load_state_dict", 0, '{**{}, "extra.weight": torch.zeros(2)}')
    yield from host.with_argument("load_state_dict", 0, "state")
    yield from host.with_text('["model"]', "")
    yield from host.with_text(
        "torch.save(Backbone().state_dict()", 'torch.save({"state_dict": Backbone().state_dict()}'
    )
