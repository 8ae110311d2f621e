"""`torchwhy last`: the last run's answer again; `--apply` writes its edit into the user's file."""

from __future__ import annotations

import argparse
import difflib
import os
import shlex
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

from torchwhy.cli.options import add_flags, add_shared
from torchwhy.cli.output import print_json, print_markdown, print_screen, tell
from torchwhy.cli.setup import page_lang
from torchwhy.errors import UsageError

if TYPE_CHECKING:
    from torchwhy.run.last import LastRun

HELP = "show the answer of the last `torchwhy run` again"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared(parser, "json")
    add_flags(
        parser,
        full="the whole page, with cause, fixes and sources",
        apply="write the change into your file, after your yes, and keep a copy of it as it was",
        yes="with --apply: do not ask",
        forget="delete it",
    )
    add_shared(parser, "lang")


def run(args: argparse.Namespace) -> int:
    """0, or 1 where no run is kept, or its change was not written. Raises UsageError where it cannot be."""
    from torchwhy.answers.screen_lines import ScreenLine
    from torchwhy.run import endings, last
    from torchwhy.text.phrases import phrase
    from torchwhy.text.plain import harmless

    if args.forget:
        last.forget()
        return 0
    kept = last.read()
    lang = page_lang(args)
    if kept is None:
        print_markdown(phrase("run_no_last", lang) + "\n")
        return 1
    if args.apply:
        return apply(kept, args.yes, lang)
    if args.json:
        print_json({"at": kept.at, "status": kept.status, "command": list(kept.command), **kept.answer})
        return 0
    words = phrase(
        "run_last_ended",
        lang,
        command=f"`{shlex.join(kept.command).replace('`', '')}`",
        status=endings.status_words(kept.status, lang),
        at=local_time(kept.at),
    )
    # harmless: any program of the user's could write that file
    if args.full or not kept.screen:
        print_markdown(harmless(f"{words}\n\n{kept.page}"))
        return 0
    print_markdown(harmless(f"{words}\n"))
    print_screen([ScreenLine(text) for text in harmless(kept.screen).splitlines()])
    if kept.notes:
        print_markdown(harmless(kept.notes))
    return 0


def local_time(at: str) -> str:
    """A kept time as the user's clock showed it; as it is where no time can be read."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def apply(kept: LastRun, yes: bool, lang: str) -> int:
    """Show the edit as a difference, ask, write it, keep the file as it was, and offer to run again."""
    from torchwhy.runtime.locations import data_folder, make_private
    from torchwhy.source.rewrite import exchange
    from torchwhy.text.phrases import phrase
    from torchwhy.text.plain import harmless

    files = edited_files(kept)
    for path, was, content in files:
        old, new = (each.decode("utf-8", "replace").splitlines(keepends=True) for each in (was, content))
        sys.stdout.write(harmless("".join(difflib.unified_diff(old, new, path, path, n=2))))
    names = ", ".join(os.path.basename(path) for path, _, _ in files)
    if not yes and not agreed(phrase("run_apply_asks", lang, path=names)):
        return 1
    folder, at = data_folder() / "applied", f"{datetime.now():%Y%m%d-%H%M%S}"
    make_private(folder)
    for number, (path, was, content) in enumerate(files):
        copy = folder / f"{at}-{number or ''}{os.path.basename(path)}"
        try:
            with open(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(was)
            exchange(path, content)
        except OSError as error:
            raise UsageError(f"{path}: not written ({error.strerror})") from error
        tell(phrase("run_applied", lang, copy=str(copy)))
    if not yes and kept.whole and agreed(phrase("run_again_asks", lang, command=shlex.join(kept.command))):
        from torchwhy.cli.main import main

        os.chdir(kept.folder)
        return main(["run", "--", *kept.command])
    return 0


def edited_files(kept: LastRun) -> list[tuple[str, bytes, bytes]]:
    """The files that the run's change edits: the path of each, what it holds, and what it is to hold.

    Raises UsageError where there is no such change, or a line is another one by now.
    """
    from torchwhy.source.rewrite import Edit, line_edit, rewritten

    change: dict[str, Any] = (kept.answer.get("screen") or {}).get("change") or {}
    if not change.get("applicable"):
        raise UsageError("the last run's answer edits no line of yours: torchwhy last shows it")
    held: dict[str, bytes] = {}
    edits: dict[str, list[Edit]] = {}
    files = []
    try:
        for each in change["edits"]:
            path, before, after = (
                os.path.join(kept.folder, each["file"]),
                str(each["before"]),
                str(each["after"]),
            )
            if path not in held:
                with open(path, "rb") as file:
                    held[path] = file.read()
            if not os.access(path, os.W_OK):
                raise ValueError(f"{path} may not be written")
            text = held[path].decode("utf-8").replace("\r\n", "\n")
            edits.setdefault(path, []).append(line_edit(text, each["line"], before, after))
        for path, its in edits.items():
            content = rewritten(path, its)
            if content is None:
                raise ValueError(f"{path}: a link, or a file of which more than its lines would change")
            files.append((path, held[path], content))
    except (OSError, KeyError, TypeError, ValueError, SyntaxError) as error:
        raise UsageError(f"the change cannot be written: {error}") from error
    return files


def agreed(question: str) -> bool:
    """Whether the user says yes. Raises UsageError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here: --yes writes the change without asking")
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes", "是")
