"""An `Answer` from a ranking: candidates with what speaks for each, and the rival that the text cannot tell
from the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from torchwhy.knowledge.conditions import holds
from torchwhy.knowledge.cut_text import state_of
from torchwhy.knowledge.entry import CALLER, ROW, ROW_ID
from torchwhy.knowledge.patterns import compile_pattern
from torchwhy.paste.foreign import NATIVE, SURROUNDINGS, foreign_names, is_of_torch
from torchwhy.paste.paste import Paste
from torchwhy.paste.place import UserFrame, is_cut_off, own_frames, says_no_module
from torchwhy.text.language import LANGS
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.markup import inside_span, quoted

from .answer import Answer, FamilyMatch, Match, Reason, rival_of

if TYPE_CHECKING:
    from torchwhy.knowledge.entry import ChangeTemplate, Pitfall, Says, Signature
    from torchwhy.knowledge.wordings import Claim
    from torchwhy.retrieval.families import Likely
    from torchwhy.retrieval.matcher import Ranked, Scored
    from torchwhy.retrieval.store import Store
    from torchwhy.source.edits import FailingLine

    from .change import Change
    from .evidence import Evidence
    from .own_error import PythonError

NAMED_PROBABILITY = 0.99  # of an entry whose row the message names
MIN_TABLE_LINES = 3  # of a log without an error; less may be somebody's words
# Packages that pip or Python does not find, or cannot build: torch's own, of which the entries know, and any.
TORCH_PACKAGES = ("torch", "pytorch", "nvidia", "triton")
NOT_TO_BE_HAD = lazy_compile(
    r"(?:[Nn]o module named ['\"`]?(?!\w+\.\w)|No matching distribution found for |"
    r"satisfies the requirement |^ *Collecting |"
    r"[Ff]ailed building (?:wheel|editable) for |[Cc]ould not build wheels for )([A-Za-z]\w*(?:-\w+)*)",
    re.MULTILINE,
)


def build(
    ranked: Ranked,
    evidence: Evidence,
    lang: str,
    store: Store,
    *,
    calibrated: bool,
    notes: tuple[str, ...] = (),
) -> Answer:
    """The answer to a ranking and its evidence; of a fuller evidence it is built anew, in the same way."""
    candidates = tuple(_match(scored, evidence, store.pitfall) for scored in ranked.candidates)
    family = family_match(ranked.family, candidates, store.pitfall) if ranked.family else None
    stands = (ranked.answered or ranked.listed == 1) and not family
    match = candidates[0] if stands and candidates else None
    rival = rival_of(match, candidates)
    answer = Answer(
        match,
        candidates,
        lang,
        evidence._replace(facts=None),  # they count once, when they are added below
        ranked.none,
        rival,
        notes,
        calibrated,
        family=family,
        likely=candidates[: ranked.listed] if match is None else (),
        vocabulary=store.vocabulary,
    )
    if evidence.facts is not None:
        from .weigh import with_facts

        answer = with_facts(answer, evidence.facts)
    answer = _judged(answer, ranked.settled)
    if evidence.code is not None:
        from .in_code import with_code

        answer = with_code(answer, store.families.values(), store.pitfall)
    return with_branch(answer, store)


def with_branch(answer: Answer, store: Store) -> Answer:
    """The answer to a question in words with the one of its entry's causes that is nearest to it, where it
    lists several; of an error, whose words are not the user's, one line in three named a wrong one.
    """
    match = answer.match
    if match is None or answer.paste.root is not None:
        return answer
    from .branches import closest

    branch = closest(
        match.pitfall, answer.paste.distilled, answer.lang, store.words.entries_with, store.count
    )
    match = match._replace(branch=branch)
    candidates = tuple(match if each.id == match.id else each for each in answer.candidates)
    return answer._replace(match=match, candidates=candidates)


def family_match(likely: Likely, candidates: Sequence[Match], load: Callable[[str], Pitfall]) -> FamilyMatch:
    """A family as an answer holds it.

    A member that is no candidate of the ranking has nothing that speaks for it.
    """
    from torchwhy.retrieval.families import best_check

    known = {match.id: match for match in candidates}
    members = tuple(
        (known.get(member.id) or Match(member.id, 0.0, (), {}, load=load))._replace(
            probability=round(likely.probability * member.share, 4),
        )
        for member in likely.members
    )
    shares = {member.id: member.share for member in likely.members}
    asked = [number for number, answer in enumerate(likely.answered) if answer is not None]
    checks = []
    while (best := best_check(likely.family, shares, asked)) is not None:
        asked.append(best)
        checks.append(likely.family.checks[best])
    answered = tuple(answer for answer in likely.answered if answer is not None)
    return FamilyMatch(likely.family, likely.probability, members, tuple(checks), answered)


def _judged(answer: Answer, settled: bool) -> Answer:
    """The answer with the change that its message asks for; without a match where the error is Python's own.

    `settled`: a message of an entry's own decided, so it stands.
    """
    claimed = answer.match.claimed if answer.match else None
    own = None if settled else _own_error(answer)
    if own is not None:
        return answer._replace(match=None, rival=None, python_error=own)
    named = foreign_names(answer.paste, claimed)
    if named is not None:  # the entries are about torch
        evidence = answer.evidence._replace(paste=answer.paste._replace(foreign=named))
        return answer._replace(
            match=None, rival=None, family=None, likely=(), candidates=(), none=1.0, evidence=evidence
        )
    if settled and answer.match and _is_missing(answer.paste):
        answer = _stated(answer, answer.match)
    of_row = next((each for each in answer.candidates if ROW_ID in dict(each.values)), None)
    by_words = answer.match is None or answer.match.signature is None
    if of_row is not None and (by_words or of_row == answer.match):
        return _with_change(_named(answer, of_row))
    if by_words and is_cut_off(answer.paste):
        return answer._replace(match=None, rival=None, family=None, likely=())
    if is_of_another_package(answer) or (by_words and (is_table(answer.paste) or is_bare(answer.paste))):
        return answer._replace(match=None, rival=None, likely=())
    return _with_change(answer)


def _is_missing(paste: Paste) -> bool:
    """Whether Python itself says that it does not have a package."""
    if not says_no_module(paste):
        return False
    from .missing_package import missing_package

    return missing_package(paste) is not None


def _stated(answer: Answer, match: Match) -> Answer:
    """The answer where Python itself states the cause: that nothing known fits is no possibility then."""
    match = match._replace(probability=round(min(1.0, match.probability + answer.none), 4))
    return answer._replace(match=match, candidates=(match, *answer.candidates[1:]), none=0.0)


def _named(answer: Answer, match: Match) -> Answer:
    """The answer where the program itself names the row of an entry that its message is."""
    match = match._replace(probability=NAMED_PROBABILITY)
    none = round(1 - NAMED_PROBABILITY, 4)
    return answer._replace(match=match, candidates=(match,), rival=None, family=None, likely=(), none=none)


def _own_error(answer: Answer) -> PythonError | None:
    """The error where it is Python's own; with the names of the user's file, if that may be read."""
    from .own_error import near_names, own_error

    own = own_error(answer.paste)
    if own is None or not answer.evidence.source or answer.here is None or answer.root is None:
        return own
    from torchwhy.source.own_file import read_source

    return own._replace(near=near_names(answer.root, read_source(answer.here)))


def is_bare(paste: Paste) -> bool:
    """Whether all that is said is a NotImplementedError: many lines of torch raise one, for as many
    reasons.
    """
    root = paste.root
    return root is not None and root.name == "NotImplementedError" and not (root.message or paste.words)


def is_table(paste: Paste) -> bool:
    """Whether a text describes no symptom: no error, no sentence of the user's, but lines of numbers alone,
    or a compiler's and others' that name a place in C++.
    """
    lines = [line for line in paste.lines if line.strip()]
    if paste.root is not None or len(lines) < MIN_TABLE_LINES:
        return False
    numbers = sum(any(each.isdigit() for each in line) for line in lines)
    if not paste.words and len(lines) <= 2 * numbers:
        return True
    from torchwhy.paste.complaint import is_log

    return is_log(lines) and NATIVE.search(paste.text) is not None


def is_of_another_package(answer: Answer) -> bool:
    """Whether a package has failed that is neither torch's nor named in what was found: Python does not have
    it or pip cannot build it, and the entry does not name it; or it is on the way of a call that failed in a
    text without a word of torch, and no entry names it.
    """
    first = answer.match or next(iter(answer.likely), None)
    if first is None:
        return False
    without_torch = not is_of_torch(answer.paste)
    missing = NOT_TO_BE_HAD.findall(answer.paste.text) if first.signature is None or without_torch else ()
    if missing:
        entry = first.pitfall
        patterns = [signature.pattern for signature in entry.signatures]
        texts = [each.en for each in (entry.title, entry.cause, entry.fix, entry.check)]
        asked = [question for questions in entry.asks.values() for question in questions]
        return _is_unknown(missing, re.findall(r"\w+", _plain("\n".join([*texts, *patterns, *asked]))))
    called = _called_by(answer.paste) if without_torch else set()
    if not called:
        return False
    from torchwhy.paste.libraries import is_library

    return not any(map(is_library, called)) and _is_unknown(called, answer.vocabulary())


def _is_unknown(packages: Iterable[str], known: Iterable[str]) -> bool:
    """Whether none of these packages is torch's, or known."""
    names = set(map(_plain, packages))
    return not any(name.startswith(TORCH_PACKAGES) for name in names) and names.isdisjoint(known)


