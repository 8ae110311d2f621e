"""A background thread holds a lock while the workers are forked; in the workers nobody will ever release it, and no batch comes.
With a lock that each worker makes for itself the loader runs."""

import json
import sys
import threading
import time

import torch
from torch.utils.data import DataLoader, Dataset

TIMEOUT_S = 5
cache_lock = threading.Lock()


class Cached(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        with cache_lock:
            return torch.full((2,), float(index))


def fresh_lock(worker_id):
    global cache_lock
    cache_lock = threading.Lock()


def refresh_cache(done):
    while not done.is_set():
        with cache_lock:
            time.sleep(0.05)


def load(start_worker):
    done = threading.Event()
    threading.Thread(target=refresh_cache, args=(done,), daemon=True).start()
    time.sleep(0.02)
    loader = DataLoader(
        Cached(),
        batch_size=4,
        num_workers=2,
        multiprocessing_context="fork",
        timeout=TIMEOUT_S,
        worker_init_fn=start_worker,
    )
    batches = 0
    try:
        for _ in loader:
            batches += 1
    except RuntimeError as error:
        print(error)
    done.set()
    print(json.dumps({"batches": batches, "of": 2}))
    if batches < 2:
        sys.exit(f"symptom: no batch within {TIMEOUT_S} s")


def broken():
    load(None)


def fixed():
    load(fresh_lock)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
