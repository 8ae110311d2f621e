"""Asks the fork that a crashed program left behind (`child/trial.py`) whether a change runs there."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Sequence
from contextlib import suppress

from torchwhy.answers.answer import Answer
from torchwhy.answers.build import change_for
from torchwhy.answers.change import Change, Tried, as_usual
from torchwhy.knowledge.entry import EDIT_OF_FEW
from torchwhy.runtime.json_types import JSONObject
from torchwhy.runtime.settings import TRY

TRIAL_SECONDS = 2.0
MORE_SECONDS = 1.0  # until the fork says that it gave up
MAX_REPLY_BYTES = 10_000
MAX_WORDS_CHARS = 200
VERDICTS = ("runs", "fails", "not tried")


class Trials:
    """A socket in the folder of a run, at which the first program that crashes waits.

    Closing it ends that fork. `seconds`: how long a trial may take.
    """

    def __init__(self, folder: str, seconds: float = TRIAL_SECONDS) -> None:
        self._seconds = seconds
        self._server: socket.socket | None = None
        self._fork: socket.socket | None = None
        if TRY.read() == "off" or not hasattr(socket, "AF_UNIX"):
            return
        server = socket.socket(socket.AF_UNIX)
        try:
            server.bind(os.path.join(folder, "trial"))
            server.listen()
        except OSError:  # a path that is too long, a file system without sockets
            server.close()
        else:
            self._server = server

    def verdict(self, edits: Sequence[JSONObject]) -> Tried:
        """Whether the crashed program's line runs with these edits (file, line, before, after)."""
        try:
            fork = self._connected()
            if fork is None:
                return Tried("not tried", why="no program waits")
            wanted = {"edits": list(edits), "seconds": self._seconds}
            fork.sendall(json.dumps(wanted).encode() + b"\n")
            reply = b""
            while not reply.endswith(b"\n") and len(reply) < MAX_REPLY_BYTES:
                part = fork.recv(MAX_REPLY_BYTES)
                if not part:
                    break
                reply += part
            said = json.loads(reply)
            gives, why = (str(said[name])[:MAX_WORDS_CHARS] for name in ("gives", "why"))
            verdict = said["verdict"] if said["verdict"] in VERDICTS else "not tried"
            return Tried(verdict, gives, why, int(said["ms"]))
        except (OSError, ValueError, TypeError, KeyError):
            return Tried("not tried", why="the trial ended")

    def _connected(self) -> socket.socket | None:
        if self._fork is None and self._server is not None:
            self._server.setblocking(False)  # it connects before its program ends
            with suppress(BlockingIOError):
                self._fork, _ = self._server.accept()
                self._fork.settimeout(self._seconds + MORE_SECONDS)
        return self._fork

    def close(self) -> None:
        for each in (self._fork, self._server):
            if each is not None:
                each.close()


def change_to_try(answer: Answer) -> Change | None:
    """The edit that the answer shows, else one that fixed too few programs to be shown untried."""
    change, match = answer.change, answer.match
    if match is not None and change is not None and not change.edits():
        few = [each for each in match.changes if EDIT_OF_FEW in each.applied]
        templates = tuple(each._replace(applied=(*each.applied, "edit")) for each in few)
        change = change_for(answer, match, templates) if templates else None
    return change if change is not None and change.edits() else None


def tried(answer: Answer, change: Change | None, trials: Trials) -> Answer:
    """The answer with that change if it runs where the program crashed; without an edit that does not, if it
    was shown at all untried.
    """
    if change is None:
        return answer
    found = trials.verdict(change.edits())
    shown = answer.change is not None and bool(answer.change.edits())
    if found.verdict == "runs" or (shown and found.verdict == "not tried"):
        return answer._replace(change=change._replace(tried=found))
    if not shown:
        return answer
    without = change._replace(lines=(), tried=found, proved=0)
    return answer._replace(change=as_usual(without, answer.here))
