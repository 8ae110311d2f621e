"""What a leg shows, and what both legs together prove. Pure functions of output and exit status."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.patterns import compile_pattern
from torchwhy.knowledge.wordings import Wordings
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.plain import plain

from .confirmation import Leg, Verdict
from .process import Finished

CANNOT_RUN = 125  # the exit status of a script that says so, as in `git bisect run`
MAX_REASON_CHARS = 300
MAX_NUMBERS, MAX_DEPTH = 100, 10  # names of what a script measured, and how deep lists lie in lists there

MESSAGE = re.compile(r"^\S*(?:Error|Exception|Exit|Warning|Failed|Unsupported)\b: |: \w*Warning: |Assertion ")


def signature_of(entry: Pitfall, text: str) -> tuple[int, str] | None:
    """The entry's first signature that `text` shows: (its number, the lines around the match).

    A traceback also shows the code that holds the text: of several matches the last in a line that reads as a
    message.
    """
    for wording, matches in Wordings.of([entry]).matches(text):
        lines = _lines_around(text, [(match.start(), match.end()) for match in matches])
        last = next(lines)
        if MESSAGE.search(last):
            return wording.number, last
        return wording.number, next((line for line in lines if MESSAGE.search(line)), last)
    return None


def _lines_around(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The lines around these places, the last first; those that begin in one line are told once: a line of
    half a megabyte may hold thousands.
    """
    begun = len(text) + 1
    for start, end in reversed(spans):
        if start < begun:
            after = text.find("\n", end)
            begun = text.rfind("\n", 0, start) + 1
            yield text[begun : after if after >= 0 else len(text)].strip()


def judge_leg(entry: Pitfall, name: Literal["broken", "fixed"], finished: Finished) -> Leg:
    """What a leg shows, by its output and its exit status together.

    `error`: one of the entry's signatures and a status other than 0 and 125, or death by a signal. `warning`:
    a signature and status 0 or 1. `silent`: its `symptom:` line and status 1. Clean: status 0 and none of
    these. All else is different.
    """
    output = plain(finished.output)
    numbers = last_object(finished.stdout)

    def leg(shows: str, message: str = "", signature: int | None = None, reason: str = "") -> Leg:
        return Leg(
            name, shows, finished.status, finished.seconds, output, message, signature, numbers, reason
        )

    if finished.status is None:
        return leg("timeout" if finished.reason.startswith("still") else "cannot-run", reason=finished.reason)
    if finished.status == CANNOT_RUN:
        lines = [line.strip() for line in plain(finished.stderr).splitlines() if line.strip()]
        why = lines[-1][:MAX_REASON_CHARS] if lines else "the script says that it cannot run here"
        return leg("cannot-run", reason=why)
    symptom = re.search(r"(?m)^symptom: .*$", output)
    own = signature_of(entry, output)
    if entry.kind == "silent":
        if symptom and finished.status == 1 and _is_symptom(entry, symptom[0]):
            return leg("shown", symptom[0])
    elif own and (finished.status != 0 if entry.kind == "error" else finished.status in (0, 1)):
        return leg("shown", own[1], own[0])
    if finished.status == 0 and not symptom and (own is None or entry.kind == "silent"):
        return leg("clean")
    if _never_started(output):
        return leg("unloadable", reason=last_error(output))
    return leg("different", reason=last_error(output) or f"exit status {finished.status}")


def _is_symptom(entry: Pitfall, line: str) -> bool:
    return bool(entry.symptom and compile_pattern(entry.symptom).search(line))


def _never_started(output: str) -> bool:
    """Whether the script failed while it was loaded: a traceback through its module level alone, or a
    SyntaxError.
    """
    functions = re.findall(r'File "[^"\n]*repro\.py", line \d+(?:, in (.+))?', output)
    return bool(functions) and all(name in ("<module>", "") for name in functions)


def last_object(stdout: str) -> JSONObject | None:
    """The JSON object on standard output's last line, if that is one: made harmless, since JSON can write an
    escape code in letters, and of a bounded size and depth.
    """
    lines = stdout.strip().splitlines()
    try:
        value = json.loads(lines[-1]) if lines else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    shown = itertools.islice(value.items(), MAX_NUMBERS)
    return {_one_line(name): _harmless(item, MAX_DEPTH) for name, item in shown}


def _one_line(text: str) -> str:
    return " ".join(plain(text).split())[:MAX_REASON_CHARS]


def _harmless(value: object, depth: int) -> object:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, float) and not math.isfinite(value):  # which JSON does not know
        return str(value)
    if isinstance(value, (list, dict)) and not depth:
        return "..."
    if isinstance(value, list):
        return [_harmless(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {_one_line(name): _harmless(item, depth - 1) for name, item in value.items()}
    return value


def last_error(output: str) -> str:
    """The last line that looks like an error: for a one-line reason."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for line in reversed(lines):
        if re.match(r"[\w.]*(Error|Exception|Exit|Interrupt|Warning|symptom|killed by signal)\b", line):
            return line[:MAX_REASON_CHARS]
    return lines[-1][:MAX_REASON_CHARS] if lines else ""


def judge(legs: tuple[Leg, ...], pasted: int | None) -> tuple[Verdict, str]:
    """The verdict of both legs together, and why."""
    broken = legs[0]
    if broken.shows == "unloadable":
        return "broken-entry", broken.reason
    if broken.shows in ("cannot-run", "timeout"):
        return broken.shows, broken.reason  # type: ignore[return-value]
    if broken.shows == "clean":
        return "not-reproduced", "without the fix it ran through: this torch does not fail this way here"
    if broken.shows == "different":
        return "different-failure", broken.reason
    fixed = legs[1]
    if fixed.shows in ("cannot-run", "timeout"):
        return fixed.shows, f"with the fix: {fixed.reason}"  # type: ignore[return-value]
    if fixed.shows != "clean":
        return "fix-not-shown", f"with the fix it did not run to its end: {fixed.reason or fixed.message}"
    if pasted is not None and pasted == broken.signature:
        return "confirmed", "this machine fails with the message that was pasted, and the fix ends it"
    return "reproduces-here", "this machine fails this way, and the fix ends it"
