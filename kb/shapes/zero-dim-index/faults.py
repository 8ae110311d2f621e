def faults(host):
    for name in ("loss", "loss_d", "loss_g", "norm", "accuracy", "overlap"):
        yield from host.with_text(f"{name}.item()", f"{name}.data[0]")
        yield from host.with_text(f"{name}.item()", f"{name}[0]")
    yield from host.with_text("loss.item()", "loss.data.cpu().numpy()[0]")
    yield from host.with_text("loss.item()", "sum(loss)")
