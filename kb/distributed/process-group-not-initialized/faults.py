def faults(host):
    yield from host.with_text("torch.manual_seed(", "rank = torch.distributed.get_rank()\ntorch.manual_seed(")
    yield from host.with_text("torch.manual_seed(", "torch.distributed.barrier()\ntorch.manual_seed(")
    yield from host.with_text("\nprint(", "\ntorch.distributed.all_reduce(torch.ones(1))\nprint(")
    yield from host.with_text("dist.destroy_process_group()", "dist.destroy_process_group()\ndist.barrier()")
    yield from host.with_text("dist.init_process_group(", "print(")
