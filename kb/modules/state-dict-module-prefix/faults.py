def faults(host):
    for prefix in ("module.", "_orig_mod.", "module._orig_mod."):
        for text in ("net.state_dict()", "model.state_dict()", "Backbone().state_dict()"):
            yield from host.with_text(text, f'{{"{prefix}" + key: each for key, each in {text}.items()}}')
    for prefix in ("module.", "_orig_mod."):
        yield from host.with_text(
            "model.module.state_dict()",
            f'{{"{prefix}" + key: each for key, each in model.module.state_dict().items()}}',
        )
