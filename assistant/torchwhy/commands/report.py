"""`torchwhy report`: a bug report with the secrets taken out."""

from __future__ import annotations

import argparse
import sys

from torchwhy.cli.options import add_flags, add_shared
from torchwhy.cli.output import print_json, print_markdown
from torchwhy.cli.setup import make_assistant, paste_of
from torchwhy.errors import UsageError

HELP = "write a bug report, secrets taken out"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", help="the error (default: standard input)")
    add_shared(parser, "file")
    add_flags(parser, confirm="prove the diagnosis here as well")
    add_shared(parser, "python", "full-text", "json", "lang", "kb", "model", "no-vectors")


def run(args: argparse.Namespace) -> int:
    from torchwhy.machine import interpreters
    from torchwhy.machine.torch_probe import probe
    from torchwhy.proof.report import report

    if not args.text and not args.file and sys.stdin.isatty():
        raise UsageError('give the error: torchwhy report "RuntimeError: ...", or -f FILE, or pipe it in')
    text = paste_of(args)
    assistant = make_assistant(args, lang=args.lang)
    answer = assistant.ask(text)
    result = None
    if args.confirm and answer.match is not None and answer.match.pitfall.repro:
        from .confirm import confirm_if_allowed

        result = confirm_if_allowed(assistant, answer, text, args.python)
    written = report(answer, probe(interpreters.find_python(args.python)), result, full=args.full_text)
    if args.json:
        print_json({"schema": 1, "report": written})
    else:
        print_markdown(written)
    return 0 if answer.found else 1
