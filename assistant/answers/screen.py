"""The first screen of an answer: where, what, what the numbers mean, the change, one alternative, how sure,
what next.

`screen_of` gives its parts as data, `screen_lines` as at most MAX_LINES lines of a terminal.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from assistant.knowledge.site import page_of_entry, page_of_family
from assistant.paste.place import Here, Package
from assistant.runtime.json_types import JSONObject
from assistant.text.plain import escaped
from assistant.text.width import first_sentence, folded, shortened, width_of, wrapped

from .answer import Answer, FamilyMatch, Match
from .change import Change
from .in_code import finding_of, found_says, others_of
from .origins import shown_origin
from .own_names import in_own_names
from .phrases import phrase
from .reasons import percent
from .unknown_page import search_line

Degree = Literal["sure", "likely", "family", "python", "no-error", "unknown"]
SURE_FROM = 0.85  # below it an answer says that it is not sure, and what would settle it
MIN_NEAREST = 0.01  # of a candidate that is named where nothing fits
MAX_NEAREST = 2
MAX_MEMBERS = 3  # of a family that are named
MAX_LINES = 14
MIN_WIDTH, MAX_WIDTH = 40, 100  # columns of a line, whatever the terminal has
MAX_SAYS_CHARS = 300  # what an entry says beyond that is left to `--full`
SENTENCE_END = re.compile(r"[.!?](?= [A-Z`])|。(?=.)")
MAX_PLACE_CHARS = 48
MAX_ORIGINS, MIN_ORIGIN_CHARS = 4, 40  # lines that made the objects of the failing one
# The most lines of each part; what does not fit whole is shortened (the message) or left out (a sentence).
MESSAGE_LINES, SAYS_LINES, CODE_LINES, OTHER_LINES, TELL_LINES = 2, 3, 4, 2, 2
EDIT_LINES = 3  # of the line as it is to be

Style = Literal["where", "code", "message", "plain", "before", "after", "label", "dim"]


@dataclass(frozen=True, slots=True)
class Screen:
    """The parts of a first screen, in the answer's language.

    `found`: where the user's code shows the mistake, and what is wrong there. `tell`: what would settle a
    doubt; `next`: commands; `page`: on the documentation site, where one is set.
    """

    degree: Degree
    certainty: str
    where: str = ""
    code: str = ""
    echo: str = ""
    message: str = ""
    package: str = ""
    says: str = ""
    change: Change | None = None
    tell: tuple[str, ...] = ()
    next: tuple[tuple[str, str], ...] = ()
    page: str | None = None
    found: str = ""


class Line(NamedTuple):
    """One line, and what it is; `link` the file that it leads to, `page` the page of the site.

    Two fields, since a file's name comes from the text that was pasted and may read like an address.
    """

    text: str
    style: Style = "plain"
    link: str = ""
    page: str = ""


def screen_of(answer: Answer) -> Screen:
    """The parts, whatever the answer is."""
    lang, root, here = answer.lang, answer.root, answer.here
    degree = degree_of(answer)
    message = ""
    if root is not None:
        message = " ".join((f"{root.exception}: {root.message}" if root.exception else root.message).split())
        message = message.removesuffix(":")
    package = answer.package
    where, code = _where(here, package, lang), here.code if here else ""
    if answer.match is not None:
        return _of_match(answer, answer.match, degree, (where, code, message))
    if answer.family is not None:
        return _of_family(answer, answer.family, (where, code, message))
    if degree == "no-error":
        return Screen(degree, _no_error(answer), next=tuple(_of_code(answer)))
    own = answer.python_error
    if own is not None:
        says = phrase("own_raised" if own.raised else "own", lang)
        hint = own_hint(own.exception, own.message, lang)
        near = phrase("own_near", lang, names=", ".join(own.near)) if own.near else ""
        return Screen(
            degree,
            says,
            where,
            code,
            _echo(answer),
            message,
            "",
            "",
            None,
            tuple(each for each in (hint, near) if each),
        )
    return Screen(
        degree,
        _unknown(answer),
        where,
        code,
        _echo(answer),
        message,
        _package_says(package, lang),
        "",
        None,
        (*_searched(answer), *_nearest(answer)),
        (*_of_code(answer), *_onward(answer)),
    )


def degree_of(answer: Answer) -> Degree:
    """How sure the answer is, as it is said."""
    if answer.family is not None:
        return "family"
    if answer.match is not None:
        return "sure" if answer.match.probability >= SURE_FROM else "likely"
    if answer.python_error is not None:
        return "python"
    lines = [line for line in answer.paste.lines if line.strip()]
    log = answer.root is None and len(lines) > 1 and not answer.paste.words and not answer.paste.foreign
    return "no-error" if log else "unknown"


def _of_match(answer: Answer, match: Match, degree: Degree, head: tuple[str, str, str]) -> Screen:
    lang = answer.lang
    sure = percent(match.probability)
    if not answer.calibrated:
        sure += ("，" if lang == "zh" else ", ") + phrase("screen_uncalibrated", lang)
    tell: tuple[str, ...] = ()
    if degree == "likely":
        tell = tuple(each for each in [first_sentence(match.pitfall.check[lang])] if each)
    entry = match.pitfall
    commands = [(f"torchwhy show {match.id}", phrase("screen_more", lang))]
    if entry.repro:
        commands.append((f"torchwhy confirm {match.id}", phrase("screen_proof", lang)))
    commands += _of_code(answer)
    found = finding_of(answer, match)
    change = answer.change
    if found is not None and (change is None or not change.before):
        change = Change("", found.fix[lang], "", "", found.path, found.line, found.text.strip())
    package = answer.package if answer.change is None or not answer.change.before else None
    if package is not None and _speaks_of(match, package):
        package = None  # the entry says what to do about it; "upgrade it" would lead away from that
    return Screen(
        degree,
        phrase(f"screen_{degree}", lang, percent=sure),
        head[0],
        head[1],
        _echo(answer),
        head[2],
        _package_says(package, lang),
        _says(answer, match),
        change or _of_entry(match, lang, answer.own_names),
        tell,
        tuple(commands),
        page_of_entry(entry, lang),
        found_says(answer, match),
    )


def _speaks_of(match: Match, package: Package) -> bool:
    """Whether the entry itself names the package in what it is, why, or what to do."""
    entry = match.pitfall
    name = package.name.lower().replace("_", "-")
    return any(
        name in text.en.lower().replace("_", "-")
        for text in (entry.title, entry.cause, entry.fix, entry.check)
    )


def _of_code(answer: Answer) -> list[tuple[str, str]]:
    """The command that shows what else is wrong in the code that was given."""
    others = others_of(answer)
    if not others:
        return []
    paths = " ".join(shlex.quote(escaped(path)) for path in dict.fromkeys(each.path for each in others))
    return [(f"torchwhy check {paths}", phrase("code_others", answer.lang, count=str(len(others))))]


def _of_family(answer: Answer, family: FamilyMatch, head: tuple[str, str, str]) -> Screen:
    """What it may be, where the user's code shows it, and the check that tells most."""
    lang = answer.lang
    sure = phrase("sure", lang, percent=percent(family.probability))
    tell = []
    for each in family.members[:MAX_MEMBERS]:
        entry = f"{each.id} ({percent(each.probability)}): {each.pitfall.title[lang]}"
        found = found_says(answer, each)
        tell += [phrase("screen_may_be", lang, entry=entry), *([found] if found else [])]
    tell += [phrase("screen_first_check", lang, check=check.ask[lang]) for check in family.checks[:1]]
    return Screen(
        "family",
        f"{family.family.title[lang]} · {phrase('family', lang)} · {sure}",
        *head[:2],
        message=head[2],
        tell=tuple(tell),
        next=(
            ("torchwhy chat", phrase("screen_asks_on", lang)),
            ("--full", phrase("screen_all_checks", lang)),
            *_of_code(answer),
        ),
        page=page_of_family(family.family, lang),
    )


