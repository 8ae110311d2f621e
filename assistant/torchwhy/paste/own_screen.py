"""torchwhy's own screen in a paste, as a copied terminal has it: known by its form, and left out but for the
message in it where nothing else has that.
"""

from __future__ import annotations

from torchwhy.text.lazy_re import lazy_compile

MAX_SCREENS, MAX_SCREEN_LINES = 8, 40  # that are looked for, the last ones; of one
MIN_TOLD_CHARS, MAX_TOLD_CHARS = 12, 40  # of a message, by which it is found again above
# `why, other fixes: torchwhy show ID`, in either language: the last lines of every screen
FOOT = lazy_compile(r"[:：] ?torchwhy (?:show|confirm|report|chat)(?: [\w-]+)?\s*$")
# `train.py:6 in main       return emb(x)`: its first line, where the message has a place; on a narrow one the
# code stands below
HEAD = lazy_compile(r"(?:\S+ )?\S+:\d+(?: in \S+|（\S+ 函数）)?(?:  +\S|$)")
HEAD_LINES = 3  # place, code, the message's first


def without_own_screens(lines: list[str]) -> list[str]:
    """The lines with those of a screen empty, so that every other one keeps its number."""
    feet = [at for at, line in enumerate(lines) if "torchwhy " in line and FOOT.search(line)]
    for foot in reversed(feet[-MAX_SCREENS:]):
        if not lines[foot]:
            continue  # of a screen with several of them
        first = _first_line(lines, foot)
        lines = [*lines[:first], *[""] * (foot + 1 - first), *lines[foot + 1 :]]
    return lines


def _first_line(lines: list[str], foot: int) -> int:
    """The first line of a screen that goes; what stands above it, in the screen, is kept."""
    while foot and lines[foot - 1].strip():  # what follows the message stands apart from it
        foot -= 1
    for at in range(foot - 1, max(-1, foot - MAX_SCREEN_LINES), -1):
        if at == 0 or not lines[at - 1].strip() or "torchwhy " in lines[at - 1]:  # the command
            if any(_stands_above(lines, each) for each in range(at, min(at + HEAD_LINES, foot))):
                return at
            if HEAD.match(lines[at]):
                code_below = lines[at + 1].startswith("    ")
                return _end_of_message(lines, at + 1 + code_below)
    return foot


def _stands_above(lines: list[str], at: int) -> bool:
    """Whether a line says what was said further up."""
    told = _squeezed(lines[at : at + 1]).rstrip("…")[:MAX_TOLD_CHARS]
    return at > 0 and len(told) >= MIN_TOLD_CHARS and told in _squeezed(lines[:at])


def _end_of_message(lines: list[str], at: int) -> int:
    """Behind the lines of a message: where one is empty, or tells of a value."""
    while at < len(lines) and lines[at].strip() and not lines[at].startswith("    "):
        at += 1
    return at


def _squeezed(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
