def faults(host):
    yield from host.with_text("loss.backward()\nnorm", "norm")
    yield from host.with_text("loss.backward()\n    norm", "norm")
    for optimizer, model in (
        ("optimizer", "model"),
        ("opt", "net"),
        ("optimizer", "tagger"),
        ("opt_d", "D"),
        ("optimizer", "trunk"),
    ):
        if f"{model} = " in host.text or "G, D" in host.text:
            size = f"size = sum(p.grad.norm() for p in {model}.parameters()).item()"
            for step in (f"{optimizer}.zero_grad()", f"{optimizer}.zero_grad(set_to_none=True)"):
                for indent in ("    ", "        "):
                    yield from host.with_text(f"\n{indent}{step}\n", f"\n{indent}{step}\n{indent}{size}\n")
