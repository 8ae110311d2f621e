"""The law of remedies, of every entry in both languages: what the user says was done is not proposed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.support.fixture_kb import FIXTURES
from tests.support.shipped import knowledge
from tests.tools.consultations import read_rows, rulings
from torchwhy import Assistant
from torchwhy.chat.excerpts import ExcerptFinder
from torchwhy.chat.law import Law
from torchwhy.chat.likeness import Likeness
from torchwhy.chat.polarity import Statement, read_polarity
from torchwhy.chat.sections import blocks
from torchwhy.knowledge.entry import Pitfall
from torchwhy.text.phrases import phrase

FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
SAID = {
    "en": (
        "I already did this: {}",
        "already tried to {}, still the same",
        "{} did not help",
        "we had that from the beginning: {}",
    ),
    "zh": ("{}，这个已经做了", "已经{}了，没用", "试过{}，还是一样"),
}
MIN_HEARD = {"en": 0.96, "zh": 0.98}
MIN_AGAINST, MAX_WRONGLY = 0.4, 0.1  # of sentences
MAX_UNHEARD = 8  # entries whose first remedy begins with a word that says nothing ("Best:")


def remedy(entry: Pitfall, lang: str) -> str:
    """The first remedy as a user would name it: the sentence that leads, and the line of code behind it."""
    first = blocks(entry.fix[lang])[0]
    lead = re.split(r"(?<=[.;:])\s|[。；：\n]", FENCED.sub("\n", first).strip())[0].strip(" .:;：，")
    lines = [line.partition("#")[0].strip() for code in FENCED.findall(first) for line in code.splitlines()]
    code = next((line for line in lines if line and not line.startswith(("import ", "from "))), "")
    lead = lead[:1].lower() + lead[1:]
    return f"{lead}, {code}" if code else lead


def sayings(entry: Pitfall, lang: str) -> Iterator[str]:
    yield from (frame.format(remedy(entry, lang)) for frame in SAID[lang])


def is_proposed(block: str, shown: list[str], lang: str) -> bool:
    """Whether a reply gives a remedy as new: the paragraph before it does not say that it was tried."""
    tried = phrase("say_did", lang, did="\n").split("\n")[1]
    return block in shown and not shown[shown.index(block) - 1].endswith(tried)


@pytest.fixture(scope="module")
def plain() -> Assistant:
    return Assistant(vectors=False)


@pytest.fixture(scope="module")
def law(assistant: Assistant) -> Law:
    return Law(ExcerptFinder(assistant.store), Likeness(assistant.matcher))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nearly_every_way_to_say_it_is_understood(law: Law, lang: str) -> None:
    said = [(entry, text) for entry in knowledge().pitfalls.values() for text in sayings(entry, lang)]
    missed = [
        (entry.id, text)
        for entry, text in said
        if law.tried([Statement(text, read_polarity(text))], entry) is None
    ]
    assert len(missed) <= (1 - MIN_HEARD[lang]) * len(said), missed


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_reply_proposes_what_was_done(plain: Assistant, lang: str) -> None:
    """Whatever is asked of the entry then, its first remedy is in no reply as if it were new."""
    proposed = []
    for entry in knowledge().pitfalls.values():
        talk = plain.conversation()
        talk.speak(lang)
        talk.choose(entry.id)
        assert talk.case is not None
        talk.case.remember(SAID[lang][0].format(remedy(entry, lang)))
        first = blocks(entry.fix[lang])[0]
        answers = [
            talk.choose(entry.id),
            *(talk.do(intent, lang, intent) for intent in ("fix", "code", "short")),
        ]
        proposed += [
            entry.id
            for answer in answers
            if answer.reply and is_proposed(first, answer.reply.markdown.split("\n\n"), lang)
        ]
    assert len(set(proposed)) <= MAX_UNHEARD, sorted(set(proposed))


@pytest.mark.parametrize("id", sorted(knowledge().pitfalls)[::40])
def test_the_next_leads_or_what_remains_is_said(assistant: Assistant, id: str) -> None:
    entry, talk = knowledge().pitfalls[id], assistant.conversation()
    talk.choose(id)
    answer = talk.say(SAID["en"][0].format(remedy(entry, "en")))
    assert answer.reply is not None
    assert not is_proposed(blocks(entry.fix.en)[0], answer.reply.markdown.split("\n\n"), "en")


def test_another_thing_that_was_done_rules_nothing_out(law: Law) -> None:
    """Of all pairs of an entry and what was done about another, few are taken for the same: some share a remedy."""
    entries = list(knowledge().pitfalls.values())
    taken = sum(
        law.tried([Statement(text, read_polarity(text))], entry) is not None
        for at, entry in enumerate(entries)
        for other in (entries[at - 1], entries[at - 7])
        for text in (SAID["en"][0].format(remedy(other, "en")),)
    )
    assert taken <= 0.03 * 2 * len(entries), taken


def test_what_speaks_against_an_entry_is_heard_and_the_cause_is_kept(assistant: Assistant, law: Law) -> None:
    """Of consultations that the weights were not fitted on: most of what is ruled out, and hardly ever the cause."""
    load = knowledge().pitfalls.__getitem__
    against, wrongly = [], []
    for row in read_rows(FIXTURES / "consultations-kept.jsonl"):
        said = [Statement(text, read_polarity(text)) for text in row["turns"]]
        against += [law.contradicts(said[turn - 1], load(id)) for id, turn in rulings(row)]
        wrongly += [law.contradicts(each, load(row["label"])) for each in said]
    assert sum(against) >= MIN_AGAINST * len(against), against
    assert sum(wrongly) <= MAX_WRONGLY * len(wrongly), wrongly


def test_what_was_written_stands_beside_the_entry_that_it_speaks_against(assistant: Assistant) -> None:
    talk = assistant.conversation()
    talk.say("the same checkpoint is much worse behind the API than in my script")
    answer = talk.say("model.eval() is called in the service")
    assert answer.reply is not None and talk.case is not None and "train-eval-mode" in talk.case.against
    assert answer.heard[-1] == "model.eval() is called in the service"
    assert answer.match is None or answer.match.id != "train-eval-mode"
    listed = [line for line in answer.reply.markdown.splitlines() if "**train-eval-mode**" in line]
    assert all("you wrote “model.eval() is called in the service”" in line for line in listed)
