def faults(host):
    for name in ("xavier_uniform_", "kaiming_normal_", "orthogonal_"):
        loop = f"for p in {{}}.parameters():\n    torch.nn.init.{name}(p)\n"
        for model in ("model", "net", "tagger", "trunk", "encoder", "policy"):
            if f"\n{model} = " in host.text or f"\n{model}, " in host.text:
                for optimizer in ("optimizer = ", "opt = ", "parameters = "):
                    yield from host.with_text(f"\n{optimizer}", f"\n{loop.replace('{}', model)}{optimizer}")
    yield from host.with_text("nn.init.zeros_(self.out.bias)", "nn.init.xavier_uniform_(self.out.bias)")
