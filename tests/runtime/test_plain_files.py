"""Files that look like plain ones and would be waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import Run
from torchwhy.agents.pages import text_of
from torchwhy.errors import UsageError
from torchwhy.knowledge.files import UnreadableFileError, read_text
from torchwhy.paste.place import UserFrame
from torchwhy.runtime import plain_files
from torchwhy.runtime.plain_files import open_plain, write_private
from torchwhy.source.own_file import read_source

pytestmark = pytest.mark.promise(1)

KMSG = Path(
    "/proc/kmsg"
)  # the kernel's messages: for root a plain file of no bytes, which waits for the next


def test_a_plain_file_alone_is_opened(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"a\nb")
    (tmp_path / "link").symlink_to("plain")
    for name in ("plain", "link"):
        with open_plain(tmp_path / name) as buffered, open_plain(tmp_path / name, buffered=False) as raw:
            assert (list(buffered), raw.read(2), raw.read()) == ([b"a\n", b"b"], b"a\n", b"b")
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path, tmp_path / "pipe", Path("/dev/zero"), tmp_path / "gone"):
        with pytest.raises(OSError, match=r"regular|No such"):
            open_plain(name)


def test_what_gives_nothing_for_now_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a pipe does to whom it looks like a plain file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(plain_files, "_refuse_irregular", lambda *given: None)
    held = os.open(pipe, os.O_RDWR)
    try:
        with open_plain(pipe, buffered=False) as raw:
            for read in (raw.read, lambda: raw.read(5), raw.readall, lambda: raw.readinto(bytearray(5))):  # type: ignore[attr-defined]
                with pytest.raises(BlockingIOError):
                    read()
        with open_plain(pipe) as buffered:
            for read in (buffered.read, lambda: buffered.read(5), buffered.readline):
                with pytest.raises(BlockingIOError):
                    read()
    finally:
        os.close(held)


@pytest.mark.skipif(not os.access(KMSG, os.R_OK), reason="only root reads what waits so")
def test_a_link_to_what_waits_holds_nothing_up(tmp_path: Path, torchwhy: Run) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("x.py", "x.ipynb", "x.log", "x.log.gz", "x.tar", "x.jsonl"):
        (folder / name).symlink_to(KMSG)
    (folder / "good.log").write_text("Traceback (most recent call last):\nRuntimeError: no\n")
    out = str(tmp_path / "out")
    for words, said in (
        (["check"], "not checked"),
        (["triage", "--out", out], "it waits for what is to come"),
    ):
        done = torchwhy(*words, str(folder), timeout=120)
        assert done.returncode == 0 and said in done.stdout + done.stderr
    assert read_source(UserFrame(str(folder / "x.py"), 1, "x = 1", "f")) is None
    with pytest.raises(UsageError, match="it waits for what is to come"):
        text_of("", str(KMSG))
    with pytest.raises(UnreadableFileError):
        read_text(KMSG)


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="No such device"):
        write_private(tmp_path / "pipe", "text")
    write_private(tmp_path / "file", "text")
    assert (tmp_path / "file").read_text() == "text"
