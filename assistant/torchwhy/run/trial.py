"""Asks the fork that a crashed program left behind (`child/trial.py`) whether a change runs there."""

from __future__ import annotations

import json
import os
import socket
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from torchwhy.answers.answer import Answer
from torchwhy.answers.build import edits_for
from torchwhy.answers.change import Change, Tried, as_usual
from torchwhy.runtime.json_types import JSONObject
from torchwhy.runtime.settings import TRY

TRIAL_SECONDS = 2.0
ANEW_SECONDS = 5.0
LIFE_SECONDS = 60.0  # after which the fork has ended
MAX_CHANGES = 6
MAX_REPLY_BYTES = 10_000
MAX_WORDS_CHARS = 200
VERDICTS = ("runs", "fails", "not tried")


class Trials:
    """A socket in the folder of a run, at which the first program that crashes waits.

    Closing it ends that fork. `seconds`: how long a trial of the failing line may take; `anew`: how long the
    program, run again for all edits, may compute.
    """

    def __init__(self, folder: str, seconds: float = TRIAL_SECONDS, anew: float = ANEW_SECONDS) -> None:
        self.seconds, self.anew = seconds, anew if TRY.read() != "line" else 0.0
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

    def verdict(self, edits: Sequence[JSONObject], far: bool = False) -> Tried:
        """Whether the crashed program's line runs with these edits (file, line, before, after), and of `far`
        ones, whether it prints the same until then.
        """
        try:
            fork = self._connected()
            if fork is None:
                return Tried("not tried", why="no program waits")
            wanted = {"edits": list(edits), "seconds": self.seconds, "anew": self.anew, "far": far}
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
            return Tried(verdict, gives, why, int(said["ms"]), bool(said.get("whole")))
        except (OSError, ValueError, TypeError, KeyError):
            return Tried("not tried", why="the trial ended")

    def _connected(self) -> socket.socket | None:
        if self._fork is None and self._server is not None:
            self._server.setblocking(False)  # it connects before its program ends
            with suppress(BlockingIOError):
                self._fork, _ = self._server.accept()
                self._fork.settimeout(self.seconds + LIFE_SECONDS)
        return self._fork

    def close(self) -> None:
        for each in (self._fork, self._server):
            if each is not None:
                each.close()


def changes_to_try(answer: Answer) -> list[Change]:
    """The edit that the answer shows, then the entry's others, last those that are shown only where the whole
    program ran with them.
    """
    match = answer.match
    if match is None:
        return []
    found = [answer.change] if answer.change is not None and answer.change.lines else []
    for each in edits_for(answer, match, match.changes):
        if all(each.lines != other.lines for other in found):
            found.append(each)
    return sorted(found, key=lambda each: each.far)[:MAX_CHANGES]


def tried(answer: Answer, changes: Sequence[Change], trials: Trials) -> Answer:
    """The answer with its edit if it runs where the program crashed, or cannot be tried; else with the one of
    the others that runs and changes least; without an edit where none does.
    """
    shown = answer.change is not None and bool(answer.change.lines)
    judged: list[Change] = []
    end = time.monotonic() + trials.seconds + trials.anew
    for each in changes:
        if judged and time.monotonic() > end:
            break
        judged.append(each._replace(tried=trials.verdict(each.edits(), each.far)))
        if shown and len(judged) == 1 and verdict_of(judged[0]) != "fails":
            return answer._replace(change=judged[0])
    ran = sorted((each for each in judged if runs(each)), key=size)
    best = ran[0] if ran else judged[0] if shown and judged else None
    if best is None:
        return answer
    others = tuple(each for each in judged if each is not best or not ran)
    if ran:
        return answer._replace(change=best._replace(others=others))
    without = best._replace(lines=(), proved=0, others=others)
    return answer._replace(change=as_usual(without, answer.here))


def runs(change: Change) -> bool:
    """Whether it ran: one that may reach further, in the whole program."""
    return verdict_of(change) == "runs" and (not change.far or bool(change.tried and change.tried.whole))


def verdict_of(change: Change) -> str:
    return change.tried.verdict if change.tried is not None else ""


def size(change: Change) -> tuple[bool, int, int]:
    """How much it changes: in how many lines, how many characters come and go; first what ran to its end."""
    pairs = [(Counter(each.before), Counter(each.after)) for each in change.lines]
    whole = change.tried is not None and change.tried.whole
    return not whole, len(pairs), sum((old - new).total() + (new - old).total() for old, new in pairs)
