"""A finding, and the comments by which a line is left alone."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass

from torchwhy.source.rewrite import Edit

IGNORE = re.compile(r"#\s*torchwhy:\s*ignore(?:\[([\w\-, ]*)\])?(.*)")


@dataclass(frozen=True, slots=True)
class Finding:
    """One reported place. `line`, `column` count from 1; `sure` is wrong or look; `message` and `fix` by
    language; `text` is the line; `cell` the notebook's cell (from 1), whose lines are counted; `raises`
    whether it can be what an error came from.
    """

    id: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    sure: str
    message: Mapping[str, str]
    fix: Mapping[str, str]
    text: str
    cell: int | None = None
    edit: Edit | None = None
    raises: bool = True

    def as_json(self, lang: str = "en") -> dict[str, object]:
        """The finding as `--format json` prints it."""
        data: dict[str, object] = {
            "id": self.id,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "sure": self.sure,
            "message": self.message[lang],
            "fix": self.fix[lang],
        }
        return data if self.cell is None else {**data, "cell": self.cell}


def ignored(text: str) -> dict[int, frozenset[str]]:
    """{line: ids} of the comments `# torchwhy: ignore[ID] reason`; an empty set ignores every id.

    A comment on a line of its own counts for the next line as well.
    """
    if "torchwhy:" not in text:
        return {}
    found: dict[int, frozenset[str]] = {}
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return {}
    for token in tokens:
        match = IGNORE.match(token.string) if token.type == tokenize.COMMENT else None
        if match:
            ids = frozenset(name.strip() for name in (match[1] or "").split(",") if name.strip())
            found[token.start[0]] = ids
            if not token.line[: token.start[1]].strip():
                found[token.start[0] + 1] = ids
    return found
