"""Pastes of any size and of any bytes, and a terminal that is closed at any moment.

textual reads pastes letter by letter: a megabyte in two seconds, a log in minutes; a byte that is no UTF-8,
as a terminal of another encoding sends, ends the app; and a terminal that is closed while it is written to
ends the thread that writes, for whose queue the app then waits for ever.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread
from textual.events import Paste
from textual.message import Message

START, END = "\x1b[200~", "\x1b[201~"  # what a terminal puts around a paste


class PasteParser(XTermParser):
    """textual's parser of what a terminal sends, with pastes taken in chunks."""

    _pasted: list[str] | None = None  # of the paste that is under way

    def feed(self, data: str) -> Iterable[Message]:
        if not data:
            yield from super().feed(data)
        while data:
            if self._pasted is None:
                # A mark that was cut in two is left to textual, and so is its paste.
                before, start, data = data.partition(START)
                if before:
                    yield from super().feed(before)
                if start:
                    self._pasted = []
                continue
            text, end, data = ((self._pasted.pop() if self._pasted else "") + data).partition(END)
            if not end:
                keep = len(END) - 1  # the mark may have begun
                self._pasted += [text[:-keep], text[-keep:]]
                return
            pasted, self._pasted = "".join([*self._pasted, text]), None
            if pasted:
                yield Paste(pasted.replace("\x00", ""))


class LastingWriterThread(WriterThread):
    """The thread that writes to the terminal. It outlives it: what cannot be written is dropped."""

    def run(self) -> None:
        is_open = True
        while (text := self._queue.get()) is not None:
            if not is_open:
                continue
            try:
                self._file.write(text)
                if self._queue.empty():
                    self._file.flush()
            except (OSError, ValueError):
                is_open = False
        with suppress(OSError, ValueError):
            self._file.flush()


def lenient_decoder(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    """`codecs.getincrementaldecoder`, for decoders that write U+FFFD for what they cannot read."""
    return partial(codecs.getincrementaldecoder(encoding), "replace")


def patch_xterm_parser(driver: type[Driver], parser: type[PasteParser] = PasteParser) -> type[Driver]:
    """Replace the parser, the decoder and the writer in a driver's modules, for the whole process: drivers
    have no setting for them.
    """
    for part in driver.__mro__:
        module = sys.modules[part.__module__]
        uses_it = issubclass(getattr(module, "XTermParser", object), XTermParser)
        if uses_it and module.__name__.startswith("textual.drivers."):
            module.XTermParser = parser  # type: ignore[attr-defined]
            module.getincrementaldecoder = lenient_decoder  # type: ignore[attr-defined]
            if hasattr(module, "WriterThread"):  # a browser has no terminal
                module.WriterThread = LastingWriterThread  # type: ignore[attr-defined]
    return driver
