def faults(host):
    for size in (4, 8, 16):
        yield from host.with_text(
            f", batch_size={size})", f", batch_size={size}, drop_last=True, shuffle=True)"
        )
    yield from host.with_text("(Photos(12), batch", "(Photos(0), shuffle=True, batch")
    yield from host.with_text(
        "(TensorDataset(images, labels),", "(TensorDataset(images[:0], labels[:0]), shuffle=True,"
    )
    yield from host.with_text(
        "(TensorDataset(who, what, stars),", "(TensorDataset(who[:0], what[:0], stars[:0]), shuffle=True,"
    )
    yield from host.with_text("(kept, batch_size", "([], shuffle=True, batch_size")
    yield from host.with_text("(seen, batch_size", "([], shuffle=True, batch_size")
    yield from host.with_text("(train, batch_size", "([], shuffle=True, batch_size")
    yield from host.with_text("DataLoader(held, batch_size=", "DataLoader(held, drop_last=True, batch_size=9")
