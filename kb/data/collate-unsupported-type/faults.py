def faults(host):
    yield from host.with_text("return image, mask", "return image, None")
    yield from host.with_text("return image, mask", "return None")
    yield from host.with_text("return path, index % CLASSES", "return path, None")
    yield from host.with_text("TensorDataset(images, labels)", "[(each, None) for each in images]")
    yield from host.with_text("TensorDataset(who, what, stars)", "[None for each in who]")
    yield from host.with_text("TensorDataset(images, labels)", "[(each, {3}) for each in images]")
    yield from host.with_text("return image, mask", "return image, self")