def _says(answer: Answer, match: Match) -> str:
    """One sentence: what the numbers of the message mean, else the title."""
    if answer.change is not None and answer.change.says:
        return answer.change.says
    said = map(_fitting, match.says.get(answer.lang, ()))
    return next(filter(None, said), answer.title)


def _fitting(text: str) -> str:
    """The text, or its first sentences as far as they fit and a mark that more follows; "" if none fits."""
    if len(text) <= MAX_SAYS_CHARS:
        return text
    ends = [found.end() for found in SENTENCE_END.finditer(text, 0, MAX_SAYS_CHARS)]
    return f"{text[: ends[-1]]} ..." if ends else ""


def _of_entry(match: Match, lang: str, names: Mapping[str, str]) -> Change | None:
    """The change that the entry asks for whatever the message; None where one of its other wordings may want
    it and this one is explained by a sentence of its own.
    """
    entry = match.pitfall
    explained = match.signature is not None and bool(entry.signatures[match.signature].says)
    if explained and len(entry.signatures) > 1:
        return None
    return in_own_names(_from_fix(match, lang), names)


def _from_fix(match: Match, lang: str) -> Change:
    """The beginning of the entry's fix: its first sentence, and the code that follows it."""
    fix = match.pitfall.fix[lang].strip()
    lead, fenced, rest = fix.partition("```")
    code = rest.split("```")[0].partition("\n")[2].strip("\n") if fenced else ""
    text = " ".join(lead.split())
    if text.endswith((":", "：")) and code:
        text = re.split(r"(?<=[.])\s+|(?<=。)", text)[-1].rstrip(":：")
    else:
        text = first_sentence(lead)
    return Change("", text.replace("**", ""), code, usual=True)


