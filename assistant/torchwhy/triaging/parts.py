"""The folder that a triage keeps: looks, answers and rows as Parquet parts. A part is written beside its
place and renamed, so it is there whole or not at all.

looks/: one row a log and a file, which tells a later run what was read; rows/: the data set.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from torchwhy.errors import UsageError
from torchwhy.runtime.system import is_running
from torchwhy.text.plain import escaped

from .row import Look, arrow, schema_of

Kind = TypeVar("Kind")
GROUP_ROWS = 4096  # of a part, held in memory at a time


class WriteError(UsageError):
    """The folder cannot be written: a full disk, or rights."""


class PartWriter:
    """Writes one part, a group of rows at a time; as a context, it appears when the context ends well."""

    def __init__(self, folder: Path, name: str, kind: type[Any]) -> None:
        self._place, self._beside = folder / f"{name}.parquet", folder / f".{name}.{os.getpid()}.tmp"
        self._schema = schema_of(kind)
        self._rows: list[Any] = []
        self._writer: Any = None

    def add(self, row: Any) -> None:
        self._rows.append(row)
        if len(self._rows) >= GROUP_ROWS:
            self._flush()

    def _flush(self) -> None:
        pa = arrow()
        columns = [[getattr(row, name) for row in self._rows] for name in self._schema.names]
        try:
            if self._writer is None:
                self._writer = pa.parquet.ParquetWriter(self._beside, self._schema, compression="zstd")
            self._writer.write_table(pa.table(columns, schema=self._schema))
        except OSError as error:
            raise cannot_write(error) from error
        self._rows = []

    def _end(self) -> None:
        self._flush()
        try:
            self._writer.close()
            os.chmod(self._beside, 0o600)
            os.replace(self._beside, self._place)
        except OSError as error:
            raise cannot_write(error) from error

    def __enter__(self) -> PartWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._end()
        finally:
            self._writer = None
            self._beside.unlink(missing_ok=True)


class Folder:
    """The folder of a triage. Raises UsageError where it cannot be made or is something else's."""

    def __init__(self, path: str | os.PathLike[str], *, make: bool = True) -> None:
        self.path = Path(path)
        self.looks, self.answers, self.rows = (self.path / name for name in ("looks", "answers", "rows"))
        if not make:
            if not self.rows.is_dir():
                raise UsageError(f"{escaped(path)}: no data set of a triage")
            return
        try:
            if self.path.is_dir() and not self.looks.is_dir() and any(self.path.iterdir()):
                raise UsageError(f"{escaped(path)}: not empty, and not of an earlier triage")
            for folder in (self.path, self.looks, self.answers):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                for left in folder.glob(".*.tmp"):
                    if not is_running(left.name.split(".")[-2]):
                        left.unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{escaped(path)}: cannot be written ({error.strerror})") from error

    def part(self, name: str) -> PartWriter:
        """A part of looks."""
        return PartWriter(self.looks, name, Look)

    def scan(self, kind: str, columns: Sequence[str], where: Any = None) -> Iterator[dict[str, list[Any]]]:
        """Columns of the looks, the answers or the rows, a bounded number of rows at a time."""
        pa = arrow()
        folder = self.path / kind
        files = sorted(str(each) for each in folder.glob("[!.]*.parquet")) if folder.is_dir() else []
        if not files:
            return
        # parts of an earlier release lack columns
        every = pa.dataset.dataset(files, schema=schema_of(Look) if kind == "looks" else None)
        batches = every.to_batches(columns=list(columns), filter=where, batch_size=8192)
        for batch in batches:
            yield batch.to_pydict()

    def read(self, folder: str, kind: type[Kind], *without: str, where: Any = None) -> Iterator[Kind]:
        """The looks, the answers or the rows as objects of their dataclass; without: fields left out."""
        names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
        columns = [name for name in names if name not in without]
        for batch in self.scan(folder, columns, where):
            for values in zip(*(batch[name] for name in columns), strict=True):
                yield kind(**dict(zip(columns, values, strict=True)))

    def latest(self, columns: Sequence[str], where: Any) -> dict[str, tuple[Any, ...]]:
        """Columns of the looks by path; of a log that was read twice, as it was seen last."""
        found: dict[str, tuple[Any, ...]] = {}
        for batch in self.scan("looks", ("path", "run", *columns), where):
            for path, *told in zip(*batch.values(), strict=True):
                if path not in found or told[0] >= found[path][0]:
                    found[path] = tuple(told)
        return {path: told[1:] for path, told in found.items()}

    def known(self) -> set[bytes]:
        """Keys of the files that were read, so that a run goes on where it was."""
        found: set[bytes] = set()
        pc = arrow().compute
        files = ~pc.is_null(pc.field("size")) & (pc.field("kind") != "unreadable")
        for batch in self.scan("looks", ("path", "size", "mtime"), files):
            found.update(map(file_key, batch["path"], batch["size"], batch["mtime"]))
        return found

    def runs(self) -> int:
        """How many runs wrote here."""
        return 1 + max((max(each["run"], default=0) for each in self.scan("looks", ("run",))), default=0)

    def begin_rows(self) -> None:
        """An empty folder for a new data set; `end_rows` puts it in the place of the old one."""
        fresh = self.path / ".rows-new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700, parents=True)

    def end_rows(self) -> None:
        old = self.path / ".rows-old"
        shutil.rmtree(old, ignore_errors=True)
        if self.rows.is_dir():
            os.replace(self.rows, old)
        os.replace(self.path / ".rows-new", self.rows)
        shutil.rmtree(old, ignore_errors=True)


def file_key(path: str, size: int, mtime: str) -> bytes:
    """A file as it was when it was read, in 16 bytes."""
    return hashlib.blake2b(f"{path}\0{size}\0{mtime}".encode("utf-8", "replace"), digest_size=16).digest()


def cannot_write(error: OSError) -> WriteError:
    """What a disk says, as one line for the user."""
    why = escaped(error.strerror or str(error))
    return WriteError(
        f"the results cannot be written ({why}); what is written stays, the same command goes on from there"
    )
