def faults(host):
    for layer in ("MaxPool2d", "AvgPool2d", "MaxPool1d"):
        yield from host.with_argument(layer, 0, "40")
    for layer in ("Conv1d", "Conv2d"):
        yield from host.with_argument(layer, 2, "80")
    yield from host.with_text("max_pool2d(first, 2)", "max_pool2d(first, 32)")
    yield from host.with_text("size=(12, 12), mode", "scale_factor=0.1, mode")
    yield from host.with_text("torch.randn(24, 1, 28, 28)", "torch.randn(24, 1, 6, 6)")
    yield from host.with_text("torch.randn(5, 3, 12, 12)", "torch.randn(5, 3, 2, 2)")
    yield from host.with_text("size=(20, 3, 15, 15)", "size=(20, 3, 4, 4)")
    yield from host.with_text("(8, 12, 12, 3)", "(8, 3, 3, 3)")
