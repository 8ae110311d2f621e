"""What is offered to be asked next is understood as what it asks, and answered; a new symptom begins anew."""

from __future__ import annotations

import pytest

from tests.support.shipped import knowledge
from torchwhy import Assistant
from torchwhy.answers.family_page import answer_label
from torchwhy.chat.checks import CheckReader
from torchwhy.chat.intents import read
from torchwhy.chat.next_questions import ORDER
from torchwhy.text.language import LANGS
from torchwhy.text.phrases import phrase

FAMILIES = knowledge().families
LINEAR = 'Traceback (most recent call last):\n  File "net.py", line 13, in forward\n    return self.head(x)\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)'


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("intent", ORDER)
def test_each_is_understood_as_what_it_asks(intent: str, lang: str) -> None:
    understood = read(phrase(f"ask_{intent}", lang))
    assert understood is not None and understood.name == intent


@pytest.mark.parametrize("lang", LANGS)
def test_the_answers_of_a_question_are_understood(real: Assistant, lang: str) -> None:
    read_reply = CheckReader(real).reply
    for family in FAMILIES.values():
        for check in family.checks:
            for answer in check.answers:
                assert read_reply(answer_label(answer, lang), check) == (True, answer), (family.id, answer.id)
            assert read_reply(phrase("ask_not_known", lang), check) == (True, None)


def test_what_a_reply_denies_is_not_its_answer(real: Assistant) -> None:
    read_reply = CheckReader(real).reply
    checks = [check for family in FAMILIES.values() for check in family.checks]
    slow = next(
        each for each in checks if "DataLoader 是慢的部分" in [a.label.zh for a in each.answers if a.label]
    )
    assert read_reply("DataLoader 是慢的部分吧", slow)[1] is not None
    assert read_reply("DataLoader也不慢", slow)[1] is None
    still = next(each for each in checks if not any(a.label for a in each.answers))
    assert read_reply("没有", still)[1] is not None
    assert read_reply("没有存模型，显卡是两年前买的", still) == (False, None)  # "no" to another question


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_offered_is_answered_and_not_offered_again(real: Assistant, lang: str) -> None:
    talk = real.conversation()
    assert talk.next_questions(lang) == []
    talk.speak(lang)
    talk.say(LINEAR)
    offered = talk.next_questions(lang)
    assert offered[:2] == [phrase("ask_prove", lang), phrase("ask_line", lang)]
    asked = []
    while left := [each for each in talk.next_questions(lang) if each != phrase("ask_prove", lang)]:
        reply = talk.say(left[0]).reply
        assert reply is not None and reply.found, left[0]
        asked.append(left[0])
        assert left[0] not in talk.next_questions(lang)
    assert asked == offered[1:]


def test_a_family_offers_the_answers_of_its_question(real: Assistant) -> None:
    talk = real.conversation()
    answer = talk.say("my loss does not go down")
    assert answer.family is not None and talk.open_check is not None
    labels = [answer_label(each, "en") for each in talk.open_check.answers]
    assert talk.next_questions("en") == [*labels, "I don't know"]
    reply = talk.say(labels[0]).reply
    assert reply is not None and reply.intent == "consult"


def test_without_an_entry_nothing_of_an_entry_is_offered(real: Assistant) -> None:
    talk = real.conversation()
    assert talk.say("KeyError: 'fc9'").match is None
    assert not {"prove it", "source?", "is it serious?"} & set(talk.next_questions("en"))


@pytest.mark.parametrize(
    ("said", "family"),
    [
        ("my loss does not go down", "loss-does-not-fall"),
        ("loss 不下降怎么办", "loss-does-not-fall"),
    ],
)
def test_a_new_symptom_of_several_causes_begins_anew(real: Assistant, said: str, family: str) -> None:
    talk = real.conversation()
    talk.say("RuntimeError: Trying to backward through the graph a second time")
    answer = talk.say(said)
    assert answer.reply is not None and answer.reply.intent == "diagnosis"
    assert answer.family is not None and answer.family.id == family
