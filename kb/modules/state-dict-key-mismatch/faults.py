def faults(host):
    for given in ('torch.load(file)["model"]', 'state["model"]', "torch.load(path, map_location=device)"):
        yield from host.with_text(given, f'{{"net." + key: each for key, each in {given}.items()}}')
        yield from host.with_text(
            given, f'{{key: each for key, each in {given}.items() if "bias" not in key}}'
        )
        yield from host.with_text(given, f'{{**{given}, "extra.weight": torch.zeros(2)}}')
        yield from host.with_text(given, given.removesuffix('["model"]'))
    yield from host.with_text("save(Backbone().state_dict()", 'save({"state_dict": Backbone().state_dict()}')
