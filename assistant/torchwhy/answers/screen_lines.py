"""The first screen as lines of a terminal: at most MAX_LINES but for a long edit, no sentence cut off."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from torchwhy.text.phrases import phrase
from torchwhy.text.width import first_sentence, folded, shortened, width_of, wrapped

from .answer import Answer
from .change import Change, EditedLine, Tried
from .places import place_words
from .screen import Screen, screen_of

if TYPE_CHECKING:
    from torchwhy.paste.place import UserFrame

MAX_LINES = 14
MIN_WIDTH, MAX_WIDTH = 40, 100  # columns of a line, whatever the terminal has
MAX_ORIGINS, MIN_ORIGIN_CHARS = 4, 40  # lines that made the objects of the failing one
CHECK_INDENT = 10  # columns, as in a list of likely entries
# The most lines of each part; what does not fit whole is shortened (the message) or left out (a sentence).
MESSAGE_LINES, SAYS_LINES, TEXT_LINES, CODE_LINES, OTHER_LINES, TELL_LINES = 2, 4, 3, 6, 3, 2

Style = Literal["where", "code", "message", "plain", "before", "after", "label", "dim"]
# A style on a terminal (an attribute's number), in CSS (the letters keep the page's own colour) and by rich.
PLAIN, BOLD, RED = ("", "", ""), ("1", "font-weight:bold", "bold"), ("31", "background:#e74c3c33", "red")
STYLES: dict[Style, tuple[str, str, str]] = {
    "code": PLAIN,
    "plain": PLAIN,
    "where": BOLD,
    "label": BOLD,
    "message": RED,
    "before": RED,
    "after": ("32", "background:#2ecc7133", "green"),
    "dim": ("2", "opacity:0.7", "dim"),
}
STYLE_OF: dict[str, Style] = {"-": "before", "+": "after", " ": "code"}


class ScreenLine(NamedTuple):
    """One line, and what it is; `link` the file that it leads to, at line `at`, `page` the page of the site.

    A field for each, since a file's name comes from the text that was pasted and may read like an address.
    """

    text: str
    style: Style = "plain"
    link: str = ""
    page: str = ""
    at: int = 0


def screen_lines(
    answer: Answer,
    width: int = 80,
    under: Sequence[tuple[str, str]] = (),
    clean: Callable[[str], str] | None = None,
) -> list[ScreenLine]:
    """The first screen as lines of a terminal of that width, at most MAX_LINES and those of `under`.

    `under`: what is known of the values in the user's line, each with the line that made it; it stands below
    the message. Without it, where those values were made, as far as there is room. `clean` is given every
    text whole, before anything is cut from it.
    """
    screen = screen_of(answer)
    if clean is not None:
        screen = _cleaned(screen, clean)
    width = max(MIN_WIDTH, min(width, MAX_WIDTH))
    lines = _lines(screen, answer, width)
    under = under or _origins(answer, MAX_LINES - len(lines))
    if clean is not None:
        under = [(clean(what), clean(made)) for what, made in under]
    known = [ScreenLine(_beside(f"    {what}", made, width), "code") for what, made in under]
    at = len(_head(screen, answer.here, width))
    return [*lines[:at], *known, *lines[at:]]


def _cleaned(part: Any, clean: Callable[[str], str]) -> Any:
    """A part of a screen with all of its texts cleaned."""
    if isinstance(part, str):
        return clean(part)
    if isinstance(part, Screen | Change | EditedLine | Tried):
        return type(part)(*(_cleaned(each, clean) for each in part))
    if isinstance(part, tuple):
        return tuple(_cleaned(each, clean) for each in part)
    return part


def _beside(what: str, made: str, width: int) -> str:
    """A value and the line that made it, on one line of the screen: each keeps its beginning."""
    if not made:
        return shortened(what, width)
    arrow = "  ← "
    rest = min(width_of(made), MIN_ORIGIN_CHARS)
    what = shortened(what, max(width // 3, width - width_of(arrow) - rest))
    return shortened(f"{what}{arrow}{made}", width)


def _origins(answer: Answer, room: int) -> list[tuple[str, str]]:
    """Where the objects of the failing line were made, as far as there is room."""
    here = answer.here
    if here is None or not answer.evidence.origins:
        return []
    from .operand_origins import shown_origin

    edited = (answer.change.file, answer.change.line) if answer.change else None
    lines: dict[str, list[str]] = {}
    for each in answer.evidence.origins:
        if (each.file, each.line) != edited:
            lines.setdefault(shown_origin(each, here, answer.lang), []).append(each.name)
    shown = [(", ".join(names), line) for line, names in lines.items()]
    return shown[: max(0, min(room, MAX_ORIGINS))]


def _lines(screen: Screen, answer: Answer, width: int) -> list[ScreenLine]:
    lang = answer.lang
    head = _head(screen, answer.here, width)
    if screen.degree in ("family", "listed", "no-error", "python", "unknown"):
        body = _paragraph(screen.certainty, width, SAYS_LINES) + _paragraph(screen.package, width, 2)
        foot = [ScreenLine(shortened(f"{what}{command}", width), "dim") for command, what in screen.next]
        foot += _page_line(screen, lang)
        gap = [ScreenLine("")] if head else []
        room = MAX_LINES - len(head) - len(gap) - len(foot)
        for each in screen.tell:
            more = _paragraph(each, width, TELL_LINES + 1)
            if len(body) + len(more) > room:
                break
            body += more
        return [*head, *gap, *body[:room], *foot][:MAX_LINES]
    if screen.found:  # which settles it
        screen = screen._replace(tell=())
    foot = _foot(screen, width, lang)
    # what stands in the user's own code tells more than what may be behind the message
    said, most = (first_sentence(screen.says), 2) if screen.found else (screen.says, SAYS_LINES)
    # a long one is better than none
    says = _paragraph(said, width, most) or _paragraph(said, width, most + 1)
    found = _paragraph(screen.found or screen.closest, width, SAYS_LINES)
    room = MAX_LINES - len(head) - len(foot) - len(found) - 1
    change = _change(screen, width, lang, room - len(says))
    # what is to be changed goes before what it is changed for
    while screen.change and len(says) > 1 and _is_cut(change, screen, width, lang):
        says = says[:0] if found else _paragraph(said, width, len(says) - 1)
        change = _change(screen, width, lang, room - len(says))
    says += found
    lines = [*head, *([ScreenLine("")] if head or not screen.found else []), *says, *change]
    gap = [ScreenLine("")] if len(lines) + len(foot) < MAX_LINES else []
    return [*lines, *gap, *foot][: max(MAX_LINES, len(lines))]


def _head(screen: Screen, here: UserFrame | None, width: int) -> list[ScreenLine]:
    link, at = (here.file, here.line or 0) if here else ("", 0)
    lines = []
    if screen.where and screen.code and width_of(screen.where) + width_of(screen.code) + 4 <= width:
        gap = " " * max(4, min(35, width - width_of(screen.code)) - width_of(screen.where))
        lines.append(ScreenLine(screen.where + gap + screen.code, "where", link, at=at))
    elif screen.where:
        lines += [ScreenLine(each, "where", link, at=at) for each in wrapped(screen.where, width)[:2]]
        lines += [ScreenLine(shortened(f"    {screen.code}", width), "code")] if screen.code else []
    lines += [ScreenLine(each) for each in wrapped(screen.echo, width)[:1]]
    message = wrapped(screen.message, width)
    if len(message) > MESSAGE_LINES:
        message = [*message[: MESSAGE_LINES - 1], shortened(" ".join(message[MESSAGE_LINES - 1 :]), width)]
    return lines + [ScreenLine(each, "message") for each in message]


def _paragraph(text: str, width: int, most: int) -> list[ScreenLine]:
    """A text as lines; nothing where it does not fit whole, and its first sentence does not either."""
    for each in (text, first_sentence(text)):
        lines = wrapped(each, width)
        if lines and len(lines) <= most:
            return [ScreenLine(line) for line in lines]
    return []


def _change(screen: Screen, width: int, lang: str, room: int) -> list[ScreenLine]:
    """The change, and the alternative where there is room for all of it; where none is shown, the check."""
    lines = _change_lines(screen.change, width, lang, room) if screen.change else []
    label = phrase("screen_first_check", lang, check="").rstrip()
    return lines or _labelled_whole(label, screen.check, width, CHECK_INDENT)


def _change_lines(change: Change, width: int, lang: str, room: int) -> list[ScreenLine]:
    label = phrase("screen_usual" if change.usual else "screen_change", lang)
    indent = " " * (width_of(label) + 2)
    if change.lines:
        told = phrase("screen_proved", lang, count=str(change.proved)) if change.proved else ""
        lines: list[ScreenLine] = []
        next_line: tuple[str, int] | None = None
        for each in change.lines:
            place = place_words(os.path.basename(each.file), each.line, lang)
            if not lines or (each.file, each.line) != next_line:
                parts = (label, place, told) if not lines else (indent[2:], place)
                head = shortened("  ".join(filter(None, parts)), width)
                lines.append(ScreenLine(head, "label", each.file, at=each.line))
            next_line = each.file, each.line + 1
            lines += _edit_rows(each, width - 4)
        room = max(room, len(lines))  # a part of an edit is none
        if change.tried is not None and change.tried.verdict == "runs":
            name = "screen_tried_gives" if change.tried.gives else "screen_tried"
            lines.append(ScreenLine(f"    {phrase(name, lang, gives=change.tried.gives)}", "dim"))
    else:
        lines = _labelled_whole(label, change.text, width, len(indent))
        lines += _code_lines(change, lang, width, room - len(lines), lines, label)
    other = _labelled(phrase("screen_or", lang), change.alternative, width, OTHER_LINES, len(indent))
    return lines + other if len(lines) + len(other) <= room else lines[: max(room, 1)]


def _edit_rows(edit: EditedLine, width: int) -> list[ScreenLine]:
    """What goes, comes and stays, whole."""
    lines = []
    for sign, row in edit.rows():
        parts = zip((f"  {sign} ", *["    "] * len(row)), folded(row, width), strict=False)
        lines += [ScreenLine(start + part, STYLE_OF[sign]) for start, part in parts]
    return lines


def _code_lines(
    change: Change, lang: str, width: int, room: int, above: Sequence[ScreenLine], label: str
) -> list[ScreenLine]:
    """The code of a change, marked as an example (its names are not the user's) unless it is a command of
    this machine.
    """
    indent = " " * (width_of(label) + 2)
    head = [phrase("screen_example", lang)] if change.code and not change.ready else []
    most = max(0, min(CODE_LINES, room) - len(head))
    code = _code(change.code, width - len(indent), most)
    if not code:
        return []
    lines = [ScreenLine(indent + each, "label") for each in head] + [
        ScreenLine(indent + each, "after") for each in code
    ]
    if not above:
        lines[0] = lines[0]._replace(text=label + lines[0].text[width_of(label) :], style="label")
    return lines


def _is_cut(lines: list[ScreenLine], screen: Screen, width: int, lang: str) -> bool:
    """Whether these lines leave out a part of what is to be changed."""
    bare = screen.change and screen.change._replace(alternative="")
    return len(lines) < len(_change(screen._replace(change=bare), width, lang, MAX_LINES))


def _code(code: str, width: int, most: int) -> list[str]:
    """Code as lines, long ones folded; nothing where there is no room for all of it, since code that was cut
    cannot be used.
    """
    whole = [part for line in code.splitlines() for part in folded(line, width)]
    return whole if len(whole) <= most else []


def _labelled(label: str, text: str, width: int, most: int, indent: int = 0) -> list[ScreenLine]:
    """A text beside its label, all of it or its first sentence or nothing."""
    indent = indent or width_of(label) + 2
    for each in (text, first_sentence(text)):
        lines = wrapped(each, width - indent)
        if lines and len(lines) <= most:
            start = label + " " * (indent - width_of(label))
            rest = [ScreenLine(" " * indent + line) for line in lines[1:]]
            return [ScreenLine(start + lines[0], "label"), *rest]
    return []


def _labelled_whole(label: str, text: str, width: int, indent: int) -> list[ScreenLine]:
    """What there is to do, beside its label: a long one is better than none."""
    lines = _labelled(label, text, width, TEXT_LINES, indent)
    return lines or _labelled(label, text, width, MAX_LINES, indent)


def _foot(screen: Screen, width: int, lang: str) -> list[ScreenLine]:
    """How sure, what would settle it, and the commands for more."""
    lines = []
    tell = f"{screen.certainty}{phrase('screen_to_tell', lang)}{''.join(screen.tell)}"
    if screen.tell and screen.change and len(wrapped(tell, width)) <= TELL_LINES:
        lines += [ScreenLine(each, "dim") for each in wrapped(tell, width)]
        commands = list(screen.next)
    else:
        first = f"{screen.certainty}  ·  {screen.next[0][1]}{screen.next[0][0]}"
        if width_of(first) <= width:
            lines, commands = [ScreenLine(first, "dim")], list(screen.next[1:])
        else:
            lines, commands = [ScreenLine(screen.certainty, "dim")], list(screen.next)
    lines += [ScreenLine(shortened(f"{what}{command}", width), "dim") for command, what in commands]
    if screen.page:
        lines = [each._replace(page=screen.page) if "torchwhy show " in each.text else each for each in lines]
    return lines + _page_line(screen, lang)


def _page_line(screen: Screen, lang: str) -> list[ScreenLine]:
    """The address of the page, whole: a shortened one leads nowhere."""
    if not screen.page:
        return []
    return [ScreenLine(phrase("screen_page", lang) + screen.page, "dim", page=screen.page)]
