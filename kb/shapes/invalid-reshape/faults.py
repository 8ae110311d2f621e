def faults(host):
    for call in ("view", "reshape"):
        yield from host.with_argument(call, 0, "32")
        for place in (1, 2):
            yield from host.with_argument(call, place, "{} + 1")
    yield from host.with_argument("view", 1, "-1")
    yield from host.with_text("// heads", "// heads + 1")
    for width in ("8 * 6 * 6", "8 * 4 * 4", "400"):  # written for pictures of another size
        for text in host.with_text("x.flatten(1)", f"x.view(-1, {width})"):
            yield text.replace("nn.Linear(8 * 5 * 5,", f"nn.Linear({width},")
        for text in host.with_text("x.flatten(1)", f"x.view(x.size(0), {width})"):
            yield text.replace("nn.Linear(8 * 5 * 5,", f"nn.Linear({width},")
