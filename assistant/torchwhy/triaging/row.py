"""What a job's row holds, what a log's look holds, and both as Parquet columns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from torchwhy.errors import UsageError
from torchwhy.runtime.install import install_line

if TYPE_CHECKING:
    import pyarrow

Status = Literal["failed", "quiet"]
BUCKETS = 1 << 12  # jobs are spread over so many by their name, and rows are made some buckets at a time


@dataclass(frozen=True, slots=True)
class Row:
    """One job. Everything about the error is that of the first rank to fail; None is "not known".

    status: `failed`, or `quiet` where no log of the job shows an error (it ended well, or was killed without
    a word). time: when the error was printed, or the log ended (UTC where the log names no zone). error: the
    message's first line, redacted. probability: 0..1. attempt: the restart that is told of, counted from 0.
    logs, failed_logs: of the job; those beside the root are its cascade. gpu_hours: wall hours between the
    first and last time stamp of each log, added up over the ranks.
    """

    job: str
    status: Status
    rank: int | None
    path: str
    time: datetime | None
    error: str | None
    exception: str | None
    entry: str | None
    family: str | None
    category: str | None
    probability: float | None
    python_error: str | None
    package: str | None
    user_frame: str | None
    torch: str | None
    host: str | None
    fingerprint: str | None
    attempt: int
    logs: int
    failed_logs: int
    gpu_hours: float | None


@dataclass(slots=True)
class Look:
    """What one log showed. `order`: 0 a root, 1 an error that carries another one, 2 a root that looks like
    another rank's doing, 3 a launcher's report, 4 a cascade, 9 nothing.

    kind: `log`; `archive` for a file that holds logs; `unreadable`, with `why`. size (bytes) and mtime belong
    to files, not to what lies in them; together they tell whether a file was read before. said_rank: the rank
    that a launcher names as the first to fail. start, end, time: seconds since 1970. line: the error's, from
    1, where that is known; excerpt: the lines down to it, redacted.
    """

    path: str
    kind: str = "log"
    size: int | None = None
    mtime: str | None = None
    job: str = ""
    rank: int | None = None
    attempt: int = 0
    bucket: int = 0
    run: int = 0
    order: int = 9
    time: float | None = None
    start: float | None = None
    end: float | None = None
    host: str | None = None
    torch: str | None = None
    exception: str | None = None
    error: str | None = None
    line: int | None = None
    excerpt: str | None = None
    package: str | None = None
    user_frame: str | None = None
    fingerprint: str | None = None
    said_rank: int | None = None
    sample_hash: str | None = None
    sample: str | None = None
    why: str | None = None


def arrow() -> Any:
    """pyarrow. Raises UsageError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.dataset
        import pyarrow.parquet
    except ImportError:
        raise UsageError(f"triage needs pyarrow: {install_line('triage')}") from None
    return pyarrow


def schema_of(kind: type[Any]) -> pyarrow.Schema:
    """The Parquet columns of a dataclass. Raises UsageError without pyarrow."""
    pa = arrow()
    types = {"int": pa.int64(), "float": pa.float64(), "datetime": pa.timestamp("us", tz="UTC")}
    return pa.schema(
        [(each.name, types.get(str(each.type).partition(" ")[0], pa.string())) for each in fields(kind)]
    )
