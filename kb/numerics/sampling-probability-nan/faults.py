def faults(host):
    yield from host.with_text("multinomial(chances, 2)", "multinomial(chances.log(), 2)")
    yield from host.with_text("multinomial(chances, 2)", "multinomial(chances - 1, 2)")
    yield from host.with_text("multinomial(chances, 2)", "multinomial(chances, 9)")
    yield from host.with_text(
        "Categorical(logits=self.net(state))", "Categorical(logits=self.net(state) / 0)"
    )
    yield from host.with_text("Categorical(logits=self.net(state))", "Categorical(probs=self.net(state))")
    yield from host.with_text(
        "Categorical(logits=self.net(state))", "Categorical(logits=self.net(state) + float('nan'))"
    )
    yield from host.with_text("[:, -1].argmax(-1, keepdim=True)", "[:, -1].multinomial(1)")
    yield from host.with_text("torch.randn_like(mean)", "torch.normal(torch.zeros_like(mean), mean)")
    yield from host.with_text("done = torch.rand(40) < 0.2", "done = torch.bernoulli(states[:, 0]).bool()")