def _plain(text: str) -> str:
    return text.lower().replace("-", "_")


def _called_by(paste: Paste) -> set[str]:
    """The packages on whose way a call failed, of a traceback alone: in Python's own library, or with nothing
    of torch's surroundings.
    """
    frames = paste.root.frames if paste.root else ()
    if not frames or paste.words or (frames[-1].owner != "python" and SURROUNDINGS.search(paste.text)):
        return set()
    return {frame.owner for frame in frames} - {"python", ""}


def _with_change(answer: Answer) -> Answer:
    """The answer with the change that its message asks for."""
    match = answer.match
    if match is None or match.signature is None:
        return answer
    return answer._replace(change=change_for(answer, match, match.changes)) if match.changes else answer


def change_for(answer: Answer, match: Match, templates: tuple[ChangeTemplate, ...]) -> Change | None:
    """The first of the match's changes that the message can fill."""
    from .change import change_of

    values, line = _known(answer, match, templates)
    facts, folder = answer.evidence.facts, match.pitfall.folder
    return change_of(templates, values, answer.lang, answer.here, line, facts, folder)


def edits_for(answer: Answer, match: Match, templates: tuple[ChangeTemplate, ...]) -> Iterable[Change]:
    """Every edit of the match's changes that the message can fill."""
    from .change import edits_of

    values, line = _known(answer, match, templates)
    if line is None:
        return ()
    return edits_of(templates, values, answer.lang, line, answer.evidence.facts, match.pitfall.folder)


