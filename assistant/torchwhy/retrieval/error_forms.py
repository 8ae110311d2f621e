"""Lines that an entry declares as none of its own (`neighbours`): a text whose leading error is such a line
is not answered by that entry, however near its words are. Numbers do not count: another shard, or none, is
the same line.
"""

from __future__ import annotations

from torchwhy.knowledge.literals import squeezed
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Paste
from torchwhy.text.lazy_re import lazy_compile

_NUMBER = lazy_compile(r"\b0x[0-9a-f]+\b|\d+(?:[.,]\d+)*")


def forms_of(paste: Paste) -> tuple[str, ...]:
    """The forms under which a text is looked for among the neighbours' lines: its leading error with the
    exception's name and without, or all of it where it holds no error.
    """
    root = paste.root
    if root is None:
        return (_form(paste.distilled),)
    bare = _form(root.message)
    return (f"{_form(root.name)}: {bare}", bare) if root.exception else (bare,)


def form_of_line(line: str) -> str:
    """The one form under which a neighbour's line is kept."""
    return forms_of(parse(line))[0]


def _form(text: str) -> str:
    return squeezed(_NUMBER.sub(" ", text.lower()))
