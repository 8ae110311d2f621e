"""How one command line is parsed: as a command, or as a question."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from torchwhy.errors import UsageError
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.plain import escaped

from .options import FIRST_LINES, SHARED, Parser, add_flags, add_shared

if TYPE_CHECKING:
    from torchwhy.extend import Command

FOR_MAINTAINERS = ("kb", "index", "eval")  # commands that are listed apart
FOR_SET_UP = ("doctor", "completion", "mcp", "lsp")  # and those of the first day
COMMAND = lazy_compile(r"[a-z]+")  # what the first word of a line must look like to be a command at all
FLAGS = frozenset(["--json", "--no-vectors"])  # shared options that may stand before a command
VALUED = frozenset(["--lang", "--kb", "--model"])
LONGEST_SLIP = 2  # words of a line that begins with a command and is taken for one, even if it does not parse
MIN_ALIKE = 0.75  # of a word that is a slip of a command, by difflib's ratio: two letters exchanged in four
# Other words for a command.
SYNONYMS = {
    "describe": "show",
    "diagnose": "show",
    "explain": "show",
    "fix": "show",
    "why": "show",
    "exec": "run",
    "lint": "check",
    "prove": "confirm",
    "watch": "run --watch",
}
WANTED = {"show": "ID", "confirm": "ID", "run": "train.py", "check": "train.py"}  # to a lone synonym
ID = lazy_compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
PLACE = lazy_compile(r"[./\\]")  # in what is a path and no word that happens to name a folder
FILES = (".py", ".ipynb", ".log", ".txt", ".out", ".err", ".json", ".jsonl")  # by their names' endings
OPTION = lazy_compile(r"--|-[a-zA-Z]\Z")  # on a line with one of these, a slip is no question


class FirstHelp(Parser):
    """Its help fits a small terminal: what to type, and the commands, which a question does not import."""

    def format_help(self) -> str:
        from torchwhy.extend import COMMANDS

        everyday = [name for name in COMMANDS if name not in (*FOR_MAINTAINERS, *FOR_SET_UP)]
        commands = "".join(f"  {name:8} {COMMANDS[name].HELP}\n" for name in everyday)
        return (
            f"{self.description}\n\n{FIRST_LINES}\n"
            f"commands (torchwhy help COMMAND; options of a question: torchwhy help ask)\n{commands}"
            f"  set-up: {', '.join(FOR_SET_UP)}; your own entries: {', '.join(FOR_MAINTAINERS)}\n"
        )


def question_parser(kind: type[Parser] = FirstHelp) -> Parser:
    """The parser of a question; as `Parser` its help lists the options."""
    from torchwhy.version import __version__

    parser = kind(
        prog="torchwhy",
        description="Why did my PyTorch program fail?",
    )
    parser.add_argument(
        "text", nargs="*", help="an error, a question in words, or a log file (default: standard input)"
    )
    add_shared(parser, "file")
    add_flags(parser, full="the whole page: why, every fix, evidence, sources")
    parser.add_argument(
        "--code",
        action="append",
        metavar="PATH",
        help="your program, read and never run: what `check` finds there is evidence for a symptom in words",
    )
    add_flags(
        parser,
        no_source="do not look into the file that the traceback names (it is read to show the change as an "
        "edit)",
        confirm="prove the diagnosis here as well",
        rewrite="in the words of your own model (TORCHWHY_LLM_URL, TORCHWHY_LLM_MODEL); secrets taken out",
        ask_model="which of the ten best candidates your own language model would choose; secrets taken out",
        machine="look at this machine's facts: GPU, driver, torch, memory, limits",
    )
    python = f"with --machine or --confirm: {SHARED['python'][1]}"
    parser.add_argument("--python", metavar="PYTHON", help=python)
    parser.add_argument("--version", action="version", version=f"torchwhy {__version__}")
    add_shared(parser, "json", "lang", "kb", "model", "no-vectors")
    return parser


def command_parser(name: str, command: Command) -> Parser:
    parser = Parser(prog=f"torchwhy {name}", description=command.HELP)
    command.add_arguments(parser)
    return parser


def parsers() -> list[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """The question's parser (an empty path), then every command's in the order of the help."""
    from torchwhy.extend import COMMANDS

    every = [((name,), command_parser(name, command)) for name, command in COMMANDS.items()]
    return [((), question_parser()), *every]


def parse_line(words: Sequence[str]) -> tuple[str, argparse.Namespace]:
    """(command or "ask", its arguments). A word is a command only when the whole line parses as one. Raises
    UsageError.

    Options that every command shares may stand before the command as well.
    """
    before, rest = split_options(words)
    if rest and COMMAND.fullmatch(rest[0]):
        from torchwhy.extend import COMMANDS

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
        elif len(rest) > 1 or not os.path.exists(name):
            refuse_slip(rest, COMMANDS)
            # another word for `show` before one text: it asks the text, as `torchwhy why "loss is nan"`
            if SYNONYMS.get(name) == "show" and len(rest) == 2 and " " in rest[1]:
                rest = rest[1:]
                words = [*before, *rest]
    refuse_program(rest)
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
    """`help`, `help COMMAND`, `help ask` and `help kb new`, `version`: as the options of these names. Other
    words make it a question.
    """
    if name == "help" and rest == ["ask"]:
        return "ask", question_parser(Parser).parse_args(["--help"])
    if name == "help" and rest and rest[0] in commands and len(rest) <= (2 if rest[0] == "kb" else 1):
        return rest[0], command_parser(rest[0], commands[rest[0]]).parse_args([*rest[1:], "--help"])
    if rest:
        return "ask", question_parser().parse_args([name, *rest])
    return "ask", question_parser().parse_args([f"--{name}"])


def refuse_slip(words: Sequence[str], commands: Mapping[str, Command]) -> None:
    """Raise UsageError where the first word is nearly a command, or another word for one, and what follows
    reads as that command's arguments: not as the rest of a sentence.
    """
    word, rest = words[0], list(words[1:])
    meant = _meant_line(word, rest, commands)
    if meant is not None:
        line = _line_of(meant)
        raise UsageError(f"there is no command `{word}`: did you mean `{line}`?")


def _meant_line(word: str, rest: list[str], commands: Mapping[str, Command]) -> list[str] | None:
    """The line that was meant; None where this is no slip of one."""
    if rest and not any(map(_is_argument, rest)):
        return None
    import difflib

    near = difflib.get_close_matches(word, [*commands, "help", "version"], cutoff=MIN_ALIKE)
    for each in [SYNONYMS[word]] if word in SYNONYMS else near:
        name, *options = each.split()
        if word in SYNONYMS and not rest:
            return [*each.split(), WANTED[name]]
        if name == "show" and len(rest) == 1 and _is_path(rest[0]):  # what explains a file is the question
            return _program_line(rest) or rest
        line = [name, *options, *rest]
        if line in (["help"], ["version"]) or (name in commands and _is_line(line, commands[name])):
            return line
    return None


def _is_line(line: list[str], command: Command) -> bool:
    """Whether this is a line of the command, and no sentence that its parser would take."""
    words = [
        each
        for each, before in zip(line[1:], line, strict=False)
        if not before.startswith("--") and not _is_argument(each)
    ]
    if words and line[0] != "run":  # behind which stands another program's line, of any words
        return False
    try:
        command_parser(line[0], command).parse_args(line[1:])
    except UsageError:
        return False
    return True


def refuse_program(words: Sequence[str]) -> None:
    """Raise UsageError where the line is a program's (what it prints can be answered, not its source), or
    names a log that is not there.
    """
    if not words or not (len(words) == 1 or OPTION.match(words[1])):
        return
    if not os.path.exists(words[0]):
        if os.path.splitext(words[0])[1] in FILES:
            raise UsageError(f"{escaped(words[0])}: no such file")
        return
    if not os.path.isfile(words[0]):
        return
    meant = _program_line(words)
    if meant is not None:
        line, check = map(_line_of, (meant, ["check", words[0]]))
        also = f" (`{check}` reads it without running it)" if line != check else ""
        raise UsageError(f"{escaped(words[0])} is a program: did you mean `{line}`?{also}")


def _line_of(words: Sequence[str]) -> str:
    import shlex

    return escaped(shlex.join(["torchwhy", *words]))


def _program_line(words: Sequence[str]) -> list[str] | None:
    """What to do with a program: `run` a script, `check` a notebook; None for another file."""
    ending = os.path.splitext(words[0])[1]
    return {".py": ["run", *words], ".ipynb": ["check", words[0]]}.get(ending)


def _is_argument(word: str) -> bool:
    """Whether a word is written as an option, an entry's id (small words joined by hyphens) or a file is."""
    return word.startswith("-") or ID.fullmatch(word) is not None or _is_path(word)


def _is_path(word: str) -> bool:
    return os.path.splitext(word)[1] in FILES or (PLACE.search(word) is not None and os.path.exists(word))
