"""What one worker does with one batch of files: the same on this machine and on a cluster."""

from __future__ import annotations

from contextlib import closing
from typing import NamedTuple

from torchwhy.errors import UsageError
from torchwhy.text.plain import escaped

from .baseline import read_marks
from .bounded import bounded, undisturbed
from .jobs import Grouping, bucket_of
from .look import Looker
from .parts import Folder, PartWriter, WriteError
from .row import Look
from .sources import Log, LogSource, holds_many, logs_in, opened, shown

MAX_WHY_CHARS = 200


class Batch(NamedTuple):
    """Files to look at, and the name of the part that they make. job: the pattern of --job; token: of this
    run alone, since a worker may see several.
    """

    name: str
    run: int
    out: str
    job: str | None
    token: str
    sources: tuple[LogSource, ...]


class Done(NamedTuple):
    """What became of a batch: how many files were looked at, and their bytes."""

    files: int
    bytes: int


class Worker:
    """Looks at batches, and remembers between them what it read before."""

    def __init__(self) -> None:
        self._looker, self._token = Looker(), ""

    def work(self, batch: Batch) -> Done:
        """Look at every file of a batch and write its part. Raises OSError where it cannot be written."""
        if self._token != batch.token:  # what it remembers belongs to one run's parts
            self._looker, self._token = Looker(read_marks(batch.out)), batch.token
        grouping = Grouping(batch.job)
        try:
            with Folder(batch.out).part(batch.name) as part:
                for source in batch.sources:
                    self._file(source, batch.run, grouping, part)
        except BaseException:
            self._token = ""
            raise
        return Done(len(batch.sources), sum(source.size for source in batch.sources))

    def _file(self, source: LogSource, run: int, grouping: Grouping, part: PartWriter) -> None:
        name = shown(source.path)
        look = Look(name, size=source.size, mtime=source.mtime, run=run)
        try:
            with bounded(source.size):
                if holds_many(source.path):
                    look.kind = "archive"
                    with closing(logs_in(source.path)) as logs:
                        for log in logs:
                            self._member(log, run, grouping, part)
                else:
                    with opened(source.path) as stream:
                        self._one(Log(name, stream), look, grouping)
        except WriteError:
            raise
        except Exception as error:  # damaged archives and drivers of remote file systems raise what they like
            look = Look(name, "unreadable", source.size, source.mtime, run=run, why=why_of(error))
        part.add(look)

    def _member(self, log: Log, run: int, grouping: Grouping, part: PartWriter) -> None:
        look = Look(log.path, run=run)
        try:
            self._one(log, look, grouping)
        except UsageError as error:  # a binary member is no damage of the archive
            look = Look(log.path, "unreadable", run=run, why=why_of(error))
        with undisturbed():
            part.add(look)

    def _one(self, log: Log, look: Look, grouping: Grouping) -> None:
        head = self._looker.look(log.stream, look)
        place = grouping.place(log.path, head)
        look.job = log.job if log.job is not None else place.job
        look.attempt = place.attempt
        rank = log.rank if log.rank is not None else place.rank
        if rank is not None:
            look.rank = rank
        if log.host is not None:
            look.host = log.host
        look.bucket = bucket_of(look.job)


def why_of(error: BaseException) -> str:
    """Why a file could not be read, in one line."""
    said = getattr(error, "strerror", None) or str(error) or "cut off"
    return escaped(said if isinstance(error, UsageError | OSError) else f"{type(error).__name__}: {said}")[
        :MAX_WHY_CHARS
    ]