def _where(here: Here | None, package: Package | None, lang: str) -> str:
    place = ""
    if here is not None:
        place = shown_place(here)
        if here.function and here.function != "<module>":
            place = phrase("screen_in", lang, place=place, function=here.function.split("(")[0])
    if package is None:
        return place
    name = f"{package.name} {package.release}" if package.release else package.name
    if not place:
        return phrase("screen_package", lang, package=name)
    return phrase("screen_package_called", lang, package=name, place=place)


def _package_says(package: Package | None, lang: str) -> str:
    """Where a package's line failed: that it is the package's, what to upgrade or pin, how to see what is
    installed.
    """
    return phrase("screen_package_says", lang, name=package.name) if package else ""


def shown_place(here: Here) -> str:
    """file:line, as short as it is still found."""
    file = here.file
    try:
        near = os.path.relpath(file) if os.path.isabs(file) else file
    except ValueError:  # another drive
        near = file
    file = near if not near.startswith("..") else file
    if len(file) > MAX_PLACE_CHARS:
        file = "…/" + "/".join(re.split(r"[/\\]", file)[-2:])
    return f"{file}:{here.line}" if here.line else file


def _echo(answer: Answer) -> str:
    """Which rank failed first, where others only followed."""
    root = answer.root
    if root is None or root.rank is None:
        return ""
    same = {error.rank for error in answer.paste.errors if error.message == root.message}
    others = {
        error.rank
        for error in answer.paste.errors
        if error.rank is not None and error.rank not in same and error.role in ("root", "cascade")
    }
    if not others:
        return phrase("screen_rank", answer.lang, rank=str(root.rank)) if len(same) == 1 else ""
    names = ", ".join(str(rank) for rank in sorted(others))
    return phrase("screen_echo", answer.lang, rank=str(root.rank), others=names)


def _no_error(answer: Answer) -> str:
    count = sum(bool(line.strip()) for line in answer.paste.lines)
    return phrase("screen_no_error", answer.lang, count=str(count))


