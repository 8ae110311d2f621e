"""A lock file in the folder of a compiled extension, left over from a build that was killed: cpp_extension's baton waits for it for ever. Without
the file the same call takes the lock at once."""

import json
import sys
import tempfile
import threading
from pathlib import Path

from torch.utils.file_baton import FileBaton

LIMIT_S = 3


def build(folder):
    """What torch.utils.cpp_extension.load does before it compiles, in a thread so that the wait can be bounded."""
    baton = FileBaton(str(folder / "lock"))
    if baton.try_acquire():
        baton.release()
    else:
        baton.wait()


def load(prepare):
    folder = Path(tempfile.mkdtemp())
    (folder / "lock").touch()  # the killed build
    prepare(folder)
    thread = threading.Thread(target=build, args=(folder,), daemon=True)
    thread.start()
    thread.join(LIMIT_S)
    print(json.dumps({"still_waiting": thread.is_alive()}))
    if thread.is_alive():
        sys.exit(f"symptom: after {LIMIT_S} s still waiting for a lock file whose owner is gone")


def broken():
    load(lambda folder: None)


def fixed():
    load(lambda folder: (folder / "lock").unlink())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
