"""The parent multiplies matrices with two threads and then forks: the child waits for ever in its first product, since the parent's threads do
not exist in it. A child of forkserver has its own threads and ends."""

import json
import multiprocessing
import sys

import torch

LIMIT_S = 5


def predict():
    x = torch.ones(600, 600)
    (x @ x).sum().item()


def serve(method):
    torch.set_num_threads(2)
    predict()  # the parent: a warm-up call, an evaluation, a self-test
    child = multiprocessing.get_context(method).Process(target=predict)
    child.start()
    child.join(LIMIT_S if method == "fork" else 60)
    alive = child.is_alive()
    if alive:
        child.kill()
    child.join()
    print(json.dumps({"method": method, "still_running": alive}))
    if alive:
        sys.exit(f"symptom: the child was still in its first matrix product after {LIMIT_S} s")


def broken():
    serve("fork")


def fixed():
    serve("forkserver")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
