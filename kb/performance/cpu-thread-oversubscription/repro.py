"""Four processes train a small GRU on one CPU at the same time, each with as many threads as there are cores; together they get
far less done than with one thread each."""

import json
import multiprocessing
import os
import sys
import time

import torch
from torch import nn

PROCESSES = 4
WINDOW = 0.4  # seconds of one measurement


def worker(threads, barrier, results):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = nn.GRU(32, 128, batch_first=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.randn(16, 4, 32)

    def step():
        loss = model(x)[0].square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def count(number):
        torch.set_num_threads(number)
        barrier.wait()
        done, start = 0, time.perf_counter()
        while time.perf_counter() - start < WINDOW:
            step()
            done += 1
        rate = done / (time.perf_counter() - start)
        barrier.wait()
        return rate

    step()
    rates = [
        (count(1), count(threads)) for _ in range(2)
    ]  # alternating, so that a busy machine disturbs both alike
    results.put(rates)


def run(threads):
    cores = len(os.sched_getaffinity(0))
    if cores < 2:
        print("needs two or more CPU cores", file=sys.stderr)
        sys.exit(125)
    threads = threads or cores
    context = multiprocessing.get_context("fork")
    barrier, results = context.Barrier(PROCESSES), context.Queue()
    workers = [context.Process(target=worker, args=(threads, barrier, results)) for _ in range(PROCESSES)]
    for process in workers:
        process.start()
    rates = [results.get(timeout=50) for _ in workers]
    for process in workers:
        process.join()
    single = max(sum(rate[round_][0] for rate in rates) for round_ in range(2))
    many = max(sum(rate[round_][1] for rate in rates) for round_ in range(2))
    ratio = single / many
    print(
        json.dumps(
            {
                "threads": threads,
                "steps_per_s_1_thread": round(single),
                "steps_per_s": round(many),
                "ratio": round(ratio, 2),
            }
        )
    )
    if ratio > 2:
        sys.exit(
            f"symptom: {ratio:.1f} times less work done with {threads} threads in each of {PROCESSES} processes on {cores} cores"
        )


def broken():
    run(threads=None)  # all cores, as torch chooses by itself


def fixed():
    run(threads=1)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
