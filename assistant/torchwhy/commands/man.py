"""`torchwhy man`: the manual page, made from the parsers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from torchwhy.cli.options import EXAMPLES
from torchwhy.runtime.settings import SETTINGS
from torchwhy.version import __version__

from .words import Form, Word, forms

HELP = "print the manual page (torchwhy man | man -l -)"
STATUSES = (
    ("0", "answered; a proof confirmed or reproduced"),
    ("1", "nothing fits; a proof did not reproduce"),
    ("2", "the request was wrong, in one line on standard error"),
    ("3, 4, 5", "a proof: another failure, a fix that was not shown, a broken entry"),
    ("124, 125", "a proof: out of time; cannot run here"),
    ("130", "interrupted"),
)
HELP_LINES = 3  # of --help, every parser's first word


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has none."""


def run(args: argparse.Namespace) -> int:
    sys.stdout.write(page(forms(args.parsers())))
    return 0


def page(every: Sequence[Form]) -> str:
    """The page in the macros of man(7)."""
    question, *commands = every
    lines = [
        f'.TH TORCHWHY 1 "" "torchwhy {__version__}" "User Commands"',
        ".SH NAME",
        r"torchwhy \- why did my PyTorch program fail?",
        ".SH SYNOPSIS",
        r".B torchwhy",
        r"[\fIOPTION\fR]... [\fITEXT\fR]...",
        ".br",
        r".B torchwhy",
        r"\fICOMMAND\fR [\fIOPTION\fR]... [\fIARGUMENT\fR]...",
        ".SH DESCRIPTION",
        _escaped(
            "Answers a pasted error, a log, or a question in words (English or Chinese) with the pitfall "
            "behind it, its fix, and a proof on this machine. Offline."
        ),
        ".SH OPTIONS",
        *_words(question),
        ".SH COMMANDS",
    ]
    for form in commands:
        shown = " ".join(word.shown for word in form.positional)
        lines += [f".SS {_escaped(' '.join(form.path))} {_escaped(shown)}".rstrip(), _escaped(form.help)]
        lines += _words(form)[HELP_LINES:]  # --help stands among the options of all
    lines += [".SH EXAMPLES", ".nf", *(_escaped(line) for line in EXAMPLES.splitlines()[1:]), ".fi"]
    lines.append(".SH EXIT STATUS")
    for status, meaning in STATUSES:
        lines += [".TP", rf"\fB{status}\fR", _escaped(meaning)]
    lines.append(".SH ENVIRONMENT")
    for setting in SETTINGS:
        default = f" (default: {setting.default})" if setting.default else ""
        lines += [".TP", rf"\fB{setting.name}\fR", _escaped(setting.meaning.replace("`", "") + default)]
    return "\n".join(lines) + "\n"


def _words(form: Form) -> list[str]:
    """Each word of a form with its help."""
    lines = []
    for word in form.words:
        if word.names or word.help:
            lines += [".TP", _head(word), *([_escaped(word.help)] if word.help else [])]
    return lines


def _head(word: Word) -> str:
    value = rf" \fI{_escaped(word.shown)}\fR" if word.kind != "flag" else ""
    if not word.names:
        return value.strip()
    return ", ".join(rf"\fB{_escaped(name)}\fR" for name in word.names) + value


def _escaped(text: str) -> str:
    """The text as roff prints it: its backslashes, hyphens of options, and no line that begins as a macro."""
    text = " ".join(text.split(" ")).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text
