"""How one command line is parsed: as a command, or as a question."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.errors import UsageError

from .options import EXAMPLES, PYTHON_HELP, Parser, add_file, add_json, add_kb, add_lang, add_model

if TYPE_CHECKING:
    from .commands import Command

FOR_MAINTAINERS = ("kb", "index", "eval")  # commands that are listed apart
FOR_SET_UP = ("doctor", "completion", "man", "mcp")  # and those of the first day
COMMAND = re.compile(r"[a-z]+")  # what the first word of a line must look like to be a command at all
FLAGS = frozenset(["--json", "--no-vectors"])  # shared options that may stand before a command
VALUED = frozenset(["--lang", "--kb", "--model"])
LONGEST_SLIP = 2  # words of a line that begins with a command and is taken for one, even if it does not parse
MAX_SHORT_WORD = 5  # letters of a word in which one slip is the most that is read
OPTION = re.compile(r"--|-[a-zA-Z]\Z")  # on a line with one of these, a slip is no question


class QuestionParser(Parser):
    """The parser of a question. Its help names the commands, which a question itself does not import."""

    def format_help(self) -> str:
        from .commands import COMMANDS

        def listed(names: Iterable[str]) -> str:
            return "".join(f"  {name:10} {COMMANDS[name].HELP}\n" for name in names)

        everyday = [name for name in COMMANDS if name not in (*FOR_MAINTAINERS, *FOR_SET_UP)]
        self.epilog = (
            f"{EXAMPLES}\ncommands (torchwhy help COMMAND):\n{listed(everyday)}"
            f"\nits own installation, your shell, your agent:\n{listed(FOR_SET_UP)}"
            f"\nfor those who keep a knowledge base:\n{listed(FOR_MAINTAINERS)}"
        )
        return super().format_help()


def question_parser() -> Parser:
    from assistant.version import __version__

    parser = QuestionParser(
        prog="torchwhy",
        description="Why did my PyTorch program fail?",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("text", nargs="*", help="an error, or a question in words (default: standard input)")
    add_file(parser)
    parser.add_argument(
        "--full", action="store_true", help="the whole page: why, every fix, evidence, sources"
    )
    parser.add_argument("--brief", action="store_true", help="the page without evidence and sources")
    parser.add_argument(
        "--code",
        action="append",
        metavar="PATH",
        help="your program, read and never run: what `check` finds there is evidence for a symptom in words",
    )
    parser.add_argument(
        "--no-source",
        action="store_true",
        help="do not look into the file that the traceback names (it is read to show the change as an edit)",
    )
    parser.add_argument("--confirm", action="store_true", help="prove the diagnosis here as well")
    parser.add_argument(
        "--rewrite",
        action="store_true",
        help="in the words of your own model (TORCHWHY_LLM_URL, TORCHWHY_LLM_MODEL); secrets taken out",
    )
    parser.add_argument(
        "--ask-model",
        action="store_true",
        help="which of the ten best candidates your own language model would choose; secrets taken out",
    )
    parser.add_argument(
        "--machine",
        action="store_true",
        help="look at this machine's facts: GPU, driver, torch, memory, limits",
    )
    parser.add_argument("--python", metavar="PYTHON", help=f"with --machine or --confirm: {PYTHON_HELP}")
    parser.add_argument("--version", action="version", version=f"torchwhy {__version__}")
    add_json(parser)
    add_lang(parser)
    add_kb(parser)
    add_model(parser)
    return parser


def command_parser(name: str, command: Command) -> Parser:
    parser = Parser(prog=f"torchwhy {name}", description=command.HELP)
    command.add_arguments(parser)
    parser.set_defaults(parsers=parsers)
    return parser


def parsers() -> list[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """The question's parser (an empty path), then every command's in the order of the help.

    A command finds this in its arguments: what describes all commands cannot import their table.
    """
    from .commands import COMMANDS

    every = [((name,), command_parser(name, command)) for name, command in COMMANDS.items()]
    return [((), question_parser()), *every]


def parse_line(words: Sequence[str]) -> tuple[str, argparse.Namespace]:
    """(command or "ask", its arguments). A word is a command only when the whole line parses as one. Raises
    UsageError.

    Options that every command shares may stand before the command as well.
    """
    before, rest = split_options(words)
    if rest and COMMAND.fullmatch(rest[0]):
        from .commands import COMMANDS

        name = rest[0]
        if name in ("help", "version"):
            return _word(name, rest[1:], COMMANDS)
        command = COMMANDS.get(name)
        if command is not None:
            try:
                # what stands behind the command of `run` is that command's own
                own = [*before, *rest[1:]] if name == "run" else [*rest[1:], *before]
                return name, command_parser(name, command).parse_args(own)
            except UsageError:
                if len(rest) <= LONGEST_SLIP or any(OPTION.match(word) for word in rest[1:]):
                    raise
        else:
            refuse_slip(rest, COMMANDS)
    return "ask", question_parser().parse_args(words)


def split_options(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The shared options that a line begins with, and what follows them."""
    at = 0
    while at < len(words):
        name = words[at].partition("=")[0]
        if name in FLAGS or (name in VALUED and "=" in words[at]):
            at += 1
        elif name in VALUED:
            at += 2
        else:
            break
    return list(words[:at]), list(words[at:])


def _word(name: str, rest: Sequence[str], commands: Mapping[str, Command]) -> tuple[str, argparse.Namespace]:
    """`help`, `help COMMAND` and `help kb new`, `version`: as the options of these names. Other words make it
    a question.
    """
    if name == "help" and rest and rest[0] in commands and len(rest) <= (2 if rest[0] == "kb" else 1):
        return rest[0], command_parser(rest[0], commands[rest[0]]).parse_args([*rest[1:], "--help"])
    if rest:
        return "ask", question_parser().parse_args([name, *rest])
    return "ask", question_parser().parse_args([f"--{name}"])


def refuse_slip(words: Sequence[str], commands: Mapping[str, Command]) -> None:
    """Raise UsageError where the first word is nearly a command and what follows is an entry's id, or
    nothing.
    """
    meant = near_command(words[0], [*commands, "help", "version"])
    if meant is None or not (len(words) == 1 or _is_id(words[1]) or words[1].startswith("-")):
        return
    line = " ".join(["torchwhy", meant, *words[1:]])
    raise UsageError(f"{words[0]}: no such command; did you mean {meant}? ({line})")


def near_command(word: str, names: Iterable[str]) -> str | None:
    """The command that a word is a slip of: one letter wrong, or two in a longer word."""
    slips = {name: distance(word, name) for name in names}
    best = min(slips, key=lambda name: (slips[name], abs(len(name) - len(word))))
    return best if 0 < slips[best] <= (2 if len(word) > MAX_SHORT_WORD else 1) else None


def distance(first: str, second: str) -> int:
    """Letters to add, leave out, change or exchange with their neighbour to get from one word to the
    other.
    """
    rows = [list(range(len(second) + 1))]
    for at, letter in enumerate(first, 1):
        row = [at]
        for to, other in enumerate(second, 1):
            steps = min(rows[-1][to] + 1, row[-1] + 1, rows[-1][to - 1] + (letter != other))
            if at > 1 and to > 1 and letter == second[to - 2] and first[at - 2] == other:
                steps = min(steps, rows[-2][to - 2] + 1)
            row.append(steps)
        rows.append(row)
    return rows[-1][-1]


def _is_id(word: str) -> bool:
    """Whether a word is written as ids are: small words joined by hyphens."""
    return re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)+", word) is not None
