"""How a line of the user's is called."""

from __future__ import annotations

from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.phrases import phrase

# What IPython calls a cell in a traceback, by release.
CELL = lazy_compile(r"(?:Cell In|Input In )\[(\d+)\]|<ipython-input-(\d+)-\w+>")


def place_words(file: str, line: int | None, lang: str) -> str:
    """`train.py:12`, or `Cell 4, line 2` for a notebook's cell."""
    cell = CELL.fullmatch(file)
    if cell is None:
        return f"{file}:{line}" if line else file
    number = cell[1] or cell[2]
    if not line:
        return phrase("screen_cell", lang, cell=number)
    return phrase("screen_cell_line", lang, cell=number, line=str(line))
