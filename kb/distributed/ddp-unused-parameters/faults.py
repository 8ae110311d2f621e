STARTED = (
    "torch.distributed.init_process_group('gloo', store=torch.distributed.HashStore(), rank=0, world_size=1)"
)


def faults(host):
    yield from host.with_text(
        "self.score = nn", "self.more = nn.Parameter(torch.zeros(2))\n        self.score = nn"
    )
    yield from host.with_text("(Reader(20, 8, 3))", "(Reader(20, 8, 3), find_unused_parameters=False)")
    if "torch.save" in host.text or "DistributedDataParallel" in host.text:
        return  # whose keys get a prefix when the model is wrapped
    for name in ("model", "net", "tagger", "trunk"):
        wrapped = f"{name} = torch.nn.parallel.DistributedDataParallel({name})"
        unused = f"{name}.unused = torch.nn.Parameter(torch.zeros(2))"
        for optimizer in ("optimizer = ", "opt = "):
            if f"\n{name} = " in host.text and f"{name}.items" not in host.text:
                yield from host.with_text(f"\n{optimizer}", f"\n{unused}\n{STARTED}\n{wrapped}\n{optimizer}")
