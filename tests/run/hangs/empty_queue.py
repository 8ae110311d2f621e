"""The parent waits for a result that its process never puts."""
# stands: process get 17; process - 11
# entry: -

import multiprocessing
import time


def work(results: "multiprocessing.Queue[int]") -> None:
    while True:
        time.sleep(0.5)


if __name__ == "__main__":
    results: "multiprocessing.Queue[int]" = multiprocessing.get_context("fork").Queue()
    multiprocessing.get_context("fork").Process(target=work, args=(results,), daemon=True).start()
    results.get()
