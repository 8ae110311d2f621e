"""What else it could be: other candidates, what tells them apart, turning to another one.

One function an intent.
"""

from __future__ import annotations

from torchwhy.answers.answer import Answer, Match, Section
from torchwhy.text.phrases import phrase

from . import sections
from .excerpts import NEARLY_ALL_SHARE
from .sections import note
from .thread import MIN_OFFERED_PROBABILITY, Thread

MAX_OTHERS = 5


def other_matches(thread: Thread) -> list[Match]:
    """Candidates worth naming, then look-alikes; without the entry at hand and what was ruled out."""
    candidates = list(thread.offered)
    ids = [match.id for match in candidates if match.probability >= MIN_OFFERED_PROBABILITY][:MAX_OTHERS]
    first = thread.topic.match if thread.topic and thread.topic.match else thread.focus
    if first:
        rank = {match.id: at for at, match in enumerate(candidates)}
        alike = [pair.id for pair in first.pitfall.look_alikes]  # sorted() keeps the order of unranked ones
        ids += sorted(alike, key=lambda id: rank.get(id, len(rank)))
    excluded = {*thread.ruled_out, thread.focus.id if thread.focus else ""}
    kept = [id for id in dict.fromkeys(ids) if id not in excluded and thread.is_entry(id)]
    return [thread.match(id) for id in kept[:MAX_OTHERS]]


def others_section(thread: Thread, lang: str) -> list[Section]:
    """The other candidates as a section, or nothing where there are none."""
    matches = other_matches(thread)
    if not matches:
        return []
    return [Section("others", phrase("say_others", lang), sections.listed(matches, lang))]


def others(thread: Thread, lang: str, about: str) -> Answer:
    listed = others_section(thread, lang)
    return thread.reply("others", lang, listed or [note("say_no_others", lang)], found=bool(listed))


def not_that(thread: Thread, lang: str, about: str) -> Answer:
    """Rule the entry at hand out and turn to the next one."""
    gone = thread.focus
    if gone is None:
        thread.reject(match.id for match in thread.nearest())
        return thread.unsettled("not_that", lang)
    thread.reject([gone.id])
    left = other_matches(thread)
    if not left:
        thread.focus = None
        return thread.reply("not_that", lang, [note("say_no_next", lang)], found=False)
    if left[0].probability >= MIN_OFFERED_PROBABILITY:
        return thread.turn_to(left[0], lang, "not_that", note("say_next", lang, id=gone.id))
    # A look-alike that the text does not speak for: its page, without a probability.
    look_alike = left[0]._replace(why=())
    return thread.turn_to(look_alike, lang, "not_that", note("say_next_alike", lang, id=gone.id))


def which(thread: Thread, lang: str, about: str) -> Answer:
    """What tells the entry at hand from its nearest neighbour (or from the one that was named)."""
    matches = other_matches(thread)
    if about:
        entries = [match.pitfall for match in matches]
        named = thread.excerpts.find_in(about, entries, lang, minimum_share=NEARLY_ALL_SHARE)
        matches = [thread.match(named.entry.id)] if named else matches
    if not matches:
        return thread.reply("which", lang, [sections.field_section(thread.entry, "check", lang)])
    parts = [
        sections.field_section(match.pitfall, "check", lang)._replace(title=match.pitfall.title[lang])
        for match in (thread.at_hand, matches[0])
    ]
    return thread.reply("which", lang, parts)


def pick(thread: Thread, lang: str, about: str) -> Answer:
    """Turn to a candidate by its number, from 1."""
    candidates = thread.offered
    number = int(about)
    if number > len(candidates):
        return thread.reply("pick", lang, [note("say_no_such", lang, n=about)], found=False)
    return thread.turn_to(candidates[number - 1], lang, "pick")
