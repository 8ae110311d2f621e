"""An edit for a program whose answer has none: candidates, each tried by running the program from its start
again in a fork of it (`child/anew.py`).

A candidate is the text that the user's file would hold. It counts only where the program then ends without an
error, and had printed what it printed before until there; and of several only where all give the same.
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
from .trial import Trials, changes_to_try

FIRST_MS = 3_000  # of computing until the program fails: a longer one is not run again
ALL_MS = 10_000  # of computing for all candidates
ALL_SECONDS = 30.0
MAX_STEPS = 4  # failures of one kind, one behind the other
Ask = Callable[..., Answer]


class Candidate(NamedTuple):
    """A text of the user's file, and how the program ended with it."""

    text: str
    ended: JSONObject
    change: Change | None = None


class Repair:
    """The search for one crash."""

    def __init__(self, answer: Answer, trials: Trials, ask: Ask) -> None:
        self.answer, self.trials, self.ask = answer, trials, ask
        self.file = os.path.realpath(answer.here.file) if answer.here is not None else ""
        self.spent, self.end = 0, time.monotonic() + ALL_SECONDS
        self.first: JSONObject = {}

    def change(self) -> Change | None:
        """The edit that is certain, of the user's own lines."""
        answer = self.answer
        if answer.here is None or not os.path.isfile(self.file):
            return None
        text = Path(self.file).read_text("utf-8")
        self.first = self._run(None)
        if self.first["verdict"] != "fails" or self.spent > FIRST_MS or not self._fails_so():
            return None
        own = (
            each
            for each in self._chains(text)
            if each.ended["verdict"] == "runs" and self._prints_the_same(each)
        )
        found = next(own, None) or self._agreed(text)
        if found is None:
            return None
        change = found.change or Change("")
        lines = edited_lines(self.file, text, found.text)
        return change._replace(lines=lines, tried=Tried("runs", "", "", found.ended["ms"]), usual=False)

    def _fails_so(self) -> bool:
        """Whether it failed again as it had, in the same line."""
        here, frame = self.answer.here, _frame_of(self.first)
        root = self.answer.root
        error = str(self.first["why"]).partition(":")[0].rpartition(".")[2]
        return (
            frame is not None
            and here is not None
            and frame.line == here.line
            and root is not None
            and root.name.rpartition(".")[2] == error
        )

    def _run(self, text: str | None) -> JSONObject:
        ended = self.trials.again({self.file: text} if text is not None else {})
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
            new, step = _applied(text, change), 0
            while new and not self._is_over():
                candidate = Candidate(new, self._run(new), change)
                step += 1
                if candidate.ended["verdict"] != "fails" or step == MAX_STEPS:
                    yield candidate
                    break
                new = self._next(candidate)

    def _next(self, candidate: Candidate) -> str | None:
        """The text with the entry's edit of its next failure too."""
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, os.path.basename(self.file))
            Path(place).write_text(candidate.text, "utf-8")
            ended = json.loads(json.dumps(candidate.ended).replace(json.dumps(self.file)[1:-1], place))
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
        frames = own_frames(self.answer.paste)
        lines = [each.line or 0 for each in frames if os.path.realpath(each.file) == self.file]
        root, match = self.answer.root, self.answer.match
        message = f"{root.name}: {root.message}" if root is not None else ""
        advice = match.pitfall.fix.en if match is not None else ""
        others: list[Candidate] = []
        for kind in guesses(text, lines, message, advice):
            tried = [Candidate(new, self._run(new)) for new in kind if not self._is_over()]
            ran = [each for each in tried if each.ended["verdict"] == "runs"]
            kept = [each for each in ran if self._prints_the_same(each)]
            if kept:
                return _smallest(text, kept)
            others += ran
        return _smallest(text, others) if others and not self._is_over() else None


def _smallest(text: str, ran: list[Candidate]) -> Candidate | None:
    """The one that changes least; None where they do not all give the same."""
    first = ran[0].ended
    if any((each.ended["printed"], each.ended["state"]) != (first["printed"], first["state"]) for each in ran):
        return None
    return min(ran, key=lambda each: _size(text, each.text))


def repaired(answer: Answer, trials: Trials, ask: Ask) -> Answer:
    """The answer with an edit that was found by running the program, where it has none."""
    if answer.change is not None and answer.change.lines:
        return answer
    try:
        change = Repair(answer, trials, ask).change()
    except (OSError, ValueError):
        return answer
    return answer if change is None else answer._replace(change=change)


def _frame_of(ended: JSONObject):  # noqa: ANN202
    return find_frame([shown(ended["record"])], parse(str(ended["text"]))) if "record" in ended else None


def _applied(text: str, change: Change) -> str | None:
    try:
        return edited(text, [line_edit(text, each.line, each.before, each.after) for each in change.lines])
    except ValueError:
        return None


def edited_lines(file: str, old: str, new: str) -> tuple[EditedLine, ...]:
    """What makes one text of the other, line by line."""
    before, after = old.split("\n"), new.split("\n")
    found = []
    for what, start, stop, first, last in difflib.SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if what == "equal":
            continue
        rows, put = before[start:stop], after[first:last]
        if not rows:  # they come behind the line above
            start, rows, put = start - 1, [before[start - 1]], [before[start - 1], *put]
        share = [*[[row] for row in put[: len(rows) - 1]], put[len(rows) - 1 :]]
        for at, row in enumerate(rows):
            comes = share[at] if at < len(share) else []
            indent = row[: len(row) - len(row.lstrip())]
            text = "\n".join(comes).removeprefix(indent)
            found.append(EditedLine(file, start + at + 1, row.strip(), text.rstrip(), indent))
    return tuple(found)


def _size(old: str, new: str) -> tuple[int, int]:
    pairs = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return len(pairs), sum(max(b - a, d - c) for what, a, b, c, d in pairs if what != "equal")
