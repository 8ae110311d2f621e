"""A sitting without a screen: order, one conversation, keys as handlers, proofs, the history, and how often a text is parsed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

import torchwhy.paste.parse as parse_module
from tests.support.fixture_kb import fixture_world
from torchwhy import Assistant
from torchwhy.answers import evidence
from torchwhy.answers.answer import Answer, Rewritten
from torchwhy.answers.evidence import Evidence, Question
from torchwhy.chat import session as session_module
from torchwhy.chat import thread
from torchwhy.chat.history import History
from torchwhy.chat.session import (
    ChatSession,
    ProofTarget,
    Request,
    language_request,
    machine_request,
    request_of,
)
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.facts import Facts
from torchwhy.paste.paste import Paste
from torchwhy.paste.reading import MAX_WHOLE_BYTES
from torchwhy.retrieval.matcher import Matcher
from torchwhy.retrieval.store import Store

TWICE = "RuntimeError: Trying to backward through the graph a second time"
OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB."


class StandIn:
    """A Backend that answers every text with nothing, and notes what it was asked."""

    lang = "auto"

    def __init__(self) -> None:
        self.store = cast(Store, self)
        self.matcher = cast(Matcher, self)
        self.asked: list[str] = []
        self.facts = cast(Facts, object())

    def resolve(self, id: str) -> str | None:
        return None

    def ask(
        self,
        text: Question,
        *,
        lang: str | None = None,
        facts: Facts | None = None,
        source: bool | None = None,
    ) -> Answer:
        self.asked.append(text.paste.text)
        return Answer(None, (), lang or "en", Evidence(text.paste))

    def pitfall(self, id: str) -> Pitfall:
        raise AssertionError(id)

    def machine(self, *, python: str | None = None, paste: str | None = None, full: bool = False) -> Facts:
        return self.facts

    def rewrite(
        self, answer: Answer, question: str = "", *, cancelled: Callable[[], bool] | None = None
    ) -> Rewritten:
        return Rewritten(f"asked: {question}", "tiny", "here", ())


@pytest.fixture(scope="module")
def fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with fixture_world(tmp_path_factory.mktemp("fixture")) as opened:
        yield opened


@pytest.fixture
def sitting(fixture: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ChatSession:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "data"))
    session = ChatSession()
    session.model_ready.set()
    session.open(fixture, "en")
    return session


def test_requests_wait_until_it_is_open_and_are_taken_one_by_one() -> None:
    session = ChatSession()
    session.enqueue(Request("one"))
    session.enqueue(Request("two"))
    assert session.take() is None, "not open yet"
    session.open(StandIn())
    assert session.take() == Request("one")
    assert session.take() is None, "one is being answered"
    session.done()
    assert session.take() == Request("two")
    session.done()
    assert session.take() is None


def test_a_new_chat_drops_what_waits() -> None:
    session = ChatSession()
    session.open(StandIn())
    before = session.conversation
    session.enqueue(Request("one"))
    session.begin_again("zh")
    assert session.take() is None
    assert session.conversation is not before
    assert session.conversation is not None
    assert session.conversation.lang == "zh"


def test_an_answer_for_the_chat_before_is_not_kept_in_the_new_one() -> None:
    session = ChatSession()
    session.model_ready.set()
    session.open(StandIn())
    before = session.conversation
    session.begin_again("en")
    session.ask(TWICE, before)
    assert session.record.exchanges == []


def test_callers_speak_with_the_conversation_in_turn(sitting: ChatSession) -> None:
    threads = [threading.Thread(target=sitting.ask, args=(TWICE,)) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert sitting.conversation is not None
    assert len(sitting.conversation.turns) == len(sitting.record.exchanges) == 8


def test_only_words_wait_for_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    session = ChatSession()
    session.open(StandIn())
    monkeypatch.setattr(session.model_ready, "wait", waits.append)
    session.ask(TWICE)
    session.ask("why?")
    assert waits == []
    session.begin_again("en")
    session.ask("the numbers look odd after a while")
    assert waits == [session_module.MODEL_WAIT_TIMEOUT_S]


def test_a_key_calls_its_handler(sitting: ChatSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the rules read: a change of a rule breaks no key."""
    monkeypatch.setattr("torchwhy.chat.intents.read", lambda text: None)
    first = sitting.ask(TWICE)
    assert first.match is not None
    request = sitting.change_language("zh")
    assert request == language_request("zh")
    assert request is not None
    answer = sitting.ask(request)
    assert answer.reply is not None
    assert (answer.reply.intent, answer.lang) == ("language", "zh")
    assert "## 原因" in answer.reply.markdown
    assert sitting.change_language("zh") is None, "it speaks it already"
    about_machine = sitting.ask(machine_request("zh"))
    assert about_machine.reply is not None
    assert about_machine.reply.intent == "machine"
    assert [exchange.text for exchange in sitting.record.exchanges] == [TWICE, "中文", "看看我的机器"]


