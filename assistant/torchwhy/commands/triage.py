"""`torchwhy triage`: the logs of many jobs, one page of causes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from torchwhy.cli.options import add_flags, add_shared, add_values
from torchwhy.cli.output import encodable_here, print_json, tell, write_file
from torchwhy.cli.setup import page_lang
from torchwhy.errors import UsageError
from torchwhy.runtime import settings
from torchwhy.text.plain import escaped

if TYPE_CHECKING:
    from torchwhy.triaging.engine import Count, TriageOptions
    from torchwhy.triaging.parts import Folder
    from torchwhy.triaging.row import Row
    from torchwhy.triaging.summary import Summary

HELP = "one page of causes for the logs of many jobs"
REDRAW_S = 0.5
MAX_EVERY_S = 86_400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a file, folder, glob, .gz, .zst, .tar, table (.jsonl, .parquet), address; - for a list",
    )
    add_values(
        parser,
        out=("DIR", "keep the data set there; the same line goes on where it was"),
        html=("FILE", "write the page"),
        since=("DIR", "an earlier data set, to tell what is new"),
        baseline=("LOG|FOLDER", "of good runs: an error that they print as well is none"),
        job=("REGEX", "a path's job: the group `job`; `rank` if it has one"),
        ray=("auto|ADDRESS", "on a Ray cluster; DIR has to be seen by all nodes"),
    )
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: all processors)")
    add_flags(parser, follow="go on: new logs as they end, a line each")
    parser.add_argument(
        "--every", type=float, default=10.0, metavar="S", help="seconds between looks (--follow)"
    )
    add_values(parser, on_new=("CMD", "with --follow: a command, or an address, for a new cause"))
    add_shared(parser, "no-vectors", "kb", "json", "lang")


def run(args: argparse.Namespace) -> int:
    """0; the summary says what was not read. Raises UsageError."""
    from torchwhy.triaging.answering import AssistantOptions
    from torchwhy.triaging.engine import TriageOptions
    from torchwhy.triaging.parts import Folder

    if args.on_new and not args.follow:
        raise UsageError("--on-new goes with --follow")
    if args.workers is not None and args.workers < 1:
        raise UsageError(f"--workers {args.workers}: wanted 1 or more")
    if not 0 <= args.every <= MAX_EVERY_S:
        raise UsageError(f"--every {args.every:g}: wanted seconds, from 0 to {MAX_EVERY_S}")
    since = Folder(args.since, make=False) if args.since else None
    options = TriageOptions(
        args.job, args.ray, args.workers, AssistantOptions(args.kb, None, not args.no_vectors), args.baseline
    )
    with tempfile.TemporaryDirectory(prefix="torchwhy-triage-") as scratch:
        folder = Folder(args.out or f"{scratch}/out")
        return _follow(args, folder, options) if args.follow else _once(args, folder, options, since)


def _once(args: argparse.Namespace, folder: Folder, options: TriageOptions, since: Folder | None) -> int:
    from torchwhy.triaging import engine
    from torchwhy.triaging.page import html_page, terminal_lines
    from torchwhy.triaging.summary import summarise

    count = engine.run(args.paths, folder, options, ProgressLine() if sys.stderr.isatty() else lambda _: None)
    if count.skipped:
        tell(f"{count.skipped:,} files were read by an earlier run")
    summary = summarise(folder, since)
    lang = page_lang(args)
    title = titles(options, lang)
    if args.html:
        write_file(args.html, html_page(summary, title, lang))
        tell(f"wrote {escaped(args.html)}")
    if args.json:
        print_json(as_json(summary))
    else:
        print(encodable_here("\n".join(escaped(line) for line in terminal_lines(summary, title, lang))))
    return 0


def titles(options: TriageOptions, lang: str) -> Callable[[str], str]:
    """The title of an entry or a family; its id where this knowledge has none."""
    from torchwhy.triaging.answering import assistant_of

    def title(id: str) -> str:
        assistant = assistant_of(options.knowledge)
        family = assistant.store.families.get(id)
        if family is not None:
            return family.title[lang]
        return assistant.pitfall(id).title[lang] if id in assistant.pitfalls else id

    return title


def as_json(summary: Summary) -> dict[str, object]:
    """The summary as the documented object."""
    return {
        "schema": 1,
        "jobs": summary.jobs,
        "failed": summary.failed,
        "logs": summary.logs,
        "causes": [
            {
                "kind": each.kind,
                "name": each.name,
                "example": each.example,
                "jobs": each.jobs,
                "gpu_hours": each.gpu_hours,
                "days": dict(sorted(each.days.items())),
                "fingerprints": sorted(each.fingerprints),
                "new": each.new,
                "hosts": [host._asdict() for host in each.hosts],
                "last_jobs": [_last_job(row, summary) for row in each.last_jobs],
            }
            for each in summary.causes
        ],
        "new": None
        if summary.new is None
        else [{"fingerprint": mark, "error": error, "jobs": jobs} for mark, error, jobs in summary.new],
        "hosts": [each._asdict() for each in summary.hosts],
        "unknown": [
            {"fingerprint": each.fingerprint, "jobs": each.jobs, "examples": each.examples}
            for each in summary.unknown
        ],
        "unreadable": [{"path": path, "why": why} for path, why in summary.unreadable],
    }


def _last_job(row: Row, summary: Summary) -> dict[str, object]:
    number, text = summary.lines.get(row.path) or (None, row.error)
    told = {name: getattr(row, name) for name in ("job", "rank", "host", "path")}
    return {**told, "time": row.time.isoformat() if row.time else None, "line": number, "lines": text}


def _follow(args: argparse.Namespace, folder: Folder, options: TriageOptions) -> int:
    from torchwhy.triaging.follow import Settling, call, follow
    from torchwhy.triaging.sources import find

    def sources() -> object:
        return find(args.paths, lambda *_: None)

    for row, new in follow(sources, folder, options, args.every, Settling()):  # type: ignore[arg-type]
        print(encodable_here(escaped(_told(row))), flush=True)
        problem = call(args.on_new, row) if new and args.on_new else None
        if problem:
            tell(problem)
    return 0


def _told(row: Row) -> str:
    """A job that failed, in one line."""
    cause = row.entry or row.family or row.python_error or row.fingerprint or "?"
    return f"{row.job}\t{cause}\t{row.error or ''}"


class ProgressLine:
    """One line of progress on a terminal."""

    def __init__(self) -> None:
        self._start = self._drawn = time.monotonic()

    def __call__(self, count: Count) -> None:
        now = time.monotonic()
        if now - self._drawn < REDRAW_S and count.stage == "looking":
            return
        self._drawn = now
        passed = max(now - self._start, 1e-3)
        if count.stage == "looking":
            said = f"{count.done:,} files, {count.bytes / passed / 1e6:,.0f} MB/s"
        else:
            said = f"{count.answered:,} of {count.distinct:,} distinct errors answered, {count.rows:,} jobs"
        sys.stderr.write(f"\r\x1b[K{said}" if not settings.NO_COLOR.read() else f"\r{said:<100}")
        if count.stage == "rows" and count.rows:
            sys.stderr.write("\n")
        sys.stderr.flush()
