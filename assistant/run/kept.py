"""What is kept of an output of any length: read beside the run, bounded by `paste.reading`."""

from __future__ import annotations

import io
import queue
import threading
from typing import IO, cast

from assistant.errors import UsageError

MAX_WAITING_CHUNKS = (
    64  # of at most CHUNK_BYTES; a reader that falls behind slows the program, as a terminal does
)
MAX_PARTIAL_BYTES = 1 << 16  # of a line that is not complete yet


class KeptLog:
    """Takes the bytes of several streams as they come and gives one text at the end: the whole of a short
    output, of a long one its beginning, its end and what looks like an error.

    Lines of different streams are not mixed within a line. `close` gives the text.
    """

    def __init__(self) -> None:
        self._chunks: queue.Queue[bytes] = queue.Queue(MAX_WAITING_CHUNKS)
        self._partial: dict[int, bytes] = {}
        self._text = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._started = self._off = False

    def feed(self, stream: int, data: bytes) -> None:
        """Bytes that `stream` (any number) gave."""
        whole = self._partial.pop(stream, b"") + data
        cut = whole.rfind(b"\n") + 1
        if len(whole) - cut > MAX_PARTIAL_BYTES:
            cut = len(whole)
        if whole[cut:]:
            self._partial[stream] = whole[cut:]
        self._put(whole[:cut])

    def _put(self, data: bytes) -> None:
        if not data or self._off:
            return
        if not self._started:
            try:
                self._reader.start()
            except RuntimeError:  # the system has no thread left: the program goes on, and nothing is kept
                self._off = True
                return
            self._started = True
        self._chunks.put(data)

    def _read(self) -> None:
        from assistant.paste.reading import read_text

        stream = _Chunks(self._chunks)
        try:
            self._text = read_text(cast("IO[bytes]", stream))
        except UsageError:  # binary output: nothing in it can be read
            pass
        finally:  # whatever was left unread: a full queue would stop the program
            while stream.read(MAX_PARTIAL_BYTES):
                pass

    def close(self) -> str:
        """The text; nothing may be fed afterwards."""
        for partial in self._partial.values():
            self._put(partial if partial.endswith(b"\n") else partial + b"\n")
        self._partial.clear()
        if self._started:
            self._chunks.put(b"")
            self._reader.join()
        return self._text


class _Chunks(io.RawIOBase):
    """A stream over chunks that come through a queue; an empty chunk is its end."""

    def __init__(self, chunks: queue.Queue[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        while not self._rest and not self._ended:
            self._rest = self._chunks.get()
            self._ended = not self._rest
        part, self._rest = (self._rest, b"") if size < 0 else (self._rest[:size], self._rest[size:])
        return part
