"""What a consultation says to a sentence that states something: what it understood, what that rules out, what
is likely now.
"""

from __future__ import annotations

from collections.abc import Sequence

from torchwhy.answers.answer import Answer, Section
from torchwhy.answers.family_page import answer_label
from torchwhy.knowledge.family import CheckAnswer
from torchwhy.text.markup import quoted
from torchwhy.text.phrases import phrase

from . import intents, sections
from .about_entry import failed
from .about_excerpts import nothing_about, what_is_said
from .about_others import not_that
from .clauses import clauses, shortened
from .intents import SPEAKING_OF, Intent
from .law import rare_words
from .listening import Case, CheckKey, Heard
from .polarity import Statement, read_polarity
from .sections import note
from .thread import MIN_NEIGHBOUR_RARITY, Thread

# intents whose sentence may tell something of an error that is known by its message
STATING = frozenset(["failed", "not_that", "release", "thanks"])
MIN_ASKS = 0.5  # probability that a sentence without a question mark asks something, from which it does
MIN_RELATED_PROBABILITY = 0.005  # of a candidate, from which it has to do with the problem
MIN_ANOTHER = 0.95  # probability of what a sentence describes alone, from which that is a problem of its own
MAX_SHORT_CHARS = 40  # of a reply that may as well read as an error ("bus error")
MAX_PICK_CHARS = 6  # of a reply that only picks: "no", "yes", "没有"
MAX_QUOTED_CHARS = 200
MAX_HEARD = 12  # sentences that are said back, the last ones


def replied(thread: Thread, lang: str) -> Answer | None:
    """The reply to an answer of the question that is open; None where the message is none."""
    case, message = thread.case, thread.message
    if (
        case is None
        or case.open is None
        or (message.root is not None and len(message.plain) > MAX_SHORT_CHARS)
    ):
        return None
    key, check = case.open
    others = [each for each in thread.assistant.store.families[key[0]].checks if each != check]
    understood, said = case.reader.reply(message.plain, check, others)
    read = Statement(message.plain, read_polarity(message.plain))
    if not understood or (said and not _is_short(thread, said) and not case.agrees(read, said)):
        return None
    heard = note("say_heard", lang, heard=answer_label(said, lang) if said else phrase("say_not_known", lang))
    answers: dict[CheckKey, CheckAnswer] = {key: said} if said else {}
    return _go_on(thread, case, lang, heard, answers=answers, short=_is_short(thread, said))


def _is_short(thread: Thread, said: CheckAnswer | None) -> bool:
    """Whether a reply only picks an answer, so that nothing else is to be read in it."""
    text = thread.message.plain
    return said is None or len(text) <= MAX_PICK_CHARS or intents.ordinal(text) is not None


def stated(thread: Thread, lang: str) -> Answer | None:
    """The reply to a sentence that states something of the problem at hand; None where the message asks."""
    case, message = thread.case, thread.message
    intent = message.intent
    if case is None or message.root is not None or message.question.paste.foreign:
        return None
    if not message.plain or message.plain.endswith(("?", "？")) or _asks(message.plain):
        return None
    if intent is not None and not _may_state(thread, case, intent):
        return _moved_on(thread, case, lang) if intent.name == "failed" else None
    if not case.settled and _is_another_problem(thread, case, lang):
        return thread.begin(thread.ask(lang))
    return _go_on(thread, case, lang)


def _asks(text: str) -> bool:
    read = read_polarity(text)
    return read.polarity in ("asks", "unknown") and read.probability >= MIN_ASKS


def _may_state(thread: Thread, case: Case, intent: Intent) -> bool:
    """Whether a sentence that is like a follow-up may as well state something of the problem."""
    if intent.name in SPEAKING_OF:
        return True
    if intent.exact or (case.settled and intent.name not in STATING):
        return False
    return _says_much(thread)


def _says_much(thread: Thread) -> bool:
    """Whether the message has words by which entries differ."""
    terms = filter(thread.is_known, rare_words(thread.message.plain))
    return sum(map(thread.excerpts.idf, terms)) >= MIN_NEIGHBOUR_RARITY


def _moved_on(thread: Thread, case: Case, lang: str) -> Answer | None:
    """What was proposed did not help: on to the next; None where the text shows the entry's own message."""
    return None if case.settled or thread.focus is None else not_that(thread, lang, "")


