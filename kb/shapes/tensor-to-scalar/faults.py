def faults(host):
    yield from host.renamed("stack", "tensor")
    yield from host.with_argument("TensorDataset", 0, "torch.tensor([each for each in {}])")
    for model in ("model", "net", "policy", "encoder", "trunk", "tagger", "own"):
        yield from host.with_argument(model, 0, "torch.tensor([part for part in {}])")
    yield from host.with_text("pow(2).mean()\nloss.backward()", "pow(2)\nloss.mean().backward()")
    yield from host.with_text("norm.item()", "hidden.item()")
    yield from host.with_text("right.sum().item()", "right.item()")
    yield from host.with_text("(predicted == labels).float().mean()", "(predicted == labels).float()")
    yield from host.with_text("net(best).item()", "net(features).item()")
    yield from host.with_text("overlap = (found & mask.bool()).sum()", "overlap = found & mask.bool()")
    yield from host.with_text("one.argmax(1).item()", "one.item()")
