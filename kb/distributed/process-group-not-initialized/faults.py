LATE = """import tempfile


def begin():
    where = "file://" + tempfile.mktemp()
    torch.distributed.init_process_group("gloo", init_method=where, rank=0, world_size=1)


def parts_of(rows):
    return torch.utils.data.distributed.DistributedSampler(rows, shuffle=False)


def work():
    parts = parts_of([1, 2, 3])
    begin()
    assert list(parts) == [0, 1, 2]
    torch.distributed.destroy_process_group()


work()
"""
HERE = """import tempfile

rank = torch.distributed.get_rank()
where = "file://" + tempfile.mktemp()
torch.distributed.init_process_group("gloo", init_method=where, rank=0, world_size=1)
assert rank == 0
torch.distributed.destroy_process_group()
"""
ENDED = """import tempfile

where = "file://" + tempfile.mktemp()
torch.distributed.init_process_group("gloo", init_method=where, rank=0, world_size=1)
torch.distributed.destroy_process_group()
numbers = torch.ones(1)
torch.distributed.all_reduce(numbers)
assert numbers == 1
"""
# The set-up needs the rank that is asked for before it.
NEEDED = """import tempfile

where = "file://" + tempfile.mktemp()
rank = torch.distributed.get_rank()
torch.distributed.init_process_group("gloo", init_method=where, rank=rank, world_size=1)
"""


def faults(host):
    for text in (LATE, HERE, ENDED, NEEDED) if "init_process_group" not in host.text else ():
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("torch.manual_seed(", "rank = torch.distributed.get_rank()\ntorch.manual_seed(")
    yield from host.with_text("torch.manual_seed(", "torch.distributed.barrier()\ntorch.manual_seed(")
    yield from host.with_text("\nprint(", "\ntorch.distributed.all_reduce(torch.ones(1))\nprint(")
    yield from host.with_text("dist.destroy_process_group()", "dist.destroy_process_group()\ndist.barrier()")
    yield from host.with_text("dist.init_process_group(", "print(")
