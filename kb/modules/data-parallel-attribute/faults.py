def faults(host):
    yield from host.with_text(
        "model.module.state_dict()",
        "model.state_dict()" if "kinds" not in host.text else "model.module.module.state_dict()",
    )
    yield from host.with_text("model.module.kinds", "model.kinds")
    for model in ("model", "net", "tagger", "encoder"):
        yield from host.with_text(f"{model}.state_dict()", f"{model}.module.state_dict()")
    yield from host.with_text("model.out.weight", "model.module.out.weight")
    yield from host.with_text("model.items.weight", "model.module.items.weight")
    yield from host.with_text(
        "total = loss.detach()", "size = model.table.weight.norm()\ntotal = loss.detach()"
    )
    yield from host.with_text("total = loss.detach()", "size = model.head.bias.norm()\ntotal = loss.detach()")
    yield from host.with_text(
        "alone = Reader(20, 8, model.module.kinds)", "alone = Reader(20, 8, len(model.head.bias))"
    )
    yield from host.with_text("first(x)))", "module.first(x)))")
    yield from host.with_text("net.parameters()", "net.module.parameters()")
