def faults(host):
    for given in ("torch.load(file)", "torch.load(saved)"):
        yield from host.with_text(given, given.replace(")", ', map_location="cuda")'))
        yield from host.with_text(given, given.replace(")", ', map_location=torch.device("cuda:0"))'))
    yield from host.with_text("map_location=device", 'map_location="cuda:0"')
    yield from host.with_text("map_location=device", 'map_location=torch.device("cuda")')
