"""Completion scripts for bash, zsh and fish, read from the parsers: so they never lag behind them.

The ids stand in the script itself, so that a key press starts no process at all; a shell that evaluates
`torchwhy completion SHELL` when it starts has those of today.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

SHELLS = ("bash", "zsh", "fish")
FILE = "a file"
# By what an argument is called in the help: what may stand there, as a shell's words.
OFFERS = dict.fromkeys(("FILE", "DIR", "PYTHON", "PATH"), FILE)
OFFERS |= dict.fromkeys(("id", "ID", "only"), "$ids") | dict.fromkeys(("CATEGORY", "category"), "$categories")


class Word(NamedTuple):
    """An option (`names`), or a positional argument (none). `offers`: what may stand there; "" any text, None
    nothing (a flag).
    """

    names: tuple[str, ...]
    offers: str | None
    help: str


class Form(NamedTuple):
    """A command, or a command's action (`kb new`): its words."""

    path: tuple[str, ...]
    help: str
    words: tuple[Word, ...]


class Known(NamedTuple):
    """What can be named: every form of a line, the ids and the categories of the knowledge base."""

    forms: Sequence[Form]
    ids: Sequence[str]
    categories: Sequence[str]

    def commands(self) -> list[Form]:
        return [form for form in self.forms if len(form.path) == 1]


def forms(parsers: Iterable[tuple[tuple[str, ...], argparse.ArgumentParser]]) -> Iterator[Form]:
    """The forms of these parsers, by their paths, and of the actions within them."""
    for path, parser in parsers:
        # argparse has no public way to its actions; every tool that completes reads this list
        actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
        yield Form(path, parser.description or "", tuple(map(_word, actions)))
        for action in actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from forms(((*path, name), inner) for name, inner in action.choices.items())


def _word(action: argparse.Action) -> Word:
    names = tuple(action.option_strings)
    shown = action.metavar if isinstance(action.metavar, str) else action.dest
    offers = " ".join(map(str, action.choices)) if action.choices else OFFERS.get(shown, "")
    return Word(names, None if names and action.nargs == 0 else offers, action.help or "")


def script(shell: str, known: Known) -> str:
    """The script for one of SHELLS."""
    return {"bash": bash, "zsh": zsh, "fish": fish}[shell](known)


def _cases(known: Known, indent: str) -> str:
    """A `case` over the line's path: what may follow, and after which options a value or a file stands.

    Sets `offer`, and `files` where a file may stand. bash and zsh read it alike.
    """
    lines = []
    for path, _, words in known.forms:
        options = [name for word in words for name in word.names if name.startswith("--")]
        after = [
            f"{indent}    {'|'.join(word.names)}) {_setting(word.offers)}; return ;;"
            for word in words
            if word.names and word.offers is not None
        ]
        free = [word.offers for word in words if not word.names and word.offers] if path else ["$commands"]
        start = _setting(next(iter(free))) if free else ":"
        lines.append(f'{indent}"{" ".join(path)}")')
        if after:
            lines += [f'{indent}  case "$before" in', *after, f"{indent}  esac"]
        dashed = f"offer={shlex.quote(' '.join(options))}"
        lines.append(f'{indent}  case "$current" in -*) {dashed} ;; *) {start} ;; esac ;;')
    return "\n".join(lines)


def _setting(offers: str) -> str:
    return "files=1" if offers == FILE else f'offer="{offers}"'


def _finder(known: Known) -> str:
    """The function that bash and zsh share: from the words before the cursor to what may stand there."""
    nested = " ".join(f'"{" ".join(form.path)}"' for form in known.forms if len(form.path) == 2)
    commands = " ".join([*(form.path[0] for form in known.commands()), "help", "version"])
    return f"""\
_torchwhy_find() {{
  local ids={shlex.quote(" ".join(known.ids))}
  local categories={shlex.quote(" ".join(known.categories))}
  local commands={shlex.quote(commands)}
  local current="$1" before="$2" line="" word
  shift 2
  offer="" files=""
  for word in "$@"; do
    case "$line" in
      "") case " $commands " in *" $word "*) line="$word" ;; esac ;;
      *" "*) ;;
      *) case '{nested}' in *"\\"$line $word\\""*) line="$line $word" ;; esac ;;
    esac
  done
  [ "$line" = run ] && files=1
  case "$line" in
{_cases(known, "    ")}
    help) offer="$commands" ;;
  esac
}}
"""


def bash(known: Known) -> str:
    """For `eval "$(torchwhy completion bash)"`."""
    return f"""\
# torchwhy in bash: eval "$(torchwhy completion bash)" in ~/.bashrc
{_finder(known)}
_torchwhy() {{
  local offer files current="${{COMP_WORDS[COMP_CWORD]}}"
  _torchwhy_find "$current" "${{COMP_WORDS[COMP_CWORD-1]}}" "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"
  COMPREPLY=($(compgen -W "$offer" -- "$current"))
  [ -n "$files" ] && compopt -o filenames && COMPREPLY+=($(compgen -f -- "$current"))
  return 0
}}
complete -F _torchwhy torchwhy
"""


def zsh(known: Known) -> str:
    """For `eval "$(torchwhy completion zsh)"`, below compinit."""
    return f"""\
#compdef torchwhy
# torchwhy in zsh: eval "$(torchwhy completion zsh)" in ~/.zshrc, below compinit
{_finder(known)}
_torchwhy() {{
  local offer files
  _torchwhy_find "${{words[CURRENT]}}" "${{words[CURRENT-1]}}" "${{(@)words[2,CURRENT-1]}}"
  [[ -n "$offer" ]] && compadd -- ${{(s: :)offer}}
  [[ -n "$files" ]] && _files
}}
compdef _torchwhy torchwhy
"""


def fish(known: Known) -> str:
    """For `torchwhy completion fish | source`."""
    names = " ".join(form.path[0] for form in known.commands())
    lines = [
        "# torchwhy in fish: torchwhy completion fish | source",
        f"set -g __torchwhy_ids {' '.join(known.ids)}",
        f"set -g __torchwhy_categories {' '.join(known.categories)}",
        "complete -c torchwhy -f",
    ]
    for form in known.forms:
        if form.path:
            test = " ; and ".join(f"__fish_seen_subcommand_from {name}" for name in form.path)
        else:
            test = f"not __fish_seen_subcommand_from {names}"
            for each in known.commands():
                about = _fish_quoted(each.help)
                lines.append(f"complete -c torchwhy -n '{test}' -a {each.path[0]} -d {about}")
        if form.path == ("run",):  # what it runs: a file, or any command with its own
            lines.append(f"complete -c torchwhy -n '{test}' -F")
        for word in form.words:
            lines.append(f"complete -c torchwhy -n '{test}' {_fish_word(word)}".rstrip())
    return "\n".join(lines) + "\n"


def _fish_word(word: Word) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in word.names]
    if word.names and word.offers is not None:
        parts.append("-r")
    if word.offers == FILE:
        parts.append("-F")
    elif word.offers:
        parts.append(f"-a {_fish_quoted(word.offers.replace('$', '$__torchwhy_'))}")
    if word.names and word.help:
        parts.append(f"-d {_fish_quoted(word.help)}")
    return " ".join(parts)


def _fish_quoted(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{plain}'"
