"""Writing an answer to a stream: drawn on a terminal, where no Markdown is ever shown as it is written; plain
in a pipe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from .screen_lines import ScreenLine

MARKDOWN_WIDTH = 100
PIPE_WIDTH = 80  # of a first screen that no terminal shows
TERMS_WITHOUT_LINKS = frozenset(["dumb", "linux", "vt100", "vt220"])  # they may print the address itself


def on_terminal(stream: TextIO | None = None) -> bool:
    """Whether the stream (standard output) is a terminal that takes colours and links."""
    return (stream or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


def width(stream: TextIO | None = None) -> int:
    """Columns of the terminal (COLUMNS is honoured); 80 in a pipe, and where a terminal tells none."""
    if not on_terminal(stream):
        return PIPE_WIDTH
    import shutil

    return shutil.get_terminal_size((PIPE_WIDTH, 24)).columns


def encodable(text: str, stream: TextIO | None = None) -> str:
    """The text in characters that the stream (standard output) can show."""
    encoding = (stream or sys.stdout).encoding or "utf-8"
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return text.encode(encoding, "replace").decode(encoding)


def print_markdown(text: str, *, page: bool = False) -> None:
    """Print Markdown: drawn on a terminal (NO_COLOR and the width are honoured), as it is in a pipe."""
    if not sys.stdout.isatty():
        sys.stdout.write(encodable(text))
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, MARKDOWN_WIDTH)
    drawn = _drawn(text, "ansi_dark" if not console.no_color else "bw")
    if page and text.count("\n") > console.height:
        os.environ.setdefault("LESS", "-FRX")
        with console.pager(styles=not console.no_color):
            console.print(drawn)
    else:
        console.print(drawn)


def plain_markdown(text: str) -> str:
    """Markdown drawn for a terminal without colours, by whoever passes text on to one."""
    from io import StringIO

    from rich.console import Console

    file = StringIO()
    Console(file=file, width=PIPE_WIDTH, highlight=False, markup=False, emoji=False).print(_drawn(text, "bw"))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def _drawn(text: str, theme: str) -> object:
    from rich.markdown import Markdown

    from torchwhy.text import cjk

    cjk.patch_rich_wrapping()
    return Markdown(cjk.joined(text), code_theme=theme, hyperlinks=True)


def print_screen(lines: Sequence[ScreenLine], stream: TextIO | None = None) -> None:
    """Print lines: in colours, with links to files and pages, on a terminal; plain in a pipe."""
    from .screen_lines import STYLES

    stream = stream or sys.stdout
    drawn, plain = on_terminal(stream), "NO_COLOR" in os.environ
    for line in lines:
        text = encodable(line.text, stream)
        if drawn:
            style = "" if plain else STYLES[line.style][0]
            text = _linked(f"\x1b[{style}m{text}\x1b[0m" if style else text, line.link, line.page, line.at)
        stream.write(f"{text}\n")


def _linked(text: str, file: str, page: str = "", line: int = 0) -> str:
    """The text as a terminal's link (OSC 8) to a page of the site, or to a line of a file that lies here."""
    from torchwhy.paste.place import is_far

    if os.environ.get("TERM") in TERMS_WITHOUT_LINKS:
        return text
    if page:
        address = page
    elif not file or is_far(file) or not os.path.isfile(file):
        return text
    else:
        address = _address(os.path.abspath(file), line)
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"


def _address(path: str, line: int) -> str:
    """A file's address with the line, as the terminal or the editor of the settings opens it."""
    import socket
    from urllib.parse import quote

    from torchwhy.runtime.settings import LINKS

    if LINKS.read() == "vscode":
        return f"vscode://file{quote(path)}" + (f":{line}" if line else "")
    return f"file://{socket.gethostname()}{quote(path)}" + (f"#L{line}" if line else "")
