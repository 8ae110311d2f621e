def faults(host):
    for model in ("model", "net", "tagger", "trunk", "encoder", "policy", "target", "G", "own"):
        yield from host.with_argument(model, 0, f"{{}}.to({model}.device)")
    yield from host.with_text("self.conv1(x)", "self.conv1(x.to(self.device))")
    yield from host.with_text("self.table(ids)", "self.table(ids.to(self.device))")
