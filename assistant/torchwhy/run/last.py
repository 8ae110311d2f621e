"""The last run's answer, kept in the user's data folder for `torchwhy last`, and what changed since.

TORCHWHY_HISTORY=off keeps nothing. Only its owner can read the file; secrets are taken out of every text
before it is written.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Literal

from torchwhy.runtime import locations, settings, system
from torchwhy.runtime.json_types import JSONObject
from torchwhy.runtime.plain_files import replace_private

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer

    from .frame_record import FrameRecord

NAME = "last-run.json"
SCHEMA = 1
OFF = ("off", "0", "no", "false")
MARK = "<redacted>"
NO_WORD = re.compile(r"[\s\"'`,;&|\\]")  # what would end a value
SAFE_WORD = re.compile(r"--[a-z][a-z_.-]*|-[a-zA-Z]|[\w./-]+\.py|[\w./-]*python[\d.]*")
NUMBERS = re.compile(r"0x[0-9a-fA-F]+|\d+")

Since = Literal["gone", "same", "moved", "another"]


@dataclass(frozen=True, slots=True)
class Failure:
    """What tells one failure from another: the entry, the error, the place."""

    entry: str | None
    exception: str
    message: str
    file: str = ""
    function: str = ""
    line: int = 0

    def words(self) -> str:
        """`shape-mismatch-linear at train.py:12`."""
        what = self.entry or self.exception or self.message or "?"
        return f"{what}, {os.path.basename(self.file)}:{self.line}" if self.file else what

    def since(self, before: Failure) -> Since:
        """How this failure stands to the one of the run before."""
        same_entry = self.entry is not None and self.entry == before.entry
        if self.exception != before.exception or not (same_entry or self.message == before.message):
            return "another"
        same = (self.file, self.function, self.line) == (before.file, before.function, before.line)
        return "same" if same else "moved"


@dataclass(frozen=True, slots=True)
class LastRun:
    """One run. `command` is redacted; `whole`: nothing had to be taken out of it, so it can be run again."""

    command: tuple[str, ...]
    whole: bool
    folder: str
    key: str
    status: int
    at: str
    failure: Failure | None
    page: str = ""
    answer: JSONObject = field(default_factory=dict)
    screen: str = ""
    """The first screen at 80 columns; "" where there is none."""
    notes: str = ""
    """What the run added below it (Markdown)."""
    python: str = ""
    """The Python of the program that failed, where it is known."""


def key_of(command: Sequence[str]) -> str:
    """Which command it is, and where; nothing of it can be read from this."""
    return hashlib.sha256("\0".join((_folder(), *command)).encode("utf-8", "surrogateescape")).hexdigest()


def _folder() -> str:
    """The current folder; "" where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def failure_of(answer: Answer, frame: FrameRecord | None) -> Failure:
    from torchwhy.text.exits import kept  # its patterns take a while: a run that succeeds needs none

    root = answer.root
    return Failure(
        entry=answer.match.id if answer.match else None,
        exception=root.name if root else "",
        # redacted first: a key without its digits is not known as one
        message=NUMBERS.sub("#", kept(root.message).partition("\n")[0]) if root else "",
        file=kept(frame.file) if frame else "",
        function=frame.function if frame else "",
        line=frame.line if frame else 0,
    )


def is_kept() -> bool:
    return settings.HISTORY.read().lower() not in OFF


def keep(
    command: Sequence[str],
    status: int,
    failure: Failure | None,
    page: str,
    answer: JSONObject,
    *,
    screen: str = "",
    notes: str = "",
    python: str = "",
) -> None:
    """Write the run down; what cannot be written is not kept, and that is no error of the run."""
    if not is_kept():
        return
    from torchwhy.text.exits import kept, kept_in

    words = without_secrets(command)
    cleaned = kept_in(answer)
    if (
        change := (answer.get("screen") or {}).get("change")
    ) is not None:  # of a line that was cut nothing is written
        its = cleaned["screen"]["change"]
        its["applicable"] = bool(change["edits"]) and its["edits"] == change["edits"]
    run = LastRun(
        command=words,
        whole=words == tuple(command),
        folder=_folder(),
        key=key_of(command),
        status=status,
        at=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        failure=failure,
        page=kept(page),
        answer={**cleaned, **({"command": list(words)} if "command" in answer else {})},
        screen=kept(screen),
        notes=kept(notes),
        python=python,
    )
    path = locations.data_folder() / NAME
    with suppress(OSError):
        locations.make_private(path.parent)
        replace_private(path, json.dumps({"schema": SCHEMA, **asdict(run)}, ensure_ascii=False))


def without_secrets(command: Sequence[str]) -> tuple[str, ...]:
    """A command's words; of one that holds a secret its program and the names of its options alone."""
    from torchwhy.text.exits import kept

    line = " ".join(NO_WORD.sub("x", word) for word in command)  # a blank or a quotation mark would end it
    if kept(line) == line and all(kept(word) == word for word in command):
        return tuple(command)
    return tuple(word if kept(word) == word and SAFE_WORD.fullmatch(word) else MARK for word in command)


def read() -> LastRun | None:
    """The run that was kept last; None where there is none, none that this release can read, or one that
    another user may have put there: its command can be run again.
    """
    try:
        number = os.open(
            locations.data_folder() / NAME,
            os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0),
        )
        with os.fdopen(number, encoding="utf-8") as file:
            kept = os.fstat(file.fileno())
            if not system.only_ours(kept):
                return None
            data = json.load(file)
        if data.pop("schema") != SCHEMA:
            return None
        failure = data.pop("failure")
        data["command"] = tuple(data["command"])
        return LastRun(failure=Failure(**failure) if failure else None, **data)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def python_of(entry: str) -> str | None:
    """The Python of the last run, where that failed with this entry's mistake."""
    kept = read()
    same = kept is not None and kept.failure is not None and kept.failure.entry == entry
    return kept.python or None if kept is not None and same else None


def forget() -> None:
    with suppress(OSError):
        (locations.data_folder() / NAME).unlink()