def _is_another_problem(thread: Thread, case: Case, lang: str) -> bool:
    """Whether a sentence describes a problem of its own, far from the one at hand."""
    if intents.points_back(thread.message.plain) or read_polarity(thread.message.plain).polarity != "so":
        return False
    asked = thread.ask(lang)
    if asked.family:
        own, sure = set(asked.family.family.members), asked.family.probability
    elif asked.match:
        own, sure = {asked.match.id}, asked.match.probability
    else:
        return False
    related = {
        each.id
        for each in (*thread.offered, *case.anchor.candidates)
        if each.probability >= MIN_RELATED_PROBABILITY
    }
    return sure >= MIN_ANOTHER and own.isdisjoint({*related, *case.rejected, *case.against})


def _go_on(
    thread: Thread,
    case: Case,
    lang: str,
    *intro: Section,
    answers: dict[CheckKey, CheckAnswer] | None = None,
    short: bool = False,
) -> Answer | None:
    """Weigh everything anew; turn to the entry that leads, or ask what tells the likely ones apart."""
    before, known, against = thread.focus, len(case.heard), set(case.against)
    said = [(thread.message.plain, None)] if short or answers else clauses(thread.message.plain)
    if short:
        answer = case.note_answers(thread.message.plain, answers or {}, lang)
    else:
        answer = case.hear(said, lang, answers or {})
    news = case.heard[min(known, len(case.heard) - len(said)) :]
    if case.settled and (answer.match is None or answer.match.id == case.anchor_id):
        return _stands(thread, case, news, lang)
    led = [each.id for each in thread.topics[-1].candidates[:1]]
    thread.topics[-1] = answer
    moved = case.against.keys() - against or led != [each.id for each in answer.candidates[:1]]
    told = any(each.answers for each in news) or _says_much(thread)
    if not (short or moved or told):
        thread.focus = answer.match
        return _unknown(thread, lang)
    parts = [*intro, *heard_section(case, lang)]
    check = case.question(answer)  # none is open any more where one entry stands clear
    if answer.likely:
        thread.focus = None
        may_be = Section("members", phrase("family_members", lang), sections.listed(answer.likely, lang))
        return thread.reply(
            "consult", lang, [*parts, may_be, *([sections.question(check, lang)] if check else [])]
        )
    return _turned(thread, case, answer, lang, before, parts)


def _stands(thread: Thread, case: Case, news: Sequence[Heard], lang: str) -> Answer | None:
    """The entry stands by its own message. None where its passages, or another problem, may answer."""
    if thread.focus is None:
        return None
    did = thread.law.tried([each.statement for each in news], thread.entry)
    told = did or any(each.statement.read.polarity == "failed" for each in news)
    if not told or thread.message.intent is not None:
        return None
    answer = failed(thread, lang, "")
    assert answer.reply is not None
    parts = (*heard_section(case, lang), *answer.reply.sections)
    return answer._replace(reply=answer.reply._replace(intent="consult", sections=parts))


def _turned(
    thread: Thread, case: Case, answer: Answer, lang: str, before: object, parts: list[Section]
) -> Answer:
    """Turn to the entry that stands clear: its whole page where it is another one than before, else how to
    check and fix it.
    """
    if not answer.candidates:
        thread.focus = None
        return thread.reply("consult", lang, [*parts, note("say_no_next", lang)], found=False)
    first = answer.candidates[0]
    if first.id not in case.against:  # else that it leads all the same is said with what speaks against it
        parts.append(note("say_then", lang, id=first.id))
    if getattr(before, "id", None) != first.id:
        return thread.turn_to(first, lang, "consult", *parts)
    thread.focus = first
    rest = [sections.field_section(first.pitfall, field, lang) for field in ("check", "fix")]
    return thread.reply("consult", lang, [*parts, *rest])


def _unknown(thread: Thread, lang: str) -> Answer:
    """What was said tells nothing of what may be the cause: that is said, with the nearest passage."""
    about = thread.message.plain
    excerpt = thread.excerpt(about, lang, MIN_NEIGHBOUR_RARITY)
    return (
        what_is_said(thread, "passage", about, excerpt, lang)
        if excerpt
        else nothing_about(thread, "passage", about, lang)
    )


def heard_section(case: Case, lang: str) -> list[Section]:
    """What the user said so far, on one line."""
    said = heard_sentences(case, lang)
    return (
        [note("say_so_far", lang, said="; ".join(quoted(each, MAX_QUOTED_CHARS) for each in said))]
        if said
        else []
    )


def heard_sentences(case: Case | None, lang: str) -> tuple[str, ...]:
    """What the user said so far, in the user's words."""
    said = case.heard[-MAX_HEARD:] if case else ()
    return tuple(each.label[lang] if each.label else shortened(each.statement) for each in said)
