def faults(host):
    yield from host.with_text("self.score(x).squeeze(-1)", "x.sum(-1)")
    yield from host.with_text("for block in self.blocks:", "for block in self.blocks[:1]:")
    yield from host.with_text(
        "nn.Linear(width, kinds)", "nn.Linear(width, kinds)\n        self.more = nn.Linear(2, 2)"
    )
    name = "model" if " model = " in host.text or "\nmodel = " in host.text else "net"
    wrapped = f"torch.nn.parallel.DistributedDataParallel({name})"
    started = "torch.distributed.init_process_group('gloo', store=torch.distributed.HashStore(), rank=0, world_size=1)"
    if "DistributedDataParallel" not in host.text and f"\n{name} = " in host.text:
        for optimizer in ("optimizer = ", "opt = "):
            yield from host.with_text(
                f"\n{optimizer}",
                f"\n{name}.unused = torch.nn.Linear(2, 2)\n{started}\n{name} = {wrapped}\n{optimizer}",
            )
