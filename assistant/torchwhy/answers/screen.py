"""The first screen of an answer, as data: where, what, what the numbers mean, the change, one alternative,
how sure, what next. `screen_lines` draws it.
"""

from __future__ import annotations

import os
import re
from typing import Literal, NamedTuple

from torchwhy.knowledge.site import page_of_entry, page_of_family
from torchwhy.paste.place import Package, UserFrame, is_cut_off
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped
from torchwhy.text.width import LEAST_SIGHT, first_sentence

from .answer import Answer, FamilyMatch, Match
from .change import Change, as_usual
from .evidence import CodeFinding
from .places import place_words
from .provable import proof_words
from .reasons import closest_line, percent

Degree = Literal["sure", "likely", "family", "listed", "python", "no-error", "unknown"]
SURE_FROM = 0.85  # below it an answer says that it is not sure, and what would settle it
MIN_NEAREST = 0.05  # of a candidate that is named where nothing fits: below it is chance
MAX_NEAREST = 2
MIN_PERHAPS, MAX_PERHAPS = 0.2, 3  # of the nearest together, from which they are named as possible
MAX_MEMBERS = 3  # of a family that are named
MAX_SAYS_CHARS = 300  # what an entry says beyond that is left to `--full`
SHELLS = ("sh", "bash", "bat", "powershell")
COMMENT = lazy_compile(r"^ *# .*\n|  +# .*$", re.MULTILINE)
SENTENCE_END = lazy_compile(r"[.!?](?= [A-Z`])|。(?=.)")
MAX_PLACE_CHARS = 48


