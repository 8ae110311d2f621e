def faults(host):
    yield from host.renamed("reshape", "view")
    yield from host.renamed("flatten", "view")
    yield from host.with_text(".transpose(1, 2).reshape(", ".transpose(1, 2).view(")
    yield from host.with_text(
        ".flatten(2).transpose(1, 2)", ".transpose(1, 3).view(images.size(0), -1, self.first.size(-1))"
    )
