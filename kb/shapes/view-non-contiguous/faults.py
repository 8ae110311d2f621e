def faults(host):
    yield from host.renamed("reshape", "view")
    yield from host.with_text(
        "flatten(2).transpose(1, 2)", "permute(0, 2, 3, 1).view(images.size(0), -1, self.first.size(-1))"
    )
    yield from host.with_text(
        "data[start : start + 8].view(8, -1)",
        "data[start : start + 8, :, :].transpose(1, 2).contiguous().transpose(1, 2).view(8, -1)",
    )
    yield from host.with_text(
        ".permute(2, 0, 1).float() / 255",
        ".permute(2, 0, 1).view(3, 16, 16)[:, :, :].transpose(1, 2).transpose(1, 2).permute(1, 2, 0).permute(2, 0, 1).view(-1).view(3, 16, 16).float() / 255",
    )
    for shape in ("x.flatten(1)", "tags.reshape(-1)", "nexts.view(-1)"):
        name = shape.partition(".")[0]
        sizes = "len(x), -1" if name == "x" else "-1"
        yield from host.with_text(shape, f"{name}.mT.contiguous().mT.view({sizes})")
    yield from host.with_text("view(8, -1)", "mT.contiguous().mT.view(8, -1)")
    yield from host.with_text("logits.reshape(-1, TAGS)", "logits.mT.contiguous().mT.view(-1, TAGS)")
