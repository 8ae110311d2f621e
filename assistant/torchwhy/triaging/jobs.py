"""Which job and which rank a log belongs to: by its path, else by what its head says."""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

import re2

from torchwhy.errors import UsageError
from torchwhy.text.plain import escaped

from .row import BUCKETS

HEAD_BYTES = 4096  # of a log, where a scheduler's and torchelastic's ids are looked for
# DIR/RUN_ID_SUFFIX/attempt_0/3/stderr.log, as torchrun --log-dir lays it out
ELASTIC = re.compile(r"^(?P<job>.+)/attempt_(?P<attempt>\d{1,6})/(?P<rank>\d{1,6})/[^/]*$")
SLURM = re.compile(r"(?i)(?:^|[/_.-])(?:slurm|job|jobid|j)[-_]?(?P<job>\d{3,}(?:_\d+)?)(?=[/_.-]|$)")
RANK = re.compile(
    r"(?i)(?:^|[/_.-])(?:local[_-]?rank|rank|worker|task|proc)[-_]?(?P<rank>\d{1,6})(?=[/_.-]|$)"
)
BARE_RANK = re.compile(r"/(?P<rank>\d{1,4})\.\w+$")  # JOB/3.log
ENDING = re.compile(r"(?i)[._-]?(?:stdout|stderr|out|err|log|txt|gz|zst)$")
HEAD_JOB = re.compile(
    rb"(?i)(?:SLURM_JOB_ID|SLURM_JOBID|TORCHELASTIC_RUN_ID|run_id|rdzv_id)['\"]?\s{0,3}[:=]\s{0,3}['\"]?([\w.-]{1,80})"
)
NOBODY = frozenset(["none", "null", "default", "static"])


class Place(NamedTuple):
    """A log's job, rank (None if the path does not tell) and attempt."""

    job: str
    rank: int | None
    attempt: int


class Grouping:
    """Job and rank of a path. pattern: a regular expression with a group `job` (or a first group), and
    `rank` if it has one; paths that it does not find are grouped as ever. Raises UsageError for a wrong one.
    """

    def __init__(self, pattern: str | None = None) -> None:
        # RE2 on bytes: linear whatever the pattern and the path are, and any file name can be read.
        options = re2.Options()
        options.log_errors = False
        options.encoding = re2.Options.Encoding.LATIN1
        try:
            self.own = re2.compile(_bytes_of(pattern), options) if pattern else None
        except re2.error as error:
            why = error.args[0].decode("utf-8", "replace") if error.args else ""
            raise UsageError(f"--job {escaped(pattern or '')}: {why} (the syntax is RE2's)") from None
        if self.own and not self.own.groups:
            raise UsageError(
                "--job: wanted a group around what names the job, such as '/(?P<job>[^/]+)/rank'"
            )

    def place(self, path: str, head: bytes) -> Place:
        """Where a log belongs; `head` is its first bytes, which may be left out where they name no job."""
        last = _last_rank(path)
        rank = int(last["rank"]) if last else None
        own = self.own.search(_bytes_of(path)) if self.own else None
        if own:
            named = {name.decode(): _text_of(value) for name, value in own.groupdict().items() if value}
            said = named.get("rank", "")
            job = named.get("job") or _text_of(own[1] or b"") or path
            return Place(job, int(said) if said.isdecimal() and len(said) < 7 else rank, 0)
        elastic = ELASTIC.match(path) if "/attempt_" in path else None
        if elastic:
            return Place(elastic["job"], int(elastic["rank"]), int(elastic["attempt"]))
        found = HEAD_JOB.search(head[:HEAD_BYTES])
        if found and found[1].decode().lower() not in NOBODY:
            return Place(found[1].decode(), rank, 0)
        slurm = SLURM.search(path)
        return Place(slurm["job"] if slurm else _stem(path, last), rank, 0)


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text_of(value: bytes) -> str:
    """The text of a group; where a group cuts a character, its parts are shown as escapes."""
    try:
        return value.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return value.decode("utf-8", "backslashreplace")


def _last_rank(path: str) -> re.Match[str] | None:
    found = list(RANK.finditer(path))
    return found[-1] if found else BARE_RANK.search(path)


def _stem(path: str, last: re.Match[str] | None) -> str:
    """A path without its rank and its endings: equal for all logs of a job that lie together."""
    if last:
        path = path[: last.start()] + path[last.end() :] if last.re is RANK else path[: last.start()]
    while (shorter := ENDING.sub("", path)) and shorter != path:
        path = shorter
    return path.rstrip("/") or "/"


def bucket_of(job: str) -> int:
    """The bucket of a job: the same on every machine."""
    return zlib.crc32(job.encode("utf-8", "replace")) % BUCKETS
