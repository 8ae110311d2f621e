"""Writing to standard output: rich on a terminal, plain in a pipe, a pager for long pages."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

MARKDOWN_WIDTH = 100


def on_terminal() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def print_json(data: Any) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    sys.stdout.write(_encodable(text) + "\n")


def print_markdown(text: str, *, page: bool = False) -> None:
    """Print Markdown: drawn on a terminal (NO_COLOR and the width are honoured), as it is in a pipe."""
    if not on_terminal():
        sys.stdout.write(_encodable(text))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    from . import wrapping

    wrapping.install()
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, MARKDOWN_WIDTH)
    drawn = Markdown(wrapping.joined(text), code_theme="ansi_dark" if not console.no_color else "bw", hyperlinks=True)
    if page and text.count("\n") > console.height:
        os.environ.setdefault("LESS", "-FRX")
        with console.pager(styles=not console.no_color):
            console.print(drawn)
    else:
        console.print(drawn)


def print_rows(rows: list[list[str]], *, page: bool = False) -> None:
    """Rows of text in aligned columns on a terminal, tab-separated in a pipe; the last column is cut to the width."""
    if not on_terminal():
        sys.stdout.write(_encodable("".join("\t".join(row) + "\n" for row in rows)))
        return
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    for at in range(len(rows[0]) if rows else 0):
        table.add_column(no_wrap=True, overflow="ellipsis", style="bold" if at == 0 else "")
    for row in rows:
        table.add_row(*row)
    if page and len(rows) > console.height:
        os.environ.setdefault("LESS", "-FRX")
        with console.pager(styles=not console.no_color):
            console.print(table)
    else:
        console.print(table)


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return text.encode(encoding, "replace").decode(encoding)
