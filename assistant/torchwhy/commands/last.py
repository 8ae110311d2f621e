"""`torchwhy last`: the last run's answer again."""

from __future__ import annotations

import argparse
import shlex

from torchwhy.cli.options import add_flags, add_shared
from torchwhy.cli.output import print_json, print_markdown, print_screen
from torchwhy.cli.setup import page_lang

HELP = "show the answer of the last `torchwhy run` again"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared(parser, "json")
    add_flags(
        parser,
        full="the whole page, with cause, fixes and sources",
        forget="delete it",
    )
    add_shared(parser, "lang")


def run(args: argparse.Namespace) -> int:
    """0, or 1 where no run is kept."""
    from torchwhy.answers.screen_lines import ScreenLine
    from torchwhy.run import endings, last
    from torchwhy.run.phrases import phrase
    from torchwhy.text.plain import harmless

    if args.forget:
        last.forget()
        return 0
    kept = last.read()
    lang = page_lang(args)
    if kept is None:
        print_markdown(phrase("run_no_last", lang) + "\n")
        return 1
    if args.json:
        print_json({"at": kept.at, "status": kept.status, "command": list(kept.command), **kept.answer})
        return 0
    words = phrase(
        "run_last_ended",
        lang,
        command=f"`{shlex.join(kept.command).replace('`', '')}`",
        status=endings.status_words(kept.status, lang),
        at=kept.at,
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
