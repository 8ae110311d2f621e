"""Small files that stand for huge ones cost their own row alone: what is read of each is bounded."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("zstandard")

import pyarrow as pa
import zstandard
from pyarrow import parquet

from tests.conftest import ROOT
from tests.support.logs import FAILED, rows
from torchwhy.triaging import bounded, sources
from torchwhy.triaging.parts import Folder
from torchwhy.triaging.row import Row
from torchwhy.triaging.sources import MAX_HEADER_BYTES, MAX_TABLE_LINE_BYTES, logs_in
from torchwhy.triaging.summary import unreadable

pytestmark = pytest.mark.promise(1)

MIB = 1 << 20


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one log that can be read; what unpacks to more than 4 MiB is too much here."""
    monkeypatch.setattr(bounded, "FREE_BYTES", 4 * MIB)
    monkeypatch.setattr(bounded, "MAX_NULS", 2 * MIB)
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


def test_what_unpacks_out_of_all_proportion(logs: Path) -> None:
    text = (b"a" * 1023 + b"\n") * (32 << 10)
    (logs / "a.log.gz").write_bytes(gzip.compress(text))
    (logs / "b.log.zst").write_bytes(zstandard.compress(text))
    (logs / "c.tar").write_bytes(
        member("x.log.gz", gzip.compress(text)) + member("y", FAILED.encode()) + bytes(1024)
    )
    found, why = read(logs)
    assert {"a.log.gz", "b.log.zst", "c.tar!/x.log.gz"} == why.keys()
    assert all("times its size" in each for each in why.values())
    assert sum(row.status == "failed" for row in found) == 2  # the good one, and the one behind a bomb


def test_a_large_log_that_packs_well_is_read(logs: Path) -> None:
    text = (
        b"".join(b"step %d loss %f\n" % (number, 1 / (number + 1)) for number in range(400_000))
        + FAILED.encode()
    )
    assert len(text) > 4 * MIB
    (logs / "a.log.zst").write_bytes(zstandard.compress(text))
    found, why = read(logs)
    assert not why and [row.status for row in found] == ["failed", "failed"]


def test_a_log_that_is_a_hole(logs: Path) -> None:
    with open(logs / "hole.log", "wb") as file:
        file.write(b"step\n" * MIB)
        file.truncate(1 << 34)
    assert "NUL" in read(logs)[1]["hole.log"]


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_that_fills_memory(logs: Path, kind: bytes) -> None:
    header = member("x", b"a" * (MAX_HEADER_BYTES + 1), kind)
    (logs / "a.tar").write_bytes(member("fine", FAILED.encode()) + header + bytes(1024))
    found, why = read(logs)
    assert "header" in why["a.tar"]
    assert sum(row.status == "failed" for row in found) == 2