def _unknown(answer: Answer) -> str:
    names = ", ".join(answer.paste.foreign)
    return phrase("unknown_foreign", answer.lang, names=names) if names else phrase("unknown", answer.lang)


def _onward(answer: Answer) -> list[tuple[str, str]]:
    """What makes a report of an error that nothing known explains."""
    root = answer.root
    told = root is not None and bool(root.message or root.exception)
    return [("torchwhy report", phrase("screen_report", answer.lang))] if told else []


def _searched(answer: Answer) -> list[str]:
    """The line to search for, as long as it stays on one line of the screen."""
    root = answer.root
    if root is None or not (root.message or root.exception):
        return []
    label = phrase("search_for", answer.lang) + ("：" if answer.lang == "zh" else ": ")
    words = search_line(root)
    most = MIN_WIDTH + 36 - width_of(label)
    while width_of(words) > most:
        words = words.rpartition(" ")[0] if " " in words else words[:most]
    return [label + words]


def _nearest(answer: Answer) -> list[str]:
    """The nearest candidates of any weight, and how to tell each; none at 0 %."""
    lang = answer.lang
    lines = []
    for item in list(answer.candidates)[:MAX_NEAREST]:
        if item.probability < MIN_NEAREST:
            continue
        entry = item.pitfall
        told = f"{item.id} ({percent(item.probability)}): {entry.title[lang]}"
        lines.append(phrase("screen_nearest", lang, entry=told))
        tell = first_sentence(entry.check[lang])
        lines += [phrase("screen_tell", lang, check=tell)] if tell else []
    return lines


def own_hint(exception: str, message: str, lang: str) -> str:
    """What Python's message means, for those that are met most; "" for the rest."""
    name = exception.rsplit(".", 1)[-1]
    if "'NoneType'" in message:
        return phrase("own_none", lang)
    if name == "IndexError":
        return phrase("own_index", lang)
    return phrase(f"own_{name}", lang) if name in OWN_HINTS else ""


OWN_HINTS = frozenset(
    [
        "KeyError",
        "NameError",
        "UnboundLocalError",
        "AttributeError",
        "ZeroDivisionError",
        "StopIteration",
        "FileNotFoundError",
        "ModuleNotFoundError",
        "RecursionError",
        "CalledProcessError",
    ]
)


def screen_json(screen: Screen) -> JSONObject:
    """The same parts as data."""
    change = screen.change
    return {
        "degree": screen.degree,
        "where": screen.where,
        "message": screen.message,
        "says": screen.says or screen.certainty,
        "found": screen.found,
        "change": {
            "text": change.text,
            "code": change.code,
            "file": change.file,
            "line": change.line,
            "before": change.before,
            "after": change.after,
            "usual": change.usual,
        }
        if change
        else None,
        "alternative": change.alternative if change else "",
        "tell": " ".join(screen.tell),
        "package": screen.package,
        "next": [command for command, _ in screen.next],
    }


def screen_lines(answer: Answer, width: int = 80, under: Sequence[tuple[str, str]] = ()) -> list[Line]:
    """The first screen as lines of a terminal of that width, at most MAX_LINES and those of `under`.

    `under`: what is known of the values in the user's line, each with the line that made it; it stands below
    the message. Without it, where those values were made, as far as there is room.
    """
    screen = screen_of(answer)
    width = max(MIN_WIDTH, min(width, MAX_WIDTH))
    lines = _lines(screen, answer, width)
    under = under or _origins(answer, MAX_LINES - len(lines))
    known = [Line(_beside(f"    {what}", made, width), "code") for what, made in under]
    at = len(_head(screen, answer.here, width))
    return [*lines[:at], *known, *lines[at:]]


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
    if here is None:
        return []
    edited = (answer.change.file, answer.change.line) if answer.change else None
    lines: dict[str, list[str]] = {}
    for each in answer.origins:
        if (each.file, each.line) != edited:
            lines.setdefault(shown_origin(each, here, answer.lang), []).append(each.name)
    shown = [(", ".join(names), line) for line, names in lines.items()]
    return shown[: max(0, min(room, MAX_ORIGINS))]


