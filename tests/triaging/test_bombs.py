"""Small files that stand for huge ones cost their own row alone: time and memory are bounded for each."""

from __future__ import annotations

import gzip
import json
import sys
import tarfile
import time
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("zstandard")

import pyarrow as pa
from pyarrow import parquet

from tests.support.logs import FAILED, rows
from torchwhy.triaging import bounded, sources
from torchwhy.triaging.parts import Folder
from torchwhy.triaging.row import Row
from torchwhy.triaging.sources import logs_in
from torchwhy.triaging.summary import unreadable

pytestmark = [
    pytest.mark.promise(1),
    # where the clock interrupts a finalizer or the collector, Python only warns of it
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

MIB = 1 << 20
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded there alone")


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one log that can be read; a file may take 2 s and 256 MiB here, whatever its size."""
    monkeypatch.setattr(bounded, "MIN_SECONDS", 2.0)
    monkeypatch.setattr(bounded, "BYTES_A_SECOND", 1 << 60)
    monkeypatch.setattr(bounded, "MEMORY_BYTES", 256 * MIB)
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "good.log").write_text(FAILED)
    return folder


def read(logs: Path) -> tuple[list[Row], dict[str, str]]:
    """The rows, and why files were not read, by name."""
    out = logs.parent / "out"
    found = rows([str(logs)], out)
    return found, {path.removeprefix(f"{logs}/"): why for path, why in unreadable(Folder(out, make=False))}


def member(name: str, content: bytes, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = len(content), kind
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)


def test_what_unpacks_without_end(logs: Path) -> None:
    with open(logs / "a.log.gz", "wb") as file:
        file.write(gzip.compress(b"a\n" * (8 * MIB), 1) * 2000)
    found, why = read(logs)
    assert why == {"a.log.gz": "takes more than 2 s to read"}
    assert [row.status for row in found] == ["failed"]


def test_a_log_that_is_a_hole(logs: Path) -> None:
    with open(logs / "hole.log", "wb") as file:
        file.write(b"step\n" * MIB)
        file.truncate(1 << 40)
    assert "takes more than" in read(logs)[1]["hole.log"]


def record(name: bytes, value: bytes) -> bytes:
    """A record of an extended header, with the length that it begins with."""
    rest = b" " + name + b"=" + value + b"\n"
    length = len(rest) + 1
    while length != len(rest) + len(str(length)):
        length += 1
    return str(length).encode() + rest


@pytest.mark.parametrize("header", [b"1" * 200_000, b"2 " * 20_000 + b"=", record(b"a", b"1" * 200_000)])
def test_a_header_that_takes_the_square_of_the_time(logs: Path, header: bytes) -> None:
    """Before Python 3.13 tarfile reads such headers for minutes."""
    (logs / "a.tar").write_bytes(
        member("fine", FAILED.encode()) + member("x", header, tarfile.XHDTYPE) + bytes(1024)
    )
    start = time.process_time()
    found, _ = read(logs)
    assert sum(row.status == "failed" for row in found) == 2
    assert time.process_time() - start < 10


@only_linux
def test_a_text_that_a_table_repeats(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows share one text in the file, and none in memory."""
    monkeypatch.setattr(bounded, "MIN_SECONDS", 60.0)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 64, pa.int32()), pa.array(["step\n" * (2 * MIB)]))
    parquet.write_table(pa.table({"text": column}), logs / "a.parquet", compression="zstd")
    found, why = read(logs)
    assert "of memory" in why["a.parquet"]
    assert [row.status for row in found] == ["failed"]


@only_linux
def test_a_row_of_nothing_but_braces(logs: Path) -> None:
    line = b"[" + b"{}," * (12 * MIB) + b"{}]\n"
    (logs / "a.jsonl").write_bytes(json.dumps({"text": FAILED}).encode() + b"\n" + line)
    found, why = read(logs)
    assert "takes more than" in why["a.jsonl"] and len(found) == 2


def test_a_table_whose_columns_hold_other_things(tmp_path: Path) -> None:
    """Numbers and lists under the names of texts are no texts."""
    table = pa.table({"message": [1, 2], "text": [["a"], ["b"]], "log": [FAILED, "fine\n"]})
    parquet.write_table(table, tmp_path / "a.parquet")
    read = [log.stream.read() for log in logs_in(str(tmp_path / "a.parquet"))]
    assert read == [FAILED.encode(), b"fine\n"]
    parquet.write_table(table.drop(["log"]), tmp_path / "b.parquet")
    with pytest.raises(OSError, match="none of the columns"):
        list(logs_in(str(tmp_path / "b.parquet")))


def test_a_name_that_a_table_repeats(logs: Path) -> None:
    """A job's name, as long as a log, would be kept for thousands of rows."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 64, pa.int32()), pa.array(["j" * MIB]))
    parquet.write_table(pa.table({"log": [FAILED] * 64, "job": column}), logs / "a.parquet")
    found, _ = read(logs)
    assert max(len(row.job) for row in found) <= sources.MAX_NAME_CHARS
