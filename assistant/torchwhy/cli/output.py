"""Writing to standard output: rich on a terminal, plain in a pipe, a pager for long pages."""

from __future__ import annotations

import json
import os
import sys

from torchwhy.answers.terminal import encodable as encodable_here
from torchwhy.answers.terminal import on_terminal, print_markdown, print_screen, width
from torchwhy.errors import UsageError
from torchwhy.text.plain import LEFT_BY_JSON, escaped

__all__ = [
    "encodable_here",
    "json_text",
    "on_terminal",
    "print_json",
    "print_markdown",
    "print_rows",
    "print_screen",
    "tell",
    "width",
    "write_file",
]


def tell(text: object) -> None:
    """A message on standard error: its lines as they are, but nothing in them that acts on a terminal."""
    lines = "\n".join(escaped(line) for line in f"torchwhy: {text}".split("\n"))
    print(lines, file=sys.stderr, flush=True)


def write_file(path: str, text: str) -> None:
    """A file that the user named, for this user alone. Raises UsageError where it cannot be written."""
    from torchwhy.runtime.plain_files import write_private

    try:
        write_private(path, text)
    except OSError as error:
        raise UsageError(f"{escaped(path)}: cannot be written ({error.strerror})") from error


def print_json(data: object) -> None:
    sys.stdout.write(encodable_here(json_text(data)) + "\n")


def json_text(data: object) -> str:
    """JSON in which no character acts or hides: those that `json` leaves as they are (C1's, of the direction
    of text, of no width) are escaped as well, which every reader of JSON takes for the same text.
    """
    return LEFT_BY_JSON.sub(
        lambda found: json.dumps(found[0])[1:-1], json.dumps(data, ensure_ascii=False, indent=2)
    )


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
        # what one needs to type and short words are never cut; the last column takes what is left
        least = max(cell_len(row[at]) for row in rows) if at < len(rows[0]) - 1 else None
        table.add_column(no_wrap=True, overflow="ellipsis", style="bold" if at == 0 else "", min_width=least)
    for row in rows:
        table.add_row(*row)
    if page and len(rows) > console.height:
        os.environ.setdefault("LESS", "-FRX")
        with console.pager(styles=not console.no_color):
            console.print(table)
    else:
        console.print(table)