def _lines(screen: Screen, answer: Answer, width: int) -> list[Line]:
    lang = answer.lang
    head = _head(screen, answer.here, width)
    if screen.degree in ("family", "no-error", "python", "unknown"):
        body = _paragraph(screen.certainty, width, SAYS_LINES) + _paragraph(screen.package, width, 2)
        foot = [Line(shortened(f"{what}{command}", width), "dim") for command, what in screen.next]
        foot += _page_line(screen, lang)
        gap = [Line("")] if head else []
        room = MAX_LINES - len(head) - len(gap) - len(foot)
        for each in screen.tell:
            more = _paragraph(each, width, TELL_LINES + 1)
            if len(body) + len(more) > room:
                break
            body += more
        return [*head, *gap, *body[:room], *foot][:MAX_LINES]
    if screen.found:  # which settles it
        screen = replace(screen, tell=())
    foot = _foot(screen, width, lang)
    package = _paragraph(screen.package, width, 2)
    # what stands in the user's own code tells more than what may be behind the message
    said, most = (first_sentence(screen.says), 2) if screen.found else (screen.says, SAYS_LINES)
    # a long one is better than none
    says = _paragraph(said, width, most) or _paragraph(said, width, most + 1)
    found = _paragraph(screen.found, width, SAYS_LINES)
    room = MAX_LINES - len(head) - len(foot) - len(package) - len(found) - 1
    change = _change(screen.change, width, lang, room - len(says)) if screen.change else []
    if screen.change and len(says) > 1 and _is_cut(change, screen.change, width, lang):
        says = says[:0] if found else _paragraph(first_sentence(said), width, 1)
        change = _change(screen.change, width, lang, room - len(says))
    says += found
    lines = [*head, *([Line("")] if head or not screen.found else []), *package, *says, *change]
    gap = [Line("")] if len(lines) + len(foot) < MAX_LINES else []
    return [*lines, *gap, *foot][:MAX_LINES]


def _head(screen: Screen, here: Here | None, width: int) -> list[Line]:
    link = here.file if here else ""
    lines = []
    if screen.where and screen.code and width_of(screen.where) + width_of(screen.code) + 4 <= width:
        gap = " " * max(4, min(35, width - width_of(screen.code)) - width_of(screen.where))
        lines.append(Line(screen.where + gap + screen.code, "where", link))
    elif screen.where:
        lines += [Line(each, "where", link) for each in wrapped(screen.where, width)[:2]]
        lines += [Line(shortened(f"    {screen.code}", width), "code")] if screen.code else []
    lines += [Line(each) for each in wrapped(screen.echo, width)[:1]]
    message = wrapped(screen.message, width)
    if len(message) > MESSAGE_LINES:
        message = [*message[: MESSAGE_LINES - 1], shortened(" ".join(message[MESSAGE_LINES - 1 :]), width)]
    return lines + [Line(each, "message") for each in message]


def _paragraph(text: str, width: int, most: int) -> list[Line]:
    """A text as lines; nothing where it does not fit whole, and its first sentence does not either."""
    for each in (text, first_sentence(text)):
        lines = wrapped(each, width)
        if lines and len(lines) <= most:
            return [Line(line) for line in lines]
    return []