def test_a_map_of_holes_that_fills_memory(logs: Path) -> None:
    """tarfile builds the list of a sparse file's holes as soon as it meets it."""
    holes = f"{MIB}\n".encode() + b"0\n0\n" * MIB
    info = tarfile.TarInfo("GNUSparseFile.0/x.log")
    info.size = len(holes)
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 40)}
    with tarfile.open(logs / "a.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info, io.BytesIO(holes))
    found, why = read(logs)
    assert "sparse" in why["a.tar.gz"]
    assert [row.status for row in found] == ["failed"]


def test_a_text_that_a_table_repeats(logs: Path) -> None:
    """The rows share one text in the file, and in memory; so many of them are read as are in proportion."""
    text = "step\n" * (MIB // 5)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 64, pa.int32()), pa.array([text]))
    parquet.write_table(pa.table({"text": column}), logs / "a.parquet", compression="zstd")
    found, why = read(logs)
    assert "times its size" in why["a.parquet"]
    assert 4 <= len(found) <= 6


def test_a_table_whose_columns_hold_other_things(tmp_path: Path) -> None:
    """Numbers and lists under the names of texts are no texts."""
    table = pa.table({"message": [1, 2], "text": [["a"], ["b"]], "log": [FAILED, "fine\n"]})
    parquet.write_table(table, tmp_path / "a.parquet")
    read = [log.stream.read() for log in logs_in(str(tmp_path / "a.parquet"))]
    assert read == [FAILED.encode(), b"fine\n"]
    parquet.write_table(table.drop(["log"]), tmp_path / "b.parquet")
    with pytest.raises(OSError, match="none of the columns"):
        list(logs_in(str(tmp_path / "b.parquet")))


def test_a_row_of_nothing_but_braces(logs: Path) -> None:
    line = io.BytesIO(b"[" + b"{}," * (MAX_TABLE_LINE_BYTES // 3) + b"{}]\n").getvalue()
    (logs / "a.jsonl").write_bytes(json.dumps({"text": FAILED}).encode() + b"\n" + line)
    found, why = read(logs)
    assert "not JSON" in why["a.jsonl"] and len(found) == 2


def record(name: bytes, value: bytes) -> bytes:
    """A record of an extended header, with the length that it begins with."""
    rest = b" " + name + b"=" + value + b"\n"
    length = len(rest) + 1
    while length != len(rest) + len(str(length)):
        length += 1
    return str(length).encode() + rest


@pytest.mark.parametrize("header", [b"1" * 200_000, b"2 " * 20_000 + b"=", record(b"a", b"1" * 200_000)])
def test_a_header_that_takes_the_square_of_the_time(logs: Path, header: bytes) -> None:
    """Before Python 3.13 tarfile reads such headers for minutes, and keeps hundreds of megabytes of them."""
    (logs / "a.tar").write_bytes(
        member("fine", FAILED.encode()) + member("x", header, tarfile.XHDTYPE) + bytes(1024)
    )
    start = time.process_time()
    found, why = read(logs)
    assert "header" in why["a.tar"]
    assert sum(row.status == "failed" for row in found) == 2
    assert time.process_time() - start < 10


def test_headers_of_all_members_do_not_add_up(logs: Path) -> None:
    def said(at: int) -> bytes:
        return b"".join(record(b"k%d" % number, b"v") for number in range(at * 1000, (at + 1) * 1000))

    own = record(b"comment", b"x")
    one = member("x", own, tarfile.XHDTYPE) + member("fine", FAILED.encode())
    every = b"".join(member("x", said(at), tarfile.XGLTYPE) for at in range(20))
    (logs / "a.tar").write_bytes(every + one * 1000 + bytes(1024))
    start = time.process_time()
    assert not read(logs)[1]
    assert time.process_time() - start < 10  # 1,000 copies of it took a minute


def test_a_page_of_a_table_that_fills_memory(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a dictionary the rows' texts stand in one page, however little that takes in the file."""
    monkeypatch.setattr(sources, "MAX_CHUNK_BYTES", 4 * MIB)
    table = pa.table({"log": ["step\n" * (MIB // 5)] * 64})
    parquet.write_table(table, logs / "a.parquet", use_dictionary=False, compression="zstd")
    assert "times its size" in read(logs)[1]["a.parquet"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_text_that_a_table_holds_in_an_odd_way(tmp_path: Path) -> None:
    """Of such a column each row would have a text of its own in memory: one row is read at a time."""
    text = b"x" * (4 * MIB)
    table = pa.table({"log": pa.array([text] * 64, pa.binary(len(text)))})
    parquet.write_table(table, tmp_path / "a.parquet", compression="zstd")
    del table
    code = (
        "import sys\nfrom torchwhy.triaging.sources import logs_in\n"
        "print(len(list(each.path for each in logs_in(sys.argv[1]))))\n"
        "print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.parquet")],
        env={**os.environ, "PYTHONPATH": str(ROOT / "assistant")},
        capture_output=True,
        text=True,
        check=True,
    )
    rows, most = map(int, done.stdout.split())
    assert rows == 64
    assert most < 220_000  # KiB, of which pyarrow takes 100,000


def test_a_name_that_a_table_repeats(logs: Path) -> None:
    """A job's name, as long as a log, would be kept for thousands of rows."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 64, pa.int32()), pa.array(["j" * MIB]))
    parquet.write_table(pa.table({"log": [FAILED] * 64, "job": column}), logs / "a.parquet")
    found, why = read(logs)
    assert "times its size" in why["a.parquet"]
    assert max(len(row.job) for row in found) <= sources.MAX_NAME_CHARS
