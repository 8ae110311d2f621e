def faults(host):
    for given in (
        'torch.load(file)["model"]',
        'state["model"]',
        "torch.load(path, map_location=device)",
        "torch.load(saved)",
        "torch.load(file)",
    ):
        for model in ("again", "model", "backbone", "target", "alone"):
            yield from host.with_text(f"{model}.load_state_dict({given})", f"{model} = {given}")
            yield from host.with_text(
                f"{model}.load_state_dict({given})", f"{model} = {model}.load_state_dict({given})"
            )
