"""Reading one file of a knowledge base, whatever stands at its place."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.runtime.plain_files import open_plain
from torchwhy.text.language import LANGS
from torchwhy.text.plain import escaped

# How users put an entry's mistake, beside its pitfall.yaml: a question a line, for the ranking, never shown
ASKS_FILES = {lang: f"asks.{lang}.txt" for lang in LANGS}
# What stands beside the entries of a knowledge base
QUESTIONS_FILES = {lang: f"questions.{lang}.jsonl" for lang in LANGS}  # how people asked, each with its entry
FAMILIES_FOLDER = "_families"
WITNESS_FILE = "witness.json"
SCHEMA_FILE = "pitfall.schema.json"  # which keys an entry has, for the loader and for editors
ROWS_FILE = "rows.json"  # beside an entry: what its messages name by number or kind
EDIT_FILE = "edit.py"  # beside an entry: the functions that its edits name
LANGUAGES_FILE = "languages.yaml"  # [en] or [zh]: of a base whose texts stand in one language
MAX_FILE_BYTES = 1 << 20  # the longest shipped entry has some 20 KB
KINDS_OF_FILE = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class UnreadableFileError(OSError):
    """A file that is not read. `found` and `wanted` say why, as a Problem does."""

    def __init__(self, found: str, wanted: str) -> None:
        super().__init__(f"found {found}; wanted {wanted}")
        self.found, self.wanted = found, wanted


def read_text(path: Path) -> str:
    """The text of a regular file of at most MAX_FILE_BYTES. Never blocks, as a FIFO or a device would.

    Raises FileNotFoundError, and UnreadableFileError for whatever else stops it.
    """
    try:
        return read_bytes(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except ValueError as error:
        raise UnreadableFileError(str(error), "a readable UTF-8 file") from error


def read_script(path: str) -> str:
    """The text of an entry's script, for whoever reads it: knowledge is compiled once, and another file may
    stand there by now. Raises UsageError.
    """
    try:
        return read_text(Path(path))
    except OSError as error:
        raise UsageError(f"{escaped(path)} cannot be read: {error.strerror or error}") from error


def read_bytes(path: Path) -> bytes:
    """As `read_text`, undecoded."""
    try:
        _refuse_irregular(os.stat(path))
        with open_plain(path) as file:
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise _too_large(len(content))
        return content
    except (FileNotFoundError, UnreadableFileError):
        raise
    except (OSError, ValueError) as error:
        raise UnreadableFileError(str(error), "a readable UTF-8 file") from error


def _refuse_irregular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for test, name in KINDS_OF_FILE if test(status.st_mode)), "no regular file")
        raise UnreadableFileError(kind, "a regular file")
    if status.st_size > MAX_FILE_BYTES:
        raise _too_large(status.st_size)


def _too_large(size: int) -> UnreadableFileError:
    return UnreadableFileError(f"{size:,} bytes or more", f"a file of at most {MAX_FILE_BYTES:,} bytes")
