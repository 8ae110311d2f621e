"""OMP_NUM_THREADS=1 assigned after import torch leaves torch with all its threads; assigned before the import it works."""

import json
import os
import sys


def threads_used(torch):
    torch.randn(256, 256) @ torch.randn(256, 256)
    return torch.get_num_threads()


def report(used):
    wanted = int(os.environ["OMP_NUM_THREADS"])
    print(json.dumps({"OMP_NUM_THREADS": wanted, "threads": used}))
    if used > wanted:
        sys.exit(
            f"symptom: OMP_NUM_THREADS={wanted} was set after import torch, {used} threads are still used"
        )


def prepare():
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.pop(name, None)  # as in a shell where nothing is set
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores < 2:
        print("needs two or more CPU cores", file=sys.stderr)
        sys.exit(125)


def broken():
    prepare()
    import torch

    os.environ["OMP_NUM_THREADS"] = "1"
    report(threads_used(torch))


def fixed():
    prepare()
    os.environ["OMP_NUM_THREADS"] = "1"
    import torch

    report(threads_used(torch))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
