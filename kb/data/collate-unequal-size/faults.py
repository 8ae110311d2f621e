def faults(host):
    yield from host.without_argument("DataLoader", "collate_fn")
    yield from host.with_text("return image, mask", "return image[:, : 9 + index % 5], mask")
    yield from host.with_text("return image, mask", "return image[: 1 + index % 3], mask")
    yield from host.with_text("return path, index % CLASSES", "return path, torch.ones(1 + index % 3)")
    yield from host.with_text(
        "(TensorDataset(images, labels)",
        "([(each, label.expand(1 + at % 2)) for at, (each, label) in enumerate(zip(images, labels))]",
    )
    yield from host.with_text(
        "TensorDataset(who, what, stars)",
        "[(a, b, c.expand(1 + at % 2)) for at, (a, b, c) in enumerate(zip(who, what, stars))]",
    )
