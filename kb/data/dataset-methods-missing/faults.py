def faults(host):
    yield from host.with_text("def __len__(", "def len(")
    yield from host.with_text("def __getitem__(", "def get(")
    yield from host.with_text("TensorDataset(images, labels)", "zip(images, labels)")
    yield from host.with_text("TensorDataset(who, what, stars)", "zip(who, what, stars)")
