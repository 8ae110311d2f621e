"""A question: `torchwhy "RuntimeError: ..."`, `-f FILE`, or standard input."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from torchwhy.cli.arguments import question_parser
from torchwhy.cli.output import tell
from torchwhy.cli.setup import make_assistant, paste_of
from torchwhy.errors import RewriteError, UsageError

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer, Rewritten
    from torchwhy.api import Assistant
    from torchwhy.llm.choose import Chosen
    from torchwhy.proof.confirmation import Confirmation

NOT_ASKED = "the model was not asked: nothing is left to choose"


def run(args: argparse.Namespace) -> int:
    """Answer a text: 0 answered (by an entry or a family), 1 nothing fits; with --confirm, the proof's own
    exit status.
    """
    if not args.text and not args.file and sys.stdin.isatty():
        print(question_parser().format_help(), end="")
        return 0
    if args.python and not (args.machine or args.confirm):
        raise UsageError("--python goes with --machine or --confirm")
    if "-" in (args.code or ()):
        raise UsageError("--code takes files and folders; standard input is read for the question")
    if args.rewrite or args.ask_model:
        from torchwhy.llm.rewrite import required

        required()
    text = paste_of(args, shown=sys.stdout.isatty() and os.name == "posix" and not args.json)
    assistant = make_assistant(args, lang=args.lang)
    facts = assistant.machine(python=args.python) if args.machine or args.confirm else None
    answer = assistant.ask(text, facts=facts, source=not args.no_source, code=args.code)
    for note in answer.notes:
        tell(note)
    rewritten = in_other_words(assistant, answer) if args.rewrite else None
    chosen = models_choice(assistant, answer) if args.ask_model else None
    result = None
    if args.confirm:
        from .confirm import confirm_if_allowed

        result = confirm_if_allowed(assistant, answer, text, args.python)
    if args.json:
        print_as_json(args, answer, rewritten, chosen, result)
    else:
        print_as_text(args, assistant, text, answer, rewritten, result)
        if chosen is not None:
            print(chosen.says(answer.lang))
    if result is not None:
        return result.exit_status
    return 0 if answer.found or answer.python_error is not None else 1


def in_other_words(assistant: Assistant, answer: Answer) -> Rewritten | None:
    """What a model makes of the answer; None, with a line on stderr that says why, where the plain answer
    stands.
    """
    try:
        return assistant.rewrite(answer)
    except RewriteError as error:
        tell(f"answered in plain words: {error}")
        return None


def models_choice(assistant: Assistant, answer: Answer) -> Chosen | None:
    """Which candidate a model chose; None, with a line on stderr that says why, where there is no choice."""
    try:
        chosen = assistant.ask_model(answer)
    except RewriteError as error:
        tell(f"no choice of the model: {error}")
        return None
    if chosen is None:
        tell(NOT_ASKED)
    return chosen


def print_as_json(
    args: argparse.Namespace,
    answer: Answer,
    rewritten: Rewritten | None,
    chosen: Chosen | None,
    result: Confirmation | None,
) -> None:
    """One object by answer.schema.json, with the proof, the rewriting and the model's choice where they were
    asked for.
    """
    from torchwhy.answers.as_json import as_json
    from torchwhy.cli.output import print_json

    data = as_json(answer)
    if args.confirm:
        from torchwhy.proof.confirmation import confirmation_json

        data["confirmation"] = confirmation_json(result) if result else None
    if args.rewrite:
        data["rewritten"] = rewritten.as_json() if rewritten else None
    if args.ask_model:
        data["chosen"] = chosen.as_json() if chosen else None
    print_json(data)


def print_as_text(
    args: argparse.Namespace,
    assistant: Assistant,
    text: str,
    answer: Answer,
    rewritten: Rewritten | None,
    result: Confirmation | None,
) -> None:
    """The first screen, or the whole page as Markdown; then the proof."""
    from torchwhy.cli.output import print_markdown, print_screen, width

    if rewritten is None and not args.full:
        from torchwhy.answers.screen_lines import screen_lines

        print_screen(screen_lines(answer, width()))
    elif rewritten is None:
        from torchwhy.answers.markdown import answer_markdown

        print_markdown(answer_markdown(answer), page=result is None)
    else:
        from torchwhy.llm.rewrite import page

        print_markdown(page(answer, rewritten))
    if result is not None:
        from .confirm import print_proof

        print_proof(assistant, result, answer.lang, text)