class Screen(NamedTuple):
    """The parts of a first screen, in the answer's language.

    `found`: where the user's code shows the mistake, and what is wrong there. `tell`: what would settle a
    doubt; `check`: what to look at where no change is shown; `next`: commands; `page`: on the documentation
    site, where one is set; `closest`: the one of the entry's causes that is nearest to the text.
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
    check: str = ""
    closest: str = ""


def screen_of(answer: Answer) -> Screen:
    """The parts, whatever the answer is."""
    lang, root, here, own = answer.lang, answer.root, answer.here, answer.python_error
    degree = degree_of(answer)
    if degree == "no-error":
        count = sum(bool(line.strip()) for line in answer.paste.lines)
        said = phrase("screen_no_error", lang, count=str(count))
        return Screen(degree, said, next=tuple(_of_code(answer)))
    message = ""
    if root is not None:
        message = " ".join((f"{root.exception}: {root.message}" if root.exception else root.message).split())
        message = _claimed_line(answer) or message.removesuffix(":")
    where, code = _where(here, answer.package, lang), here.code if here else ""
    required = answer.evidence.required
    known = required.words(lang) if required else ""
    screen = Screen(degree, "", where, code, _echo(answer), message, known)
    if answer.match is not None:
        return _of_match(answer, answer.match, screen)
    if answer.family is not None:
        return _of_family(answer, answer.family, screen)
    if answer.likely:
        return _of_likely(answer, screen)
    if own is not None:
        from .own_hints import own_hints

        near = phrase("own_near", lang, names=", ".join(own.near)) if own.near else ""
        tell = tuple(filter(None, (*own_hints(answer, own), near)))
        return screen._replace(certainty=phrase("own_raised" if own.raised else "own", lang), tell=tell)
    return _unknown(answer, screen)


def _claimed_line(answer: Answer) -> str:
    """The line that the match's wording was found in, where what was read as the leading error is only a
    warning elsewhere; "" where the error itself is shown.
    """
    root, match = answer.root, answer.match
    claimed = match.claimed if match is not None else None
    if root is None or root.role != "warning" or not claimed:
        return ""
    if claimed in " ".join(f"{root.exception}: {root.message}".split()):
        return ""
    return next(
        (line for line in map(str.strip, answer.paste.lines) if claimed in " ".join(line.split())), ""
    )


def degree_of(answer: Answer) -> Degree:
    """How sure the answer is, as it is said."""
    if answer.family is not None:
        return "family"
    if answer.likely:
        return "listed"
    if answer.match is not None:
        return "sure" if answer.match.probability >= SURE_FROM else "likely"
    if answer.python_error is not None:
        return "python"
    from torchwhy.paste.complaint import tells_failure

    lines = [line for line in answer.paste.lines if line.strip()]
    log = answer.root is None and len(lines) > 1 and not answer.paste.words and not answer.paste.foreign
    told = tells_failure(answer.paste.text) or is_cut_off(answer.paste)
    return "no-error" if log and not told else "unknown"


def _of_match(answer: Answer, match: Match, screen: Screen) -> Screen:
    lang = answer.lang
    sure = percent(match.probability)
    if not answer.calibrated:
        sure += ("，" if lang == "zh" else ", ") + phrase("screen_uncalibrated", lang)
    entry = match.pitfall
    commands = [(f"torchwhy show {match.id}", phrase("screen_more", lang))]
    if entry.repro:
        commands.append((f"torchwhy confirm {match.id}", proof_words(entry.needs, lang)))
    commands += _of_code(answer)
    found, found_says = _found(answer, match)
    change, says = answer.change, _says(answer, match, screen.degree)
    if found is not None and (change is None or not change.before):
        change = Change("", found.fix[lang], usual=True)
    change = change or _of_entry(answer, match)
    if change is not None and not (change.lines or change.text or change.code):
        change = None
    check = _first_check(entry.check[lang])
    doubtful = screen.degree == "likely" and not _is_explained(match)
    tell = check if doubtful or change is None else ""
    return screen._replace(
        certainty=phrase(f"screen_{screen.degree}", lang, percent=sure),
        says=f"{first_sentence(says)} {screen.package}" if screen.package else says,
        change=change,
        tell=(tell,) if tell else (),
        next=tuple(commands),
        page=page_of_entry(entry, lang),
        found=found_says,
        check=check,
        closest=closest_line(match, lang),
    )


def _first_check(text: str) -> str:
    """The first sentence of a check, also where it leads on to code."""
    lead = " ".join(text.partition("```")[0].split())
    return first_sentence(text) or re.sub("：$", "。", re.sub(":$", ".", lead))


def _found(answer: Answer, match: Match) -> tuple[CodeFinding | None, str]:
    """Where the user's code shows the mistake of this candidate, and that as a sentence."""
    if not answer.code:
        return None, ""
    from .in_code import finding_of, found_says

    return finding_of(answer, match), found_says(answer, match)


def _of_code(answer: Answer) -> list[tuple[str, str]]:
    """The command that shows what else is wrong in the code that was given."""
    if not answer.code:
        return []
    import shlex

    from .in_code import others_of

    others = others_of(answer)
    if not others:
        return []
    paths = " ".join(shlex.quote(escaped(path)) for path in dict.fromkeys(each.path for each in others))
    return [(f"torchwhy check {paths}", phrase("code_others", answer.lang, count=str(len(others))))]


def _of_family(answer: Answer, family: FamilyMatch, screen: Screen) -> Screen:
    """What it may be, where the user's code shows it, and the check that tells most."""
    lang = answer.lang
    sure = phrase("family_sure", lang, percent=percent(family.probability))
    tell = []
    for each in family.members[:MAX_MEMBERS]:
        _, found = _found(answer, each)
        tell += [phrase("screen_may_be", lang, entry=named(each, lang)), *([found] if found else [])]
    tell += [phrase("screen_first_check", lang, check=check.ask[lang]) for check in family.checks[:1]]
    return screen._replace(
        certainty=f"{family.family.title[lang]} · {phrase('family', lang)} · {sure}",
        echo="",
        tell=tuple(tell),
        next=(
            ("torchwhy chat", phrase("screen_narrows", lang)),
            ("--full", phrase("screen_all_checks", lang)),
            *_of_code(answer),
        ),
        page=page_of_family(family.family, lang),
    )


