def faults(host):
    yield from host.without_statement("seek")
    for name in ("file", "saved"):
        yield from host.with_text(f"torch.load({name})", f"torch.load(io.BytesIO({name}.getvalue()[:-300]))")
        yield from host.with_text(f"torch.load({name})", f"torch.load(io.BytesIO({name}.getvalue()[:100]))")
    yield from host.with_text("torch.load(path,", "open(path, 'w').close() or torch.load(path,")
    yield from host.with_text("torch.load(path,", "open(path, 'w').write('<html>') and torch.load(path,")
