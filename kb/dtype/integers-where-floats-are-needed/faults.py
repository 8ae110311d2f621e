def faults(host):
    yield from host.with_text("labels).float().mean()", "labels).mean()")
    yield from host.with_text(".permute(2, 0, 1).float() / 255", ".permute(2, 0, 1)")
    yield from host.with_text("torch.tensor(rewards)", "torch.tensor(rewards).long()")
    yield from host.with_text("torch.randint(1, 6, (48,)).float()", "torch.randint(1, 6, (48,))")
    yield from host.with_text("torch.zeros(1, 1, dim)", "torch.zeros(1, 1, dim, dtype=torch.long)")
    yield from host.with_text("torch.zeros(items)", "torch.zeros(items, dtype=torch.int64)")
    yield from host.with_argument("softmax", 0, "{}.long()")
    yield from host.with_text(".float().mean()", ".long().mean()")
    yield from host.with_text(
        "best = target(reader(states)).argmax(1)",
        "best = target(reader(states)).argmax(1)\n    middle = best.mean()",
    )
    yield from host.with_text("counts = F", "middle = actions.mean()\ncounts = F")
    yield from host.with_text(
        "criterion = nn", "middle = kinds.mean()\ncriterion = nn" if "kinds = " in host.text else "{}"
    )
    yield from host.with_text(
        "losses = []", "spread = gold[0].std()\nlosses = []" if "gold" in host.text else "{}"
    )
    yield from host.with_text("optimizer = torch", "middle = torch.arange(5).mean()\noptimizer = torch")
