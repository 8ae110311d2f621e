"""What every command needs first: an Assistant as the options say, the text to answer, the language."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from torchwhy.errors import UsageError
from torchwhy.text.language import choose
from torchwhy.text.plain import escaped

from .output import tell

if TYPE_CHECKING:
    from torchwhy.api import Assistant

SHOWN_PROBLEMS = 3  # of broken entries, on stderr


def make_assistant(args: argparse.Namespace, *, lang: str = "auto", device: str | None = None) -> Assistant:
    """An Assistant as --kb, --model and --no-vectors say, with a progress bar on stderr for builds."""
    from torchwhy.api import Assistant

    from .progress import Bar

    assistant = Assistant(
        args.kb,
        model=args.model,
        device=device,
        lang=lang,
        vectors=not args.no_vectors,
        progress=Bar(),
    )
    warn_of_problems(assistant)
    return assistant


def open_entries(args: argparse.Namespace) -> Assistant:
    """An Assistant for what only reads entries: --kb and --lang, no model and no vectors."""
    from torchwhy.api import Assistant

    assistant = Assistant(args.kb, lang=getattr(args, "lang", "auto"), vectors=False)
    warn_of_problems(assistant)
    return assistant


def warn_of_problems(assistant: Assistant) -> None:
    """Say on stderr which entries were left out."""
    problems = assistant.store.problems
    for problem in problems[:SHOWN_PROBLEMS]:
        tell(f"skipped a broken entry: {problem}")
    if len(problems) > SHOWN_PROBLEMS:
        more = len(problems) - SHOWN_PROBLEMS
        tell(f"and {more} more problems; `torchwhy kb check` lists them")


def paste_of(args: argparse.Namespace, *, shown: bool = False) -> str:
    """The text to answer: --file, the words (a file's name alone stands for the file), or standard input
    (`shown` on the terminal while it comes).

    Raises UsageError where there is none.
    """
    from torchwhy.paste.reading import read_path

    file = args.file
    if file and args.text:
        raise UsageError("give the text as words or with -f, not both")
    if not file and len(args.text) == 1 and os.path.exists(args.text[0]):
        file = args.text[0]
    if file and os.path.isdir(file):
        raise UsageError(folder_words(file))
    if file:
        text = read_path(file)
    elif shown and not args.text:
        from torchwhy.cli.pipe import read_and_show

        text = read_and_show()
    elif args.text == ["-"] or not args.text:
        text = read_path("-")
    else:
        text = " ".join(args.text)
    if not text.strip():
        raise UsageError(
            'the text is empty; paste an error: torchwhy "RuntimeError: ...",'
            " or pipe one in: python train.py 2>&1 | torchwhy"
        )
    return text


def folder_words(folder: str) -> str:
    """What can be done with a folder, which is no text to answer."""
    import shlex

    triage, check = (escaped(shlex.join(["torchwhy", name, folder])) for name in ("triage", "check"))
    return (
        f"{escaped(folder)} is a folder: give one log of it, or `{triage}` for all its logs,"
        f" `{check}` for its programs"
    )


def page_lang(args: argparse.Namespace) -> str:
    """The language of a page that answers no text: --lang, else the locale's."""
    return choose(args.lang, "")