def _of_likely(answer: Answer, screen: Screen) -> Screen:
    """The likely ones, each with what would tell it, or where the user's code shows it."""
    lang = answer.lang
    sure = percent(sum(each.probability for each in answer.likely))
    tell = []
    for each in answer.likely:
        _, found = _found(answer, each)
        tell += [phrase("screen_may_be", lang, entry=named(each, lang)), found or _told_by(each, lang)]
    first = answer.likely[0].id
    return screen._replace(
        certainty=phrase("screen_listed", lang, percent=sure),
        echo="",
        tell=tuple(filter(None, tell)),
        next=((f"torchwhy show {first}", phrase("screen_more", lang)), *_of_code(answer)),
    )


def _told_by(match: Match, lang: str) -> str:
    """The one sight that decides whether it is this entry; "" where its check says none in a sentence."""
    check = first_sentence(match.pitfall.check[lang], LEAST_SIGHT).replace("**", "")
    return phrase("screen_told_by", lang, check=check) if check else ""


def _says(answer: Answer, match: Match, degree: Degree) -> str:
    """One sentence: what the numbers of the message mean, else the title; of an error that no wording of the
    entry surely is, as a possibility.
    """
    if answer.change is not None and answer.change.says:
        return answer.change.says
    said = next(filter(None, map(_fitting, match.says.get(answer.lang, ()))), "")
    if said or answer.root is None or (degree == "sure" and match.signature is not None):
        return said or answer.title
    return phrase("screen_title", answer.lang, title=answer.title)


def _is_explained(match: Match) -> bool:
    """Whether a sentence of its own explains this wording, of several: what the entry says for all of them
    may not be true of it.
    """
    signatures = match.pitfall.signatures
    return match.signature is not None and len(signatures) > 1 and bool(signatures[match.signature].says)


def _fitting(text: str) -> str:
    """The text, or its first sentences as far as they fit and a mark that more follows; "" if none fits."""
    if len(text) <= MAX_SAYS_CHARS:
        return text
    ends = [found.end() for found in SENTENCE_END.finditer(text, 0, MAX_SAYS_CHARS)]
    return f"{text[: ends[-1]]} ..." if ends else ""


def _of_entry(answer: Answer, match: Match) -> Change | None:
    """The change that the entry asks for whatever the message; None where one of its other wordings may want
    it and this one is explained by a sentence of its own.
    """
    if _is_explained(match):
        return None
    return as_usual(_from_fix(match, answer.lang), answer.here)


def _from_fix(match: Match, lang: str) -> Change:
    """The beginning of the entry's fix: its first sentence, and the code that follows it.

    Its comments are left out: they say what the fix's own example shows. Commands that only their comments
    tell apart are left to the page.
    """
    fix = match.pitfall.fix[lang].strip()
    lead, fenced, rest = fix.partition("```")
    kind, _, code = rest.split("```")[0].partition("\n")
    bare = COMMENT.sub("", code).strip("\n")
    code = "" if kind.strip() in SHELLS and "\n" in bare and bare != code.strip("\n") else bare
    text = " ".join(lead.split())
    if text.endswith((":", "：")) and fenced:
        text = re.split(r"(?<=[.])\s+|(?<=。)", text)[-1].rstrip(":：")
    else:
        text = first_sentence(lead)
    return Change("", text.replace("**", ""), code)


def _where(here: UserFrame | None, package: Package | None, lang: str) -> str:
    place = ""
    if here is not None:
        place = shown_place(here, lang)
        if here.function and here.function != "<module>":
            place = phrase("screen_in", lang, place=place, function=here.function.split("(")[0])
    if package is None:
        return place
    name = f"{package.name} {package.release}" if package.release else package.name
    if not place:
        return phrase("screen_package", lang, package=name)
    return phrase("screen_package_called", lang, package=name, place=place)


def shown_place(here: UserFrame, lang: str) -> str:
    """The place, as short as it is still found."""
    file = here.file
    try:
        near = os.path.relpath(file) if os.path.isabs(file) else file
    except ValueError:  # another drive
        near = file
    file = near if not near.startswith("..") else file
    if len(file) > MAX_PLACE_CHARS:
        file = "…/" + "/".join(re.split(r"[/\\]", file)[-2:])
    return place_words(file, here.line, lang)


