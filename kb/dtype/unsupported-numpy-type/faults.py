def faults(host):
    yield from host.with_argument("from_numpy", 0, "{}.astype(object)")
    yield from host.with_argument("from_numpy", 0, "{}.astype(str)")
    yield from host.with_argument("from_numpy", 0, "np.flip(np.flip({}, 0).copy(), 0)")
    yield from host.with_call("from_numpy", "torch.tensor(table.astype(object))")
    yield from host.with_argument("tensor", 0, "[*{}, None]")