def _known(
    answer: Answer, match: Match, templates: tuple[ChangeTemplate, ...]
) -> tuple[Mapping[str, str], FailingLine | None]:
    """The values of the message, and what is known of the user's line, where one can be edited."""
    here, evidence, line = answer.here, answer.evidence, None
    if here is not None and any(each.edits for each in templates):
        from torchwhy.source.edits import FailingLine
        from torchwhy.source.own_file import read_source
        from torchwhy.source.record import CrashRecord

        from .operand_origins import origin_of

        def made(operand: str) -> UserFrame | None:
            origin = origin_of(evidence.origins, operand)
            return UserFrame(origin.file, origin.line, origin.code, "") if origin else None

        read, frames = (read_source(here), own_frames(answer.paste)) if evidence.source else (None, ())
        line = FailingLine(here, read, frames[1:], made, CrashRecord(evidence.operands))
    values = {**evidence.line, **dict(match.values), **match.state, **caller_of(answer.paste)}
    return values | (evidence.missing.values() if evidence.missing else {}), line


def caller_of(paste: Paste) -> dict[str, str]:
    """Whose line raised the leading error, as a value that a template may ask for."""
    frames = paste.root.frames if paste.root else ()
    if not frames or (paste.root and paste.root.role == "warning"):
        return {}
    owner = frames[-1].owner
    return {CALLER: owner or "own"} if owner in ("", "torch") else {}