def _echo(answer: Answer) -> str:
    """Which rank, or process, failed first, where others only followed."""
    root = answer.root
    if root is None or root.rank is None:
        return ""
    same = {error.rank for error in answer.paste.errors if error.message == root.message}
    others = {
        error.rank
        for error in answer.paste.errors
        if error.rank is not None and error.rank not in same and error.role in ("root", "cascade")
    }
    process = root.rank < 0
    if any((rank < 0) != process for rank in others):
        return ""  # ranks and processes: which rank is whose process is not told
    if not others:
        told = len(same) == 1 and not process
        return phrase("screen_rank", answer.lang, rank=str(root.rank)) if told else ""
    names = ", ".join(str(abs(rank)) for rank in sorted(others))
    name = "screen_echo_process" if process else "screen_echo"
    return phrase(name, answer.lang, rank=str(abs(root.rank)), others=names)


def _unknown(answer: Answer, screen: Screen) -> Screen:
    """That nothing fits: what to search for, what is nearest, and what makes a report of it."""
    from .own_hints import out_of_step_words
    from .unknown_page import search_line, unknown_words

    lang, root = answer.lang, answer.root
    tell, commands = _nearest(answer), _of_code(answer)
    if root is not None and (root.message or root.exception):
        label = phrase("search_for", lang) + ("：" if lang == "zh" else ": ")
        tell.insert(0, label + search_line(root))
        commands.append(("torchwhy report", phrase("screen_report", lang)))
    return screen._replace(
        certainty=unknown_words(answer),
        package=screen.package or out_of_step_words(answer.paste, lang),
        tell=tuple(tell),
        next=tuple(commands),
    )


def named(match: Match, lang: str) -> str:
    """A candidate in a list: its id leads in English; in Chinese, where that says nothing, its title."""
    title, sure = match.pitfall.title[lang], percent(match.probability)
    return f"{title}（{sure}，{match.id}）" if lang == "zh" else f"{match.id} ({sure}): {title}"


def _nearest(answer: Answer) -> list[str]:
    """The nearest candidates of any weight, and how to tell each."""
    lang = answer.lang
    lines = []
    near = [] if is_cut_off(answer.paste) else list(answer.candidates)[:MAX_PERHAPS]
    if answer.root is None and sum(item.probability for item in near) >= MIN_PERHAPS:
        perhaps = [
            (phrase("screen_perhaps", lang, entry=named(item, lang)), _told_by(item, lang)) for item in near
        ]
        return [line for lines in perhaps for line in lines if line]
    for item in near[:MAX_NEAREST]:
        if item.probability < MIN_NEAREST:
            continue
        entry = item.pitfall
        told = named(item, lang)
        lines.append(phrase("screen_nearest", lang, entry=told))
        tell = first_sentence(entry.check[lang], LEAST_SIGHT)
        lines += [phrase("screen_tell", lang, check=tell)] if tell else []
    return lines


def screen_json(screen: Screen) -> JSONObject:
    """The same parts as data."""
    change = screen.change
    return {
        "degree": screen.degree,
        "where": screen.where,
        "message": screen.message,
        "says": screen.says or screen.certainty,
        "found": screen.found,
        "closest": screen.closest,
        "change": {
            "text": change.text,
            "code": change.code,
            "file": change.file,
            "line": change.line,
            "before": change.before,
            "after": change.after,
            "edits": change.edits(),
            "usual": change.usual,
            "proved": change.proved,
            "tried": change.tried._asdict() if change.tried else None,
            "others": [
                {"edits": each.edits(), "tried": each.tried._asdict()} for each in change.others if each.tried
            ],
        }
        if change
        else None,
        "alternative": change.alternative if change else "",
        "tell": " ".join(screen.tell),
        "package": screen.package,
        "next": [command for command, _ in screen.next],
    }