def _change(change: Change, width: int, lang: str, room: int) -> list[Line]:
    """The change, and the alternative where there is room for all of it."""
    label = phrase("screen_usual" if change.usual else "screen_change", lang)
    indent = " " * (width_of(label) + 2)
    lines = []
    if change.before:
        place = f"{os.path.basename(change.file or '')}:{change.line}" if change.line else ""
        lines = [Line(f"{label}  {place}".rstrip(), "label")]
    if change.before and change.after:
        before, after = _around_difference(change.before, change.after, width - 4)
        lines.append(Line(f"  - {before}", "before"))
        whole = folded(change.after, width - 4)
        rows = whole if after != change.after and len(whole) <= EDIT_LINES else [after]
        signs = ("  + ", *["    "] * (len(rows) - 1))
        lines += [Line(sign + row, "after") for sign, row in zip(signs, rows, strict=True)]
    else:
        if change.before:
            lines.append(Line(shortened(f"    {change.before}", width), "code"))
        lines += _labelled("" if lines else label, change.text, width, 2, len(indent))
        most = max(0, min(CODE_LINES, room - len(lines)))
        code = _code(change.code, width - len(indent), most)
        if not lines and code:
            lines, code = [Line(f"{label}  {code[0]}", "label")], code[1:]
        lines += [Line(indent + each, "after") for each in code]
    other = _labelled(phrase("screen_or", lang), change.alternative, width, OTHER_LINES, len(indent))
    return lines + other if len(lines) + len(other) <= room else lines[: max(room, 1)]


def _is_cut(lines: list[Line], change: Change, width: int, lang: str) -> bool:
    """Whether these lines leave out a part of what is to be changed."""
    return len(lines) < len(_change(replace(change, alternative=""), width, lang, MAX_LINES))


def _code(code: str, width: int, most: int) -> list[str]:
    """Lines of code: long ones folded where there is room for all of them, else cut."""
    lines = code.splitlines()
    whole = [part for line in lines for part in folded(line, width)]
    return whole if len(whole) <= most else [shortened(line, width) for line in lines[:most]]


def _labelled(label: str, text: str, width: int, most: int, indent: int = 0) -> list[Line]:
    """A text beside its label, all of it or its first sentence or nothing."""
    indent = indent or width_of(label) + 2
    for each in (text, first_sentence(text)):
        lines = wrapped(each, width - indent)
        if lines and len(lines) <= most:
            start = label + " " * (indent - width_of(label))
            rest = [Line(" " * indent + line) for line in lines[1:]]
            return [Line(start + lines[0], "label"), *rest]
    return []


def _around_difference(before: str, after: str, width: int) -> tuple[str, str]:
    """Both lines, or of long ones the part around what differs."""
    if max(width_of(before), width_of(after)) <= width:
        return before, after
    pairs = enumerate(zip(before, after, strict=False))
    same = next((at for at, (old, new) in pairs if old != new), min(len(before), len(after)))
    start = max(0, same - width // 2)
    head = "…" if start else ""
    return shortened(head + before[start:], width), shortened(head + after[start:], width)


def _foot(screen: Screen, width: int, lang: str) -> list[Line]:
    """How sure, what would settle it, and the commands for more."""
    lines = []
    tell = f"{screen.certainty}{phrase('screen_to_tell', lang)}{screen.tell[0]}" if screen.tell else ""
    if tell and len(wrapped(tell, width)) <= TELL_LINES:
        lines += [Line(each, "dim") for each in wrapped(tell, width)]
        commands = list(screen.next)
    else:
        first = f"{screen.certainty}  ·  {screen.next[0][1]}{screen.next[0][0]}"
        if width_of(first) <= width:
            lines, commands = [Line(first, "dim")], list(screen.next[1:])
        else:
            lines, commands = [Line(screen.certainty, "dim")], list(screen.next)
    lines += [Line(shortened(f"{what}{command}", width), "dim") for command, what in commands]
    if screen.page:
        lines = [each._replace(page=screen.page) if "torchwhy show " in each.text else each for each in lines]
    return lines + _page_line(screen, lang)


def _page_line(screen: Screen, lang: str) -> list[Line]:
    """The address of the page, whole: a shortened one leads nowhere."""
    if not screen.page:
        return []
    return [Line(phrase("screen_page", lang) + screen.page, "dim", page=screen.page)]
