"""Two threads that take two locks in the other order."""
# stands: process - 22
# entry: -

import threading
import time

first, second = threading.Lock(), threading.Lock()


def other() -> None:
    with second:
        time.sleep(0.2)
        with first:
            pass


thread = threading.Thread(target=other)
with first:
    thread.start()
    time.sleep(0.4)
    second.acquire()
