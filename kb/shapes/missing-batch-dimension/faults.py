def faults(host):
    yield from host.without_call("unsqueeze")
    for model in ("model", "net", "again", "tagger"):
        yield from host.with_argument(model, 0, "{}[0]")
    yield from host.with_argument("own", 0, "{}[0]")
