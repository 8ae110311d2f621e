"""Good runs of the same job: an error that they print as well is none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Found, Paste
from torchwhy.paste.reading import read_text
from torchwhy.text.plain import escaped

from .bounded import bounded
from .fingerprint import normalised
from .parts import cannot_write
from .sources import find, holds_many, logs_in, opened

NAME = "baseline.txt"  # in the folder of a triage, so that every worker and a later run know it
MARK_BYTES = 8


def learn(path: str, folder: Path) -> int:
    """Keep what the logs of good runs print; of how many logs. Raises UsageError where there is none, and for
    one that cannot be read.
    """
    marks: set[str] = set()
    logs = 0
    for text in _texts(path):
        logs += 1
        paste = parse(text)
        marks.update(map(_mark, paste.lines), (_mark(_first_line(each)) for each in paste.errors))
    if not logs:
        raise UsageError(f"--baseline {escaped(path)}: no log there")
    try:
        (folder / NAME).write_text("\n".join(sorted(marks)), "ascii")
        (folder / NAME).chmod(0o600)
    except OSError as error:
        raise cannot_write(error) from error
    read_marks.cache_clear()
    return logs


def _texts(path: str) -> Iterator[str]:
    def missing(name: str, why: str) -> None:
        raise UsageError(f"--baseline {escaped(name)}: {escaped(why)}")

    for source in find([path], missing):
        try:
            with bounded(source.size):
                if holds_many(source.path):
                    for log in logs_in(source.path):
                        yield read_text(log.stream)
                else:
                    with opened(source.path) as stream:
                        yield read_text(stream)
        except (OSError, EOFError) as error:
            missing(source.path, str(error))


@lru_cache(maxsize=1)
def read_marks(folder: str) -> frozenset[str]:
    """What good runs print, as `learn` kept it; nothing where nobody named one."""
    try:
        return frozenset((Path(folder) / NAME).read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()


def is_good(line: str, marks: frozenset[str]) -> bool:
    """Whether good runs print this line too, whatever numbers and paths stand in it."""
    return bool(marks) and _mark(line) in marks


def without_good(paste: Paste, marks: frozenset[str]) -> Paste:
    """The paste read anew without the errors of good runs."""
    good = [each for each in paste.errors if is_good(_first_line(each), marks)]
    if not good:
        return paste
    lines = list(paste.lines)
    for each in good:
        lines[each.start : each.end] = [""] * (each.end - each.start)
    return parse("\n".join(lines))


def _first_line(error: Found) -> str:
    message = error.message.partition("\n")[0]
    return f"{error.exception}: {message}" if error.exception else message


def _mark(line: str) -> str:
    return hashlib.blake2b(
        normalised(line.strip()).encode("utf-8", "replace"), digest_size=MARK_BYTES
    ).hexdigest()
