"""What a user says, sentence by sentence; a line of code is something done."""

from __future__ import annotations

import re

from .polarity import Read, Statement

MAX_CLAUSES, MAX_CLAUSE_CHARS, MIN_CLAUSE_CHARS = 8, 300, 2
MAX_HEARD_CHARS = 70
_END = re.compile(r"(?<=[.!;?])\s+|(?<=[。！；？])\s*|\n+")
_CODE = re.compile(
    r"^\s*(?:(?:with|for|if|def|class|while)\b.*:"
    r"|(?:import|from) [\w.]+(?: import [\w, ]+)?"
    r"|[\w.\[\]]+\s*[-+*/]?=\s*(?:[^=\s]+|[^=].*[)\]}])"
    r"|[\w.]+\(.*\))\s*(?:#.*)?$"
)
DONE = Read("done", 1.0)


def clauses(text: str) -> list[tuple[str, Read | None]]:
    """The sentences of a text; of what is a line of code, how it is read."""
    parts = [part.strip().rstrip(".。!！;；") for part in _END.split(text)]
    return [
        (part[:MAX_CLAUSE_CHARS], DONE if _CODE.match(part) else None)
        for part in parts
        if len(part) >= MIN_CLAUSE_CHARS
    ][:MAX_CLAUSES]


def shortened(statement: Statement) -> str:
    """The sentence, on one line."""
    text = " ".join(statement.text.split())
    return text if len(text) <= MAX_HEARD_CHARS else text[: MAX_HEARD_CHARS - 1].rstrip() + "…"
