"""Writing to standard output: rich on a terminal, plain in a pipe, a pager for long pages."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.answers.screen_lines import Line

from assistant.text.plain import LEFT_BY_JSON, escaped

MARKDOWN_WIDTH = 100
PIPE_WIDTH = 80  # of a first screen that no terminal shows
TERMS_WITHOUT_LINKS = frozenset(["dumb", "linux", "vt100", "vt220"])  # they may print the address itself


def tell(text: object) -> None:
    """A message on standard error: its lines as they are, but nothing in them that acts on a terminal."""
    lines = "\n".join(escaped(line) for line in f"torchwhy: {text}".split("\n"))
    print(lines, file=sys.stderr, flush=True)


def on_terminal() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def print_json(data: object) -> None:
    sys.stdout.write(encodable_here(json_text(data)) + "\n")


def json_text(data: object) -> str:
    """JSON in which no character acts or hides: those that `json` leaves as they are (C1's, of the direction
    of text, of no width) are escaped as well, which every reader of JSON takes for the same text.
    """
    return LEFT_BY_JSON.sub(
        lambda found: json.dumps(found[0])[1:-1], json.dumps(data, ensure_ascii=False, indent=2)
    )


def print_markdown(text: str, *, page: bool = False) -> None:
    """Print Markdown: drawn on a terminal (NO_COLOR and the width are honoured), as it is in a pipe."""
    if not on_terminal():
        sys.stdout.write(encodable_here(text))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    from assistant.text import cjk

    cjk.patch_rich_wrapping()
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, MARKDOWN_WIDTH)
    drawn = Markdown(
        cjk.joined(text), code_theme="ansi_dark" if not console.no_color else "bw", hyperlinks=True
    )
    if page and text.count("\n") > console.height:
        os.environ.setdefault("LESS", "-FRX")
        with console.pager(styles=not console.no_color):
            console.print(drawn)
    else:
        console.print(drawn)


def print_screen(lines: Sequence[Line]) -> None:
    """Print lines: in colours, with links to files and pages, on a terminal; plain in a pipe."""
    if not on_terminal():
        sys.stdout.write(encodable_here("".join(f"{line.text}\n" for line in lines)))
        return
    colours = {"where": "1", "message": "31", "before": "31", "after": "32", "label": "1", "dim": "2"}
    plain = "NO_COLOR" in os.environ
    for line in lines:
        text = encodable_here(line.text)
        style = "" if plain else colours.get(line.style, "")
        text = f"\x1b[{style}m{text}\x1b[0m" if style else text
        sys.stdout.write(f"{_linked(text, line.link, line.page)}\n")


def _linked(text: str, file: str, page: str = "") -> str:
    """The text as a terminal's link (OSC 8) to a page of the site, or to a file that lies here."""
    from assistant.paste.place import is_far

    if os.environ.get("TERM") in TERMS_WITHOUT_LINKS:
        return text
    if page:
        address = page
    elif not file or is_far(file) or not os.path.isfile(file):
        return text
    else:
        import socket
        from urllib.parse import quote

        address = f"file://{socket.gethostname()}{quote(os.path.abspath(file))}"
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"


def width() -> int:
    """Columns of the terminal (COLUMNS is honoured); 80 in a pipe, and where a terminal tells none."""
    return shutil.get_terminal_size((PIPE_WIDTH, 24)).columns if on_terminal() else PIPE_WIDTH


def print_rows(rows: list[list[str]], *, page: bool = False) -> None:
    """Rows of text in aligned columns on a terminal, tab-separated in a pipe; the last column is cut to the
    width.
    """
    if not on_terminal():
        sys.stdout.write(encodable_here("".join("\t".join(row) + "\n" for row in rows)))
        return
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    for at in range(len(rows[0]) if rows else 0):
        # the first column is what one needs to type, so it is never cut; the last takes what is left
        least = max(cell_len(row[0]) for row in rows) if at == 0 else None
        table.add_column(no_wrap=True, overflow="ellipsis", style="bold" if at == 0 else "", min_width=least)
    for row in rows:
        table.add_row(*row)
    if page and len(rows) > console.height:
        os.environ.setdefault("LESS", "-FRX")
        with console.pager(styles=not console.no_color):
            console.print(table)
    else:
        console.print(table)


def encodable_here(text: str) -> str:
    """The text in characters that standard output can show."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return text.encode(encoding, "replace").decode(encoding)
