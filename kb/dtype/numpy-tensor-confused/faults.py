def faults(host):
    yield from host.without_call("from_numpy")
    yield from host.with_call("from_numpy", "np.array({})")
    yield from host.without_call("numpy")
    yield from host.with_text("features[start", "features.numpy()[start")
    yield from host.with_text("targets[start", "targets.numpy()[start")
    yield from host.with_text("kinds[start", "kinds.numpy()[start")
    yield from host.with_text("pictures[start", "pictures.numpy()[start")
    yield from host.with_text("np.round(", "torch.round(")
