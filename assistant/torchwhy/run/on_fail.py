"""`run --on-fail CMD`: a command that hears of a run that failed, as JSON on its standard input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from torchwhy.answers.answer import Answer
from torchwhy.answers.screen_lines import screen_lines
from torchwhy.answers.telling import Tell, teller
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.exits import told_to_others
from torchwhy.text.plain import plain

from .last import without_secrets

TIMEOUT_S = 10
COLUMNS = 100  # of the first screen in `text`
MAX_REASON_CHARS = 200
# Fields whose values are torchwhy's own names, in an answer of any text
NAMES = frozenset(
    [
        "id",
        "lang",
        "category",
        "kind",
        "effect",
        "degree",
        "confirm",
        "page",
        "url",
        "since",
        "speaks",
        "role",
    ]
)


def told_answer(
    answer: Answer, data: JSONObject, under: Sequence[tuple[str, str]], *, full: bool = False
) -> JSONObject:
    """What others may hear of the answer, whose JSON is `data`: that, and its first screen as `text`.

    Words that torchwhy does not know become `...`, as in a report; with `full` only secrets go.
    """
    tell = teller(answer, full=full)
    text = "\n".join(line.text for line in screen_lines(answer, COLUMNS, under, clean=tell)).strip()
    return {**_told(data, tell), "text": text}


def told_status(data: JSONObject, words: str) -> JSONObject:
    """The same of a run that has no answer: its status in words, without secrets."""

    def tell(text: str) -> str:
        return told_to_others(text, None)

    return {**_told(data, tell), "text": tell(words)}


def _told(data: JSONObject, tell: Tell) -> JSONObject:
    command = [tell(word) for word in without_secrets(data["command"])]
    return {**{name: _part(value, name, tell) for name, value in data.items()}, "command": command}


def _part(value: Any, name: str, tell: Tell) -> Any:
    if isinstance(value, str):
        return value if name in NAMES else tell(value)
    if isinstance(value, list | tuple):
        return [_part(each, name, tell) for each in value]
    if isinstance(value, dict):
        return {key: _part(each, key, tell) for key, each in value.items()}
    return value


def call(command: str, told: JSONObject) -> str | None:
    """Run the shell's command with this on its standard input; None, or in a line what went wrong."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as errors:
        given.write(json.dumps(told, ensure_ascii=False, default=str).encode())
        given.seek(0)
        # files and no pipes: what the command leaves running cannot keep torchwhy waiting
        process = subprocess.Popen(  # noqa: S602 (the user's own command line)
            command, shell=True, stdin=given, stdout=sys.stderr, stderr=errors, start_new_session=True
        )
        try:
            status = process.wait(TIMEOUT_S)
        except BaseException as error:
            _end(process)
            if isinstance(error, subprocess.TimeoutExpired):
                return f"--on-fail: ended after {TIMEOUT_S} s"
            raise
        if not status:
            return None
        errors.seek(0)
        said = " ".join(plain(errors.read(1 << 16).decode(errors="replace")).split())[-MAX_REASON_CHARS:]
        return f"--on-fail: exit status {status}" + (f": {said}" if said else "")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command with all that it started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
