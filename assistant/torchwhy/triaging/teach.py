"""From an error that no entry explains to the beginning of an entry: its message as the first wording."""

from __future__ import annotations

import re
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.knowledge.files import ASKS_FILES
from torchwhy.paste.parse import parse
from torchwhy.text.plain import escaped

from .parts import Folder
from .summary import fingerprint_text

MAX_PATTERN_CHARS = 240
BLOCK = re.compile(r"^signatures:\n.*?(?=^\S)", re.MULTILINE | re.DOTALL)  # of the template
# What the template says of its own error, which must not pass as this one's: `kb check` asks for each anew.
TEXTS = re.compile(r"^(title|cause|fix|check):\n(?:(?: +.*)?\n)+", re.MULTILINE)
NO_TEXT = r"\1:\n  en: ''\n  zh: ''\n"
SPECIAL = re.compile(r"([\\.+*?()|\[\]{}^$])")
VARYING = re.compile(r"0x[0-9a-fA-F]+|(?:[A-Za-z]:)?(?:[\\/][\w.@%+~-]+){2,}|\d+(?:\.\d+)?|<redacted>")


def message_of(folder: Folder, fingerprint: str) -> str:
    """The leading error of a fingerprint, in one line. Raises UsageError where the folder has none."""
    text = fingerprint_text(folder, fingerprint)
    if text is None:
        raise UsageError(f"{escaped(fingerprint)}: no such error, or several, in {escaped(folder.path)}")
    root = parse(text).root
    if root is None:
        return text.strip().partition("\n")[0]
    first = root.message.partition("\n")[0]
    return f"{root.name}: {first}" if root.exception else first


def pattern_of(message: str) -> str:
    """An RE2 pattern of a message: what varies (numbers, paths, addresses) fits anything of its kind."""
    text = re.sub(r"^[A-Z]\w*: ", "", message)[:MAX_PATTERN_CHARS].rstrip()
    parts, at = [], 0
    for found in VARYING.finditer(text):
        number = found[0][0].isdigit() and not found[0].startswith("0x")
        parts += [SPECIAL.sub(r"\\\1", text[at : found.start()]), r"[\d.]+" if number else r"\S+"]
        at = found.end()
    return "".join([*parts, SPECIAL.sub(r"\\\1", text[at:])])


def prefill(entry: Path, message: str) -> None:
    """Put a message into a new entry as its only wording, and leave the template's texts out.

    Raises UsageError where it cannot be written.
    """
    file = entry / "pitfall.yaml"
    wording = f"signatures:\n  - pattern: {_quoted(pattern_of(message))}\n    example: {_quoted(message)}\n\n"
    try:
        text = file.read_text("utf-8")
        text = TEXTS.sub(NO_TEXT, BLOCK.sub(lambda _: wording, text, count=1))
        file.write_text(text, "utf-8")
        for name in ASKS_FILES.values():
            (entry / name).write_text("", "utf-8")
    except OSError as error:
        raise UsageError(f"{escaped(file)}: cannot be written ({error.strerror})") from error


def _quoted(text: str) -> str:
    """A text as YAML's single-quoted scalar."""
    return "'" + text.replace("'", "''") + "'"
