"""The command line. One place turns an AssistantError into one line on stderr and an exit status.

Exit status of a question: 0 answered, 1 nothing fits, 2 usage or set-up error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .errors import AssistantError, UsageError

EXAMPLES = """\
examples:
  python train.py 2>&1 | torchwhy        answer what the program printed
  torchwhy "RuntimeError: ..."           answer a message, or a question in words
  torchwhy -f log.txt                    answer a log file of any size
  torchwhy confirm ID                    run the entry's script here: it fails, then the fix does not
"""


class _Parser(argparse.ArgumentParser):
    """Raises instead of exiting, so that a line that is no command can still be a question."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (torchwhy --help)")


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON (README: JSON)")
    parser.add_argument("--lang", choices=("auto", "en", "zh"), default=os.environ.get("TORCHWHY_LANG") or "auto", help="language of the answer")
    parser.add_argument("--kb", metavar="DIR", help="a knowledge base of your own beside the shipped one (TORCHWHY_KB)")
    parser.add_argument("--model", metavar="NAME", help="embedding model: a sentence-transformers name or folder (TORCHWHY_MODEL)")
    parser.add_argument("--no-vectors", action="store_true", help="answer from signatures and words alone")


def question_parser() -> _Parser:
    from . import __version__

    parser = _Parser(
        prog="torchwhy", description="Why did my PyTorch program fail?", epilog=EXAMPLES + commands_help(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", nargs="*", help="an error, or a question in words (default: standard input)")
    parser.add_argument("-f", "--file", metavar="FILE", help="read the error or log from FILE (- is standard input)")
    parser.add_argument("--brief", action="store_true", help="without evidence and sources")
    parser.add_argument("--confirm", action="store_true", help="prove the diagnosis here as well")
    parser.add_argument("--rewrite", action="store_true", help="in the words of your own language model (README: In a model's words); secrets taken out")
    parser.add_argument("--machine", action="store_true", help="look at this machine's facts: GPU, driver, torch, memory, limits")
    parser.add_argument("--python", metavar="PYTHON", help="with --machine or --confirm: the Python whose torch failed")
    parser.add_argument("--version", action="version", version=f"torchwhy {__version__}")
    _common(parser)
    return parser


COMMANDS = {
    "chat": "paste, ask, follow up and prove it on one screen; also: python train.py 2>&1 | torchwhy chat",
    "confirm": "run an entry's repro here, both legs, and say what it shows",
    "show": "read an entry",
    "repro": "print an entry's script, to run it without this tool",
    "report": "write a bug report: the error, the diagnosis, the environment; secrets taken out",
    "list": "list the entries",
    "index": "build the index (--device cuda|cpu)",
    "eval": "measure the ranking on labelled texts",
    "machine": "this machine's facts, without touching the GPU's memory or importing torch",
    "kb": "kb check [DIR]: check a knowledge base; kb facts: the facts that entries may ask for; kb hashes: note the scripts as they are",
}


def commands_help() -> str:
    return "\ncommands:\n" + "".join(f"  {name:10} {text}\n" for name, text in COMMANDS.items())


def command_parser(name: str) -> _Parser:
    parser = _Parser(prog=f"torchwhy {name}", description=COMMANDS[name])
    if name == "confirm":
        parser.add_argument("id", nargs="?")
        parser.add_argument("--paste", metavar="FILE", help="the paste to compare with (- is standard input)")
        parser.add_argument("--python", metavar="PYTHON", help="the Python whose torch failed")
        parser.add_argument("--seconds", type=float, help="limit of one leg")
        parser.add_argument("--edited", action="store_true", help="run a shipped script although it was changed")
        parser.add_argument("--all", action="store_true", help="run the whole knowledge base and write down what was seen")
        parser.add_argument("--into", metavar="DIR", help="with --all: folder of the evidence (default: your data folder)")
        parser.add_argument("--jobs", type=int, default=1, metavar="N", help="with --all: entries side by side (measured times want 1)")
        parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="with --all: only these, merged into the file that is there")
        parser.add_argument("--stale", action="store_true", help="with --all: only what that file lacks or holds of another version of the script")
    elif name == "chat":
        parser.add_argument("--machine", action="store_true", help="look at this machine's facts for every diagnosis")
        parser.add_argument("--web", action="store_true", help="in a browser instead of this terminal (needs torchwhy[web])")
        parser.add_argument("--host", help="with --web: the address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, help="with --web: the port to listen on (default: 8765; 0: any free one)")
        parser.add_argument("--beyond-loopback", action="store_true", help="with --web: yes, --host may be reached from other machines")
        parser.add_argument("--no-token", action="store_true", help="with --web: let in every program and user of this machine")
    elif name == "repro":
        parser.add_argument("id")
    elif name == "report":
        parser.add_argument("text", nargs="*", help="the error (default: standard input)")
        parser.add_argument("-f", "--file", metavar="FILE", help="read the error or log from FILE (- is standard input)")
        parser.add_argument("--confirm", action="store_true", help="prove the diagnosis here as well")
        parser.add_argument("--python", metavar="PYTHON", help="the Python whose torch failed")
    elif name == "show":
        parser.add_argument("id")
    elif name == "list":
        parser.add_argument("--category")
        parser.add_argument("--kind", choices=("error", "warning", "silent"))
    elif name == "index":
        parser.add_argument("--device", help="where to embed: cuda, cuda:1, cpu (default: a GPU if there is one)")
    elif name == "eval":
        parser.add_argument("file")
        parser.add_argument("--ablate", action="store_true", help="every method, by language and kind")
        parser.add_argument("--errors", action="store_true", help="list the rows that went wrong")
        parser.add_argument("--picture", metavar="FILE", help="write risk against coverage of each method as an SVG")
        parser.add_argument("--predictions", metavar="FILE", help="torchwhy's cross-validated predictions (python -m assistant.fit --predictions FILE)")
    elif name == "machine":
        parser.add_argument("--python", metavar="PYTHON", help="the Python whose torch failed")
        parser.add_argument("--full", action="store_true", help="also import torch there: its arch list and cuDNN (seconds)")
        parser.add_argument("--report", metavar="FILE", help="read a report of python -m torch.utils.collect_env instead (- is standard input)")
    elif name == "kb":
        parser.add_argument("action", choices=("check", "facts", "hashes"))
        parser.add_argument("dir", nargs="?")
        parser.add_argument("--only", nargs="+", default=[], metavar="ID")
    _common(parser)
    return parser


def parse_line(words: Sequence[str]) -> tuple[str, argparse.Namespace]:
    """(command or "ask", its arguments). A word is a command only when the whole line parses as one. Raises UsageError."""
    if words and words[0] in COMMANDS:
        try:
            return words[0], command_parser(words[0]).parse_args(words[1:])
        except UsageError:
            if len(words) == 1 or any(word.startswith("--") for word in words[1:]):
                raise
    return "ask", question_parser().parse_args(words)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        name, args = parse_line(words)
        status = run(name, args)
        sys.stdout.flush()
        return status
    except AssistantError as error:
        print(f"torchwhy: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the interpreter's own flush at exit must not complain either
        return 141
    except KeyboardInterrupt:
        print("\ntorchwhy: interrupted", file=sys.stderr)
        return 130


def run(name: str, args: argparse.Namespace) -> int:
    if name == "ask":
        return ask(args)
    from . import commands

    if not hasattr(commands, f"run_{name}"):
        from . import commands_more

        return int(getattr(commands_more, f"run_{name}")(args))
    return int(getattr(commands, f"run_{name}")(args))


def make_assistant(args: argparse.Namespace, **more: Any) -> Any:
    """An Assistant as the options say, with a progress bar on stderr for builds."""
    from .api import Assistant
    from .progress import Bar

    assistant = Assistant(args.kb, model=args.model, lang=args.lang, vectors=not args.no_vectors, progress=Bar(), **more)
    problems = assistant.store.problems
    for problem in problems[:3]:
        print(f"torchwhy: skipped a broken entry: {problem}", file=sys.stderr)
    if len(problems) > 3:
        print(f"torchwhy: and {len(problems) - 3} more problems; `torchwhy kb check` lists them", file=sys.stderr)
    return assistant


def paste_of(args: argparse.Namespace) -> str:
    """The text to answer: --file, the words, or standard input. Raises UsageError where there is none."""
    from .reading import read_path

    if args.file:
        if args.text:
            raise UsageError("give the text as words or with -f, not both")
        text = read_path(args.file)
    elif args.text == ["-"] or not args.text:
        text = read_path("-")
    else:
        text = " ".join(args.text)
    if not text.strip():
        raise UsageError('the text is empty; paste an error: torchwhy "RuntimeError: ...", or pipe one in: python train.py 2>&1 | torchwhy')
    return text


def ask(args: argparse.Namespace) -> int:
    if not args.text and not args.file and sys.stdin.isatty():
        print(question_parser().format_help(), end="")
        return 0
    if args.python and not (args.machine or args.confirm):
        raise UsageError("--python goes with --machine or --confirm")
    if args.rewrite:
        from .rewrite import required

        required()
    text = paste_of(args)
    assistant = make_assistant(args)
    facts = assistant.machine(python=args.python, paste=text) if args.machine or args.confirm else None
    answer = assistant.ask(text, facts=facts)
    for note in answer.notes:
        print(f"torchwhy: {note}", file=sys.stderr)
    rewritten = in_other_words(assistant, answer) if args.rewrite else None
    result = None
    if args.confirm and answer.match is not None:
        from .commands import confirm_with_progress

        result = confirm_with_progress(assistant, answer.match.id, text, args.python, None)
    if args.json:
        from .answer import as_json
        from .output import print_json

        data = as_json(answer)
        if args.confirm:
            from .commands import confirmation_json

            data["confirmation"] = confirmation_json(result) if result else None
        if args.rewrite:
            data["rewritten"] = rewritten.as_json() if rewritten else None
        print_json(data)
    else:
        from .output import print_markdown
        from .render import answer_markdown

        if rewritten is None:
            print_markdown(answer_markdown(answer, brief=args.brief))
        else:
            from .rewrite import page

            print_markdown(page(answer, rewritten, brief=args.brief))
        if result is not None:
            from .verdict import confirmation_markdown

            print_markdown(confirmation_markdown(result, assistant.pitfall(result.id), answer.lang, text))
    if result is not None:
        return result.exit_status
    return 0 if answer.match is not None else 1


def in_other_words(assistant: Any, answer: Any) -> Any:
    """What a model makes of the answer; None, with a line on stderr that says why, where the plain answer stands."""
    from .endpoint import RewriteError

    try:
        return assistant.rewrite(answer)
    except RewriteError as error:
        print(f"torchwhy: answered in plain words: {error}", file=sys.stderr)
        return None
