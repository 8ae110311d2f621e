def faults(host):
    yield from host.without_call("detach")
    yield from host.with_text("with torch.no_grad():", "if True:")
    yield from host.with_text("loss.item()", "loss.numpy()")
    yield from host.with_text("losses.append(loss.item())", "losses.append(float(loss.numpy()))")
    yield from host.with_text(
        "loss = criterion(", "loss = criterion(*[each for each in []]) if 0 else criterion("
    )
