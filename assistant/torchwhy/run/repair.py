"""An edit for a program whose answer has none: candidates, each tried by running the program from its start
again in a fork of it (`child/anew.py`).

A candidate is the text that the user's file would hold. It counts only where the program then ends without an
error, and of several that do only where all print and train the same.
"""

from __future__ import annotations

import difflib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from torchwhy.answers.answer import Answer
from torchwhy.answers.change import Change, EditedLine, Tried
from torchwhy.paste.parse import parse
from torchwhy.paste.place import own_frames
from torchwhy.runtime.json_types import JSONObject
from torchwhy.source.guesses import guesses
from torchwhy.source.rewrite import edited, line_edit

from .crashes import find_frame, shown
from .frame_record import FrameRecord
from .trial import Trials, changes_to_try

FIRST_MS = 3_000  # of computing until the program fails: one that takes longer is not run again
ALL_MS = 10_000  # of computing for all candidates
ALL_SECONDS = 30.0
ANEW = "from its start to its end"
MAX_STEPS = 4  # failures of one kind, one behind the other
Ask = Callable[..., Answer]


class Candidate(NamedTuple):
    """A text of the user's file, how the program ended with it, and the entry's edit that began it."""

    text: str
    ended: JSONObject
    change: Change | None = None

    @property
    def runs(self) -> bool:
        return bool(self.ended["verdict"] == "runs")


def repaired(answer: Answer, trials: Trials, ask: Ask) -> Answer:
    """The answer with an edit that was found by running the program, where it names an entry and has none."""
    if answer.match is None or (answer.change is not None and answer.change.lines):
        return answer
    try:
        change = Repair(answer, trials, ask).change()
    except (OSError, ValueError):
        return answer
    return answer if change is None else answer._replace(change=change)


class Repair:
    """The search for one crash."""

    def __init__(self, answer: Answer, trials: Trials, ask: Ask) -> None:
        self.answer, self.trials, self.ask = answer, trials, ask
        self.file = os.path.realpath(answer.here.file) if answer.here is not None else ""
        self.spent, self.end = 0, time.monotonic() + ALL_SECONDS
        self.first: JSONObject = {}

    def change(self) -> Change | None:
        """The edit with which the program runs; None where none does, or several that do not agree."""
        if not os.path.isfile(self.file):
            return None
        text = Path(self.file).read_text("utf-8")
        self.first = self._run(None)
        if self.spent > FIRST_MS or not self._fails_so():
            return None
        own = (each for each in self._chains(text) if each.runs and self._prints_the_same(each))
        found = next(own, None) or self._agreed(text)
        if found is None:
            return None
        lines = edited_lines(self.file, text, found.text)
        tried = Tried("runs", "", ANEW, found.ended["ms"])
        return (found.change or Change(""))._replace(lines=lines, tried=tried)

    def _fails_so(self) -> bool:
        """Whether the program fails again with an error of that kind, in the same line."""
        here, root, frame = self.answer.here, self.answer.root, _frame_of(self.first)
        if here is None or root is None or frame is None:
            return False
        kind = str(self.first["why"]).partition(":")[0]
        return frame.line == here.line and root.name.rpartition(".")[2] == kind

    def _run(self, text: str | None) -> JSONObject:
        ended = self.trials.again({} if text is None else {self.file: text})
        self.spent += int(ended["ms"])
        return ended

    def _is_over(self) -> bool:
        return self.spent > ALL_MS or time.monotonic() > self.end

    def _prints_the_same(self, candidate: Candidate) -> bool:
        """Whether it printed until then what the program had printed when it failed."""
        return str(candidate.ended["printed"]).startswith(str(self.first["printed"]))

    def _chains(self, text: str) -> Iterator[Candidate]:
        """The entry's edits, each with those of the failures of its kind that follow it."""
        for change in changes_to_try(self.answer):
            new = _applied(text, change)
            for _ in range(MAX_STEPS):
                if new is None or self._is_over():
                    break
                candidate = Candidate(new, self._run(new), change)
                if candidate.ended["verdict"] != "fails":
                    yield candidate
                    break
                new = self._next(candidate)

    def _next(self, candidate: Candidate) -> str | None:
        """The text with the entry's edit of its next failure too; the answer reads it from a file."""
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, os.path.basename(self.file))
            Path(place).write_text(candidate.text, "utf-8")
            was, now = (json.dumps(path)[1:-1] for path in (self.file, place))
            ended = json.loads(json.dumps(candidate.ended).replace(was, now))
            frame = _frame_of(ended)
            answer = self.ask(ended["text"], source=True, operands=frame.operands if frame else ())
            if answer.match is None or self.answer.match is None or answer.match.id != self.answer.match.id:
                return None
            changes = changes_to_try(answer)
            return _applied(candidate.text, changes[0]) if changes else None

    def _agreed(self, text: str) -> Candidate | None:
        """The smallest of the guesses of a kind with which the program runs, where all of these do the same:
        of those with which it printed the same until it failed, else of all.
        """
        root, match = self.answer.root, self.answer.match
        frames = own_frames(self.answer.paste)
        lines = [each.line or 0 for each in frames if os.path.realpath(each.file) == self.file]
        message = f"{root.name}: {root.message}" if root is not None else ""
        others: list[Candidate] = []
        for kind in guesses(text, lines, message, match.pitfall.fix.en if match is not None else ""):
            tried = (Candidate(new, self._run(new)) for new in kind if not self._is_over())
            ran = [each for each in tried if each.runs]
            kept = [each for each in ran if self._prints_the_same(each)]
            if self._is_over() or kept:  # what was not tried might run and do something else
                return None if self._is_over() else _smallest(text, kept)
            others += ran
        return _smallest(text, others) if others else None


def _frame_of(ended: JSONObject) -> FrameRecord | None:
    return find_frame([shown(ended["record"])], parse(str(ended["text"]))) if "record" in ended else None


def _applied(text: str, change: Change) -> str | None:
    try:
        return edited(text, [line_edit(text, each.line, each.before, each.after) for each in change.lines])
    except ValueError:
        return None


def _smallest(text: str, ran: list[Candidate]) -> Candidate | None:
    """The one that changes least; None where they do not all give the same."""
    gave = [(each.ended["printed"], each.ended["state"]) for each in ran]
    return (
        min(ran, key=lambda each: _size(text, each.text)) if all(each == gave[0] for each in gave) else None
    )


def _size(old: str, new: str) -> tuple[int, int]:
    """In how many places they differ, and by how many characters."""
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    other = [max(stop - start, end - begin) for what, start, stop, begin, end in steps if what != "equal"]
    return len(other), sum(other)


def edited_lines(file: str, old: str, new: str) -> tuple[EditedLine, ...]:
    """What makes one text of the other, line by line."""
    before, after = old.split("\n"), new.split("\n")
    steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    found = []
    for what, start, stop, begin, end in steps:
        if what == "equal":
            continue
        if start == stop:  # they come behind the line above
            start, begin = start - 1, begin - 1
            stop = start + 1
        last = stop - start - 1
        for at in range(last + 1):
            comes = after[begin + at : end if at == last else begin + at + 1] if begin + at < end else []
            row = before[start + at]
            indent = row[: len(row) - len(row.lstrip())]
            text = "\n".join(comes).removeprefix(indent)
            found.append(EditedLine(file, start + at + 1, row.strip(), text, indent))
    return tuple(found)
