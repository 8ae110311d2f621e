"""`torchwhy confirm ID`: run an entry's script here and say what it shows."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from torchwhy.cli.options import add_flags, add_mine, add_shared, add_values
from torchwhy.cli.output import print_json, print_markdown, tell
from torchwhy.cli.setup import make_assistant
from torchwhy.errors import UntrustedScriptError, UsageError
from torchwhy.text.language import choose
from torchwhy.text.plain import escaped

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer
    from torchwhy.api import Assistant
    from torchwhy.proof.confirmation import Confirmation

HELP = "run an entry's script here, without and with the fix"
MAX_LINE_CHARS = 200  # of a leg's output, shown while it runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?")
    parser.add_argument("--paste", metavar="FILE", help="the paste to compare with (- is standard input)")
    add_shared(parser, "python")
    parser.add_argument("--seconds", type=float, help="limit of one run of the script")
    add_flags(
        parser,
        edited="run a shipped script although it was changed",
        trust="run a script that did not come with torchwhy, shut in; remembered for it in its folder",
    )
    add_mine(parser, "run a script that did not come with torchwhy")
    add_flags(parser, all="run the whole knowledge base and write down what was seen")
    add_values(parser, into=("DIR", "with --all: folder of the evidence (default: your data folder)"))
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="with --all: entries side by side (measured times want 1)",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="ID",
        help="with --all: only these, merged into the file that is there",
    )
    add_flags(parser, stale="with --all: only what that file lacks or holds of another version of the script")
    add_shared(parser, "json", "lang", "kb", "model", "no-vectors")


def run(args: argparse.Namespace) -> int:
    """The verdict's exit status; with --all 0 if every entry that could run reproduces, else 1."""
    if args.all:
        from .confirm_all import confirm_all

        return confirm_all(args)
    if args.only or args.stale or args.into or args.id is None:
        raise UsageError("give an entry's ID, or --all (which --into, --only and --stale belong to)")
    from torchwhy.paste.reading import read_path
    from torchwhy.proof.confirmation import confirmation_json
    from torchwhy.run.last import python_of

    assistant = make_assistant(args, lang=args.lang)
    entry = assistant.pitfall(args.id)
    paste = read_path(args.paste) if args.paste else None
    result = assistant.confirm(
        entry.id,
        paste,
        python=args.python,
        failed=None if args.python else python_of(entry.id),
        seconds=args.seconds,
        on_event=progress_of(entry.id),
        edited=args.edited,
        trust=args.trust,
        mine=args.mine,
    )
    if args.json:
        print_json(confirmation_json(result))
    else:
        print_proof(assistant, result, choose(args.lang, paste or ""), paste)
    return result.exit_status


def confirm_if_allowed(
    assistant: Assistant, answer: Answer, paste: str, python: str | None, failed: str | None = None
) -> Confirmation | None:
    """The proof that goes with an answer; None where nothing was found, and, with a line on stderr, where its
    script may not run unasked. `python` and `failed`: as `Assistant.confirm` has them.
    """
    if answer.match is None:
        return None
    id = answer.match.id
    try:
        return assistant.confirm(id, paste, python=python, failed=failed, on_event=progress_of(id))
    except UntrustedScriptError as error:
        tell(f"not run: {error}")
        return None


def print_proof(assistant: Assistant, result: Confirmation | None, lang: str, paste: str | None) -> None:
    """What a proof showed, beside what was pasted; nothing where there was none."""
    from torchwhy.proof.verdict import confirmation_markdown

    if result is not None:
        print_markdown(confirmation_markdown(result, assistant.pitfall(result.id), lang, paste))


def progress_of(id: str) -> Callable[[str, str], None]:
    """Says on stderr which leg of an entry's script runs; on a terminal its output as well."""
    live = sys.stderr.isatty()

    def on_event(kind: str, text: str) -> None:
        if kind == "leg":
            which = "without the fix" if text == "broken" else "with the fix"
            tell(f"running the script of {id} {which} ...")
        elif live:
            last = text.rsplit("\r", 1)[-1][:MAX_LINE_CHARS].expandtabs(4)
            print(f"  | {escaped(last)}", file=sys.stderr, flush=True)

    return on_event
