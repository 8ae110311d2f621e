def faults(host):
    yield from host.with_text("[12, 3]", "[12, 4]")
    yield from host.with_text("[12, 3]", "[10, 3]")
    yield from host.with_text("[12, 3]", "[int(0.9 * 15), int(0.1 * 15)]")
    yield from host.with_text("[32, 8]", "[32, 7]")
    yield from host.with_text("[32, 8]", "[int(40 * 0.81), int(40 * 0.19)]")
    yield from host.with_text("[16, 4]", "[16, 5]")
    yield from host.with_text("[16, 4]", "[16, 2]")
    yield from host.with_text(
        "loader = DataLoader(TensorDataset(images, labels)",
        "kept, _ = torch.utils.data.random_split(TensorDataset(images, labels), [24, 1])\nloader = DataLoader(kept",
    )
    yield from host.with_text(
        "loader = DataLoader(data,",
        "data, _ = torch.utils.data.random_split(data, [24, 2])\nloader = DataLoader(data,",
    )
