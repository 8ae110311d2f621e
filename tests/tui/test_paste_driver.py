"""What is pasted arrives as textual would have read it, and at once."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st
from textual._xterm_parser import XTermParser
from textual.drivers.web_driver import WebDriver
from textual.events import Key, MouseEvent, Paste
from textual.message import Message

from torchwhy.tui.paste_driver import END, START, PasteParser, patch_xterm_parser

PIECES = [
    "a",
    "Z",
    "\r",
    "\n",
    " ",
    "中",
    START,
    END,
    "\x1b[A",
    "\x1b[<0;3;4M",
    "\x1b[200",
    "\x1b",
    "\x1b[",
    "[201~",
    "~",
    "\x00",
]


def said(parser: XTermParser, chunks: Iterable[str]) -> list[object]:
    """What comes out, as values that can be compared."""
    out: list[Message] = []
    for chunk in chunks:
        out += parser.feed(chunk)
    return [
        (
            type(event).__name__,
            event.text if isinstance(event, Paste) else event.key if isinstance(event, Key) else "",
        )
        for event in out
    ]


@given(
    st.lists(
        st.tuples(
            st.text(st.sampled_from("ab\r\n中 [~0x\x00"), min_size=1),
            st.sampled_from(["", "k", "\x1b[A", "\x1b[<0;3;4M"]),
        ),
        max_size=5,
    ),
    st.integers(1, 30),
)
@example([("x" * 40, "k")], 7)
def test_as_textual_reads_it(turns: list[tuple[str, str]], size: int) -> None:
    """Pastes and keys in turn, cut anywhere but inside the opening mark (which textual then reads by itself)."""
    chunks: list[str] = []
    for pasted, typed in turns:
        rest = pasted + END + typed
        chunks += [START, *(rest[at : at + size] for at in range(0, len(rest), size))]
    assert said(PasteParser(), chunks) == said(XTermParser(), chunks)


def test_escapes_in_a_paste_are_no_keys() -> None:
    """A log's colours: textual takes the letters of their escapes for keys."""
    log = "\x1b[31mRuntimeError\x1b[0m: \x1b[20 \x1b"
    for size in (1, 3, 100):
        data = log + END
        assert said(
            PasteParser(), [START, *(data[at : at + size] for at in range(0, len(data), size)), "k"]
        ) == [("Paste", log), ("Key", "k")]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_anything_is_read_without_an_error(pieces: list[str]) -> None:
    parser = PasteParser()
    for piece in pieces:
        for event in parser.feed(piece):
            assert isinstance(event, Message | MouseEvent)
    list(parser.tick())


def test_a_big_paste_is_there_at_once() -> None:
    log = "step 1 loss 0.5\n" * (1 << 20)  # 16 MiB
    data = START + log + END
    started = time.process_time()
    events = said(PasteParser(), (data[at : at + 4096] for at in range(0, len(data), 4096)))
    assert time.process_time() - started < 5 and events == [("Paste", log)]


def test_a_driver_is_given_it() -> None:
    import textual.drivers.web_driver as module

    assert patch_xterm_parser(WebDriver) is WebDriver and module.XTermParser is PasteParser


def test_a_byte_of_another_encoding_ends_no_chat() -> None:
    """A log in Latin-1 that is pasted, a key of a terminal that is not in UTF-8."""
    import textual.drivers.web_driver as module

    patch_xterm_parser(WebDriver)
    decode = module.getincrementaldecoder("utf-8")().decode
    told = [
        decode(piece)
        for piece in (b"caf\xe9 \xff", "\u00e9\u4e2d".encode()[:3], "\u4e2d".encode()[1:], b"\x9b")
    ]
    assert "".join(told) == "caf\ufffd \ufffd\u00e9\u4e2d\ufffd"


def test_a_terminal_that_is_closed_holds_no_chat_up() -> None:
    """A connection that is lost while the screen is drawn."""
    import textual.drivers.linux_driver as module

    patch_xterm_parser(module.LinuxDriver)
    reader, writer = os.pipe()
    os.close(reader)
    thread = module.WriterThread(open(writer, "w", encoding="utf-8"))  # noqa: SIM115 (it is closed below)
    thread.start()
    told = threading.Thread(target=lambda: [thread.write("drawn" * 2000) for _ in range(100)], daemon=True)
    told.start()
    told.join(30)
    assert not told.is_alive(), "the app waits for a thread that has ended"
    thread.stop()
    with contextlib.suppress(OSError):
        thread._file.close()