def _match(scored: Scored, evidence: Evidence, load: Callable[[str], Pitfall]) -> Match:
    paste, line = evidence.paste, evidence.line
    reasons: list[Reason] = []
    says: dict[str, tuple[str, ...]] = {}
    state: dict[str, str] = {}
    groups: dict[str, str] = {}
    claim = telling(scored, load, paste.text, line)
    if claim is not None:
        shown = paste.text[claim.start : claim.end]
        reasons.append(Reason("signature", " ".join(shown.split())[:300]))
        signature = load(scored.id).signatures[claim.number]
        if claim.context:
            reasons.append(Reason("context", _line_of_context(signature.context or "", paste.text)))
        groups = _values(claim, load(scored.id).folder)
        state = state_of(paste.text, claim.start, signature.example)
        said = said_of(signature, {**line, **groups, **state})
        for lang in LANGS:
            says[lang] = tuple(filled(item.text[lang], groups) for item in said)
    if scored.lexical >= 0.5:
        reasons.append(Reason("words", "", round(scored.lexical, 3)))
    if scored.cosine >= 0.35:
        reasons.append(Reason("meaning", "", round(scored.cosine, 3)))
    number = claim.number if claim else None
    return Match(
        scored.id, scored.probability, tuple(reasons), says, number, tuple(groups.items()), state, load=load
    )


def _values(claim: Claim, folder: str) -> dict[str, str]:
    """The groups of a claim, with the columns of the row that they name."""
    groups = dict(claim.groups)
    if ROW not in groups:
        return groups
    from torchwhy.knowledge.rows import values_of

    return values_of(folder, groups)


def _line_of_context(context: str, text: str) -> str:
    """The line in which a wording's context stands."""
    found = compile_pattern(context).search(text)
    if found is None:
        return ""
    start = text.rfind("\n", 0, found.start()) + 1
    return " ".join(text[start : found.end()].split())[:300]


def telling(
    scored: Scored, load: Callable[[str], Pitfall], text: str, line: Mapping[str, str]
) -> Claim | None:
    """The claim on a text whose wording tells most: the candidate's own, or where the entry has no change or
    no sentence for that wording, the longest of the others for which it has one.
    """
    if scored.claim is None or not scored.others:
        return scored.claim
    entry = load(scored.id)

    def tells(claim: Claim) -> tuple[bool, bool, bool, int]:
        signature = entry.signatures[claim.number]
        groups = _values(claim, entry.folder)
        values = {**line, **groups, **state_of(text, claim.start, signature.example)}
        fixes = bool(signature.change or entry.change)
        explains = bool(signature.change or said_of(signature, values))
        return fixes, explains, claim is scored.claim, claim.length

    return max((scored.claim, *scored.others), key=tells)


def said_of(signature: Signature, values: Mapping[str, str]) -> tuple[Says, ...]:
    """The sentences that fit a message with these values; one whose number is not in it is not said."""
    return tuple(
        each
        for each in signature.says
        if (each.when is None or holds(each.when, values))
        and all(name in values for name in re.findall(r"\{(\w+)\}", each.text.en + each.text.zh))
    )


def filled(text: str, values: Mapping[str, str]) -> str:
    """`text`, Markdown, with {name} replaced; nothing else in it is special, and no value can become
    markup.
    """

    def put(found: re.Match[str]) -> str:
        value = values.get(found[1], found[0])
        return inside_span(value) if text.count("`", 0, found.start()) % 2 else quoted(value, 300)

    return re.sub(r"\{(\w+)\}", put, text)
