"""Small files that stand for huge ones cost their own row alone: what is read of each is bounded."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("zstandard")

import pyarrow as pa
import zstandard
from pyarrow import parquet

from assistant.triaging import bounded
from assistant.triaging.parts import Folder
from assistant.triaging.row import Row
from assistant.triaging.sources import MAX_HEADER_BYTES, MAX_TABLE_LINE_BYTES, logs_in
from assistant.triaging.summary import unreadable
from tests.support.logs import FAILED, rows

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
    text = b"a\n" * (16 * MIB)
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