def test_a_kept_key_is_a_key_again() -> None:
    for lang in ("en", "zh"):
        assert request_of(machine_request(lang).text) == machine_request(lang)
        assert request_of(language_request(lang).text) == language_request(lang)
    assert request_of("why?") == Request("why?")


def test_the_machines_facts_are_asked_for_where_that_is_wanted() -> None:
    session = ChatSession(machine=True)
    session.model_ready.set()
    backend = StandIn()
    session.open(backend)
    session.ask(TWICE)
    assert session.conversation is not None
    assert session.conversation.facts is backend.facts


def test_choosing(sitting: ChatSession) -> None:
    sitting.ask(TWICE)
    answer = sitting.choose("value-changed-in-place")
    assert answer is not None
    assert answer.match is not None
    assert answer.match.id == "value-changed-in-place"
    assert sitting.choose("graph-used-twice", lambda: True) is None


def test_rewriting_says_what_was_asked(sitting: ChatSession) -> None:
    sitting.ask(TWICE)
    answer = sitting.ask("why?")
    sitting.backend = StandIn()
    assert sitting.rewrite(answer, lambda: False).text == "asked: why?"


def test_a_proof(sitting: ChatSession) -> None:
    assert sitting.proof_target() is None
    sitting.ask(f"Traceback (most recent call last):\n{TWICE}")
    target = sitting.proof_target()
    assert target is not None
    assert target.entry == "graph-used-twice"
    assert target.paste is not None

    def run(target: ProofTarget) -> str:
        return f"ran {target.entry}"

    def show(result: str, facts: Facts) -> str:
        return f"{result} on {facts.origin}"

    assert sitting.prove(target, run, show, lambda: True) is None
    assert sitting.conversation is not None
    assert sitting.conversation.facts is None, "a proof that was cancelled says nothing of the machine"
    assert sitting.prove(target, run, show) == "ran graph-used-twice on machine"
    assert sitting.conversation.facts is not None


def test_a_follow_up_leaves_nothing_where_only_errors_are_kept(sitting: ChatSession) -> None:
    for text in (f"password=hunter2hunter2\n{TWICE}", "why?", "how do I fix it?"):
        sitting.ask(text)
        sitting.save()
    (kept,) = History().sessions()
    assert (kept.title, kept.turns) == (TWICE, 1)
    again = list(sitting.resume(kept.id, "en"))
    assert [(said, answer.reply.intent) for said, answer in again if answer.reply] == [(TWICE, "diagnosis")]


def test_what_was_said_is_saved_once_and_resumed(
    sitting: ChatSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHWHY_HISTORY", "full")
    sitting.ask(f"password=hunter2hunter2\n{TWICE}")
    sitting.save()
    sitting.ask("why?")
    sitting.save()
    sitting.save()
    (kept,) = History().sessions()
    assert (kept.title, kept.turns) == (TWICE, 2)
    page = History().page(kept.id)
    assert "graph" in page and "hunter2" not in page
    sitting.begin_again("en")
    again = list(sitting.resume(kept.id, "en"))
    assert [answer.reply.intent for _, answer in again if answer.reply] == ["diagnosis", "why"]
    sitting.ask("how do I fix it?")
    sitting.save()
    (kept,) = History().sessions()
    assert kept.turns == 3, "a resumed chat goes on in its own session"


def test_history_off(sitting: ChatSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHWHY_HISTORY", "off")
    sitting.ask(TWICE)
    sitting.save()
    assert not (tmp_path / "data").exists()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the texts that are parsed, from here on."""
    lengths: list[int] = []
    parse = parse_module.parse

    def counted(text: str) -> Paste:
        lengths.append(len(text))
        return parse(text)

    for module in (parse_module, evidence, thread):
        monkeypatch.setattr(module, "parse", counted)
    return lengths


def test_a_turn_parses_once_at_most(sitting: ChatSession, parsed: list[int]) -> None:
    for text in (
        f"Traceback (most recent call last):\n{TWICE}",
        "why?",
        "is it the batch size?",
        "what about graph-used-twice",
        "the numbers look odd after a while and nobody knows what it is",
        "PyTorch version: 2.1.0\nIs debug build: False\n\n" + OOM,
        "用中文",
        "not that one",
    ):
        parsed.clear()
        sitting.ask(text)
        sitting.save()
        assert len(parsed) <= 1, text


def test_a_big_log_is_digested_before_anything_reads_it(sitting: ChatSession, parsed: list[int]) -> None:
    log = "step 1 loss 0.5 lr 0.1\n" * 900_000 + TWICE  # 20 MB
    answer = sitting.ask(log)
    sitting.save()
    assert answer.match is not None
    assert len(parsed) == 1
    assert parsed[0] < MAX_WHOLE_BYTES


def test_the_count_would_notice_a_second_parse(sitting: ChatSession, parsed: list[int]) -> None:
    evidence.read_question(TWICE)
    evidence.read_question(TWICE)
    assert len(parsed) == 2
