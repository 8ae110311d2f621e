"""Completion scripts for bash, zsh and fish.

The ids stand in the script itself, so that a key press starts no process at all; a shell that evaluates
`torchwhy completion SHELL` when it starts has those of today.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from .words import Form, Word

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class Known:
    """What can be named: every form of a line, the ids and the categories of the knowledge base."""

    forms: Sequence[Form]
    ids: Sequence[str]
    categories: Sequence[str]

    def values(self, word: Word) -> Sequence[str]:
        """What may stand there; nothing where any text may."""
        return {"id": self.ids, "category": self.categories, "choice": word.choices}.get(word.kind, ())

    def commands(self) -> list[Form]:
        return [form for form in self.forms if len(form.path) == 1]


def script(shell: str, known: Known) -> str:
    """The script for one of SHELLS."""
    return {"bash": bash, "zsh": zsh, "fish": fish}[shell](known)


def _cases(known: Known, indent: str) -> str:
    """A `case` over the line's path: what may follow, and after which options a value or a file stands.

    Sets `offer`, and `files` where a file may stand. bash and zsh read it alike.
    """
    lines = []
    for form in known.forms:
        path = " ".join(form.path)
        after = []
        for word in form.options:
            if word.kind == "flag":
                continue
            names = "|".join(word.names)
            what = "files=1" if word.kind == "file" else f'offer="{_listed(word, known)}"'
            after.append(f"{indent}    {names}) {what}; return ;;")
        options = [name for word in form.options for name in word.names if name.startswith("--")]
        positional = [_listed(word, known) for word in form.positional if known.values(word)]
        if not form.path:
            positional = ["$commands"]
        lines.append(f'{indent}"{path}")')
        if after:
            lines += [f'{indent}  case "$before" in', *after, f"{indent}  esac"]
        free = "files=1" if any(word.kind == "file" for word in form.positional) else ":"
        start = f'offer="{" ".join(positional)}"' if positional else free
        dashed = f"offer={shlex.quote(' '.join(options))}"
        lines.append(f'{indent}  case "$current" in -*) {dashed} ;; *) {start} ;; esac ;;')
    return "\n".join(lines)


def _listed(word: Word, known: Known) -> str:
    """What may stand there, as the inside of a string in double quotes; ids and choices need no escapes."""
    if word.kind in ("id", "category"):
        return "$ids" if word.kind == "id" else "$categories"
    return " ".join(known.values(word))


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
            lines.append(f"complete -c torchwhy -n '{test}' {_fish_word(word, known)}".rstrip())
    return "\n".join(lines) + "\n"


def _fish_word(word: Word, known: Known) -> str:
    parts = []
    for name in word.names:
        parts.append(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}")
    if word.names and word.kind != "flag":
        parts.append("-r")
    if word.kind == "file":
        parts.append("-F")
    elif word.kind in ("id", "category"):
        parts.append("-a '$__torchwhy_ids'" if word.kind == "id" else "-a '$__torchwhy_categories'")
    elif known.values(word):
        parts.append(f"-a {_fish_quoted(' '.join(known.values(word)))}")
    if word.names and word.help:
        parts.append(f"-d {_fish_quoted(word.help)}")
    return " ".join(parts)


def _fish_quoted(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{plain}'"
