"""Guesses, "what if" and sentences that are no follow-up: the excerpt that speaks of them, if any."""

from __future__ import annotations

from torchwhy.answers.answer import Answer, FamilyMatch, Section
from torchwhy.text.markup import quoted
from torchwhy.text.phrases import phrase

from . import intents, sections
from .excerpts import Excerpt
from .sections import note
from .thread import MIN_NEIGHBOUR_RARITY, Thread

MIN_OWN_QUESTION_PROBABILITY = 0.6  # from it a follow-up is taken for a new question
MIN_NAMED_QUESTION_PROBABILITY = (
    0.75  # the same, of a guess or a "what if": the one thing it names may fit by chance
)
MIN_SENTENCE_RARITY = 1.3  # IDF weight that an excerpt must hold of a sentence that is no follow-up
MIN_DESCRIPTION_CHARS = 60  # a longer sentence that nothing fits is a description of its own


def guess(thread: Thread, lang: str, about: str) -> Answer:
    return _what_is_said_of(thread, "guess", lang, about)


def what_if(thread: Thread, lang: str, about: str) -> Answer:
    return _what_is_said_of(thread, "what_if", lang, about)


def _what_is_said_of(thread: Thread, intent: str, lang: str, about: str) -> Answer:
    excerpt = thread.excerpt(about, lang)
    if excerpt:
        return what_is_said(thread, intent, about, excerpt, lang)
    asked = thread.ask(lang)
    likely = asked.match is not None and asked.match.probability >= MIN_NAMED_QUESTION_PROBABILITY
    if likely and not intents.points_back(thread.message.plain):
        return thread.begin(asked)
    return nothing_about(thread, intent, about, lang)


def free_sentence(thread: Thread, lang: str) -> Answer:
    """No follow-up: a question of its own if the ranking says so, else whatever excerpt speaks of it."""
    text = thread.message.plain
    asked = thread.ask(lang)
    leans = intents.points_back(text)
    excerpt = thread.excerpt(text, lang, MIN_SENTENCE_RARITY)
    if asked.match is not None and asked.match.id not in thread.ruled_out:
        near_ids = {entry.id for entry in thread.neighbourhood()} if excerpt else set()
        own_question = not leans or asked.match.probability >= MIN_OWN_QUESTION_PROBABILITY
        if not excerpt or (asked.match.id not in near_ids and own_question):
            return thread.begin(asked)
    elif asked.family is not None and not leans and not _is_of_it(thread, asked.family):
        return thread.begin(asked)
    if excerpt:
        return what_is_said(thread, "passage", text, excerpt, lang)
    if asked.paste.foreign:  # another program's text: that is said, and the thread goes on
        return thread.reply("foreign", lang, sections.diagnosis(asked).sections, found=False)
    if len(text) > MIN_DESCRIPTION_CHARS and not leans:
        return thread.begin(asked)  # the answer says that nothing fits, and names the nearest
    return nothing_about(thread, "passage", text, lang)


def _is_of_it(thread: Thread, family: FamilyMatch) -> bool:
    """Whether the entry at hand, or the family that was diagnosed, explains the same symptom."""
    topic = thread.topic
    if topic is not None and topic.family is not None and topic.family.id == family.id:
        return True
    return thread.focus is not None and thread.focus.id in {member.id for member in family.members}


def nothing_about(thread: Thread, intent: str, about: str, lang: str) -> Answer:
    """Nothing near speaks of it.

    Entries elsewhere that do are named, without a claim that they bear on this.
    """
    parts = [note("say_nothing_about", lang, about=quoted(about))]
    near_ids = {entry.id for entry in thread.neighbourhood()}
    elsewhere = thread.excerpts.find_elsewhere(about, lang, near_ids, minimum_rarity=MIN_NEIGHBOUR_RARITY)
    if elsewhere:
        items = [f"- **{excerpt.entry.id}**: {excerpt.entry.title[lang]}" for excerpt in elsewhere]
        parts.append(Section("elsewhere", phrase("say_elsewhere", lang), "\n".join(items)))
    return thread.reply(intent, lang, parts, found=False)


def what_is_said(thread: Thread, intent: str, about: str, excerpt: Excerpt, lang: str) -> Answer:
    about = quoted(about)
    entry, field = excerpt.entry, excerpt.field
    body = f"{excerpt.text}\n\n{sections.origin(entry, field, lang)}"
    parts = [Section(field, phrase("say_about", lang, about=about), body, entry.id)]
    if thread.focus and entry.id != thread.focus.id:
        parts.insert(0, note("say_neighbour", lang, about=about, id=thread.focus.id, other=entry.id))
    elif intent == "guess" and field != "check":
        parts.insert(0, note("say_guess_own", lang, about=about, id=entry.id))
    if intent == "guess" and field != "check":
        parts.append(sections.field_section(entry, "check", lang))
    return thread.reply(intent, lang, parts)
