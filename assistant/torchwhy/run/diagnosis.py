"""What is said of a run that failed: the text to look up, and the sections that join the answer's own."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from torchwhy.answers.answer import Answer, Section
from torchwhy.answers.sections import answer_sections
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Frame, Paste
from torchwhy.runtime.json_types import JSONObject
from torchwhy.runtime.system import signals
from torchwhy.text.markup import span
from torchwhy.text.phrases import phrase

from . import crashes, endings
from .frame_record import FrameRecord, frame_section
from .last import Failure, failure_of
from .passing import CommandEnd

FORWARD = "Traceback of forward call that caused the error"
ASYNCHRONOUS = re.compile(
    r"CUDA kernel errors might be asynchronously|device-side assert|illegal memory access"
)
ANOMALY_HELPS = ("inplace-modified-variable", "nan-in-backward")
BY_HAND = ("KeyboardInterrupt",)
NATIVE = signals("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")


@dataclass(frozen=True, slots=True)
class FailedRun:
    """What a run left: how it ended, what it printed and what its programs wrote down.

    `text` is what to look up; `killed`: what counted a kill for memory.
    """

    ended: CommandEnd
    command: tuple[str, ...]
    records: tuple[JSONObject, ...]
    text: str
    paste: Paste
    killed: str = ""

    @property
    def frame(self) -> FrameRecord | None:
        return crashes.find_frame(self.records, self.paste)

    @property
    def python(self) -> str:
        """The Python of the program that failed; "" where it left no record."""
        return crashes.find_python(self.records, self.paste)

    @property
    def by_hand(self) -> bool:
        """Whether Ctrl-C ended it and nothing else is told: no failure."""
        errors = [error for error in self.paste.errors if error.role in ("root", "wrapper")]
        return (
            self.ended.interrupted
            and endings.signal_of(self.ended.status) in (0, signal.SIGINT)
            and all(error.name in BY_HAND or "SIGINT" in error.message for error in errors)
        )


def failed_run(ended: CommandEnd, command: Sequence[str], folder: str, killed: str = "") -> FailedRun:
    """Read what the run's programs wrote into `folder`, and add to the text what nobody printed."""
    records = crashes.read_records(folder)
    text = ended.text
    paste = parse(text)
    has_root = any(error.role == "root" for error in paste.errors)
    more = []
    if not has_root:
        more.append(crashes.text_of(records))
        words = endings.shell_words(ended.status)
        if words and words.partition(" (")[0] not in text:
            more.append(words)
    added = "\n".join(part for part in more if part)
    if added:
        text = f"{text.rstrip()}\n{added}\n" if text.strip() else f"{added}\n"
        paste = parse(text)
    return FailedRun(ended, tuple(command), tuple(records), text, paste, killed)


def run_sections(failed: FailedRun, answer: Answer, before: Failure | None) -> tuple[Section, ...]:
    """The answer's sections with the run's own behind its title; before: the failure of the last such run."""
    lang = answer.lang
    title, *rest = answer_sections(answer)
    if answer.match is None and not any(error.exception for error in failed.paste.errors):
        rest = []  # nothing but a word such as "Killed": what is nearest to that is chance
    found = run_notes(failed, answer, before)
    if failed.frame is not None:
        found.insert(before is not None, frame_section(failed.frame, lang))
    return (title, *found, *rest)


def run_notes(failed: FailedRun, answer: Answer, before: Failure | None) -> list[Section]:
    """What the run tells besides the user's line: what changed since the last one, how it ended, how the
    forward pass came by it, the switch that would tell more.
    """
    lang, number = answer.lang, endings.signal_of(failed.ended.status)
    notes = []
    if before is not None:
        since = failure_of(answer, failed.frame).since(before)
        notes.append(Section("since", "", phrase(f"run_since_{since}", lang, what=span(before.words()))))
    if number == getattr(signal, "SIGKILL", 9) and failed.killed:
        notes.append(Section("killed", "", phrase("run_killed_memory", lang, source=span(failed.killed))))
    elif number == getattr(signal, "SIGKILL", 9):
        notes.append(Section("killed", "", phrase("run_killed_unknown", lang)))
    elif number in NATIVE and "Fatal Python error" not in failed.text:
        # faulthandler is the user's to switch on: with it a burst of handled signals can end a program
        notes.append(Section("native", "", phrase("run_try_faulthandler", lang)))
    forward = _forward_line(failed.text)
    if forward is not None:
        place, code = span(f"{forward.file}:{forward.line}"), span(forward.code or "?")
        notes.append(Section("forward", "", phrase("run_forward_line", lang, place=place, code=code)))
    if answer.match is not None and answer.match.id in ANOMALY_HELPS and FORWARD not in failed.text:
        notes.append(Section("again", "", phrase("run_try_anomaly", lang)))
    elif ASYNCHRONOUS.search(failed.text) and "CUDA_LAUNCH_BLOCKING=1" not in failed.command:
        notes.append(Section("again", "", phrase("run_try_blocking", lang)))
    return notes


def has_nothing(failed: FailedRun) -> bool:
    """Whether there is no error to speak of: only a status."""
    told = any(error.role in ("root", "wrapper", "cascade") for error in failed.paste.errors)
    return not (told or failed.killed)


def _forward_line(text: str) -> Frame | None:
    """The line of the forward pass that anomaly mode printed."""
    _, _, behind = text.partition(FORWARD)
    block = behind.partition("\n")[2].partition("(Triggered")[0]
    told = parse(f"Traceback (most recent call last):\n{block}\nRuntimeError: -\n").errors
    return next((error.user_frame for error in told if error.user_frame), None)
