"""Two ranks evaluate one data set, half of it each. Rank 0 divides its own count by the length of the whole; with the counts added up over
the ranks it is the accuracy that one process finds."""

import json
import multiprocessing
import sys
import tempfile

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def evaluate(rank, folder, reduce, results):
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    generator = torch.Generator().manual_seed(0)
    y = torch.randint(0, 4, (400,), generator=generator)
    answers = torch.where(
        torch.rand(400, generator=generator) < 0.9, y, (y + 1) % 4
    )  # a model that is right 9 times of 10
    dataset = TensorDataset(answers, y)
    correct = torch.zeros(1)
    for answer, target in DataLoader(
        dataset, batch_size=50, sampler=DistributedSampler(dataset, 2, rank, shuffle=False)
    ):
        correct += (answer == target).sum()
    if reduce:
        dist.all_reduce(correct)
    if rank == 0:
        results.put((correct.item() / len(dataset), (answers == y).float().mean().item()))
    dist.barrier()
    dist.destroy_process_group()


def run(reduce):
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        ranks = [context.Process(target=evaluate, args=(rank, folder, reduce, results)) for rank in range(2)]
        for rank in ranks:
            rank.start()
        reported, alone = results.get(timeout=60)
        for rank in ranks:
            rank.join()
    print(json.dumps({"reported": round(reported, 3), "one_process": round(alone, 3)}))
    if reported < 0.7 * alone:
        sys.exit(f"symptom: rank 0 reports {reported:.0%} where one process finds {alone:.0%}")


def broken():
    run(reduce=False)


def fixed():
    run(reduce=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
