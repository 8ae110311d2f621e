"""The watch of a program below `torchwhy run --watch`: what it finds goes into the run's folder."""

from __future__ import annotations

import json
import os
import sys
from threading import get_ident

from torchwhy_watch_core import Watch, load_guards


class Files:
    """Findings and figures as files of the run's folder, of this process."""

    def __init__(self, folder):
        self.folder = folder

    def tell(self, finding):
        rank = os.environ.get("RANK", "")
        line = json.dumps(dict(finding, rank=int(rank) if rank.isdigit() else None))
        path = os.path.join(self.folder, "watch-%d.jsonl" % os.getpid())
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(number, (line + "\n").encode())
        finally:
            os.close(number)

    def end(self, watch):
        watch.stop()
        path = os.path.join(self.folder, "watch-%d.json" % os.getpid())
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(number, "w") as file:
            json.dump(watch.summary(), file)


def start_in_run(folder):
    """The watch of a program below `torchwhy run --watch`, as the run's watch.json asks for it."""
    import atexit

    with open(os.path.join(folder, "watch.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    files = Files(folder)
    watch = Watch(load_guards(wanted["guards"]), files.tell, wanted["language"], folder).start()
    pid = os.getpid()

    def end():
        try:
            files.end(watch)
        except Exception:
            pass

    atexit.register(end)
    util = sys.modules.get("multiprocessing.util")
    if util is not None:  # a process of multiprocessing runs no atexit
        if sys.modules["multiprocessing.process"].parent_process() is not None:
            util.Finalize(None, end, exitpriority=0)

        def forked(one):
            if os.getpid() != pid:
                one.thread = get_ident()
                util.Finalize(None, end, exitpriority=0)

        util.register_after_fork(watch, forked)
    return watch
