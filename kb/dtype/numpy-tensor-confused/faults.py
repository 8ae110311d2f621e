# A count that was written for arrays, and gets tensors.
COUNTS = (
    """import numpy


def counted(true, seen, classes):
    kept = true < classes
    return numpy.bincount(classes * true[kept].astype(int) + seen[kept].astype(int), minlength=classes**2)


table = counted(torch.tensor([0, 1, 9]), torch.tensor([1, 1, 0]), 2)
assert table.tolist() == [0, 1, 0, 1]
""",
)


def faults(host):
    yield from host.with_text("features[start : start + 10]", "features.numpy()[start : start + 10].half()")
    yield from host.with_text(".cumsum(0)", ".cumsum(axis=0).astype(float)")
    yield from host.with_text(".flatten(1)", ".flatten(1).astype('float32')")
    yield from host.with_text("permute(2, 0, 1)", "transpose(2, 0, 1)")
    yield from host.with_text(".unsqueeze(0)", ".expand_dims(0)")
    yield from host.with_text("from_numpy(table).float()", "from_numpy(table).astype(np.float32)")
    yield from host.with_text(".float().mean()", ".astype(float).mean()")
    yield from host.with_text("model(images)", "model(images.copy())")
    yield from host.with_text("hidden = own(target, target)", "hidden = own(target.copy(), target)")
    yield from host.with_text(".clone()", ".copy()")
    yield from host.with_text(".long()", ".astype(int)")
    yield from host.with_text(".byte().numpy()", ".numpy().byte()")
    for model in ("net", "tagger", "trunk", "target", "encoder"):
        yield from host.with_argument(model, 0, "{}.copy()")
    yield from host.with_text("permute(1, 2, 0)", "transpose(1, 2, 0)")
    yield from host.with_text("permute(0, 3, 1, 2)", "transpose(0, 3, 1, 2)")
    for text in COUNTS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
