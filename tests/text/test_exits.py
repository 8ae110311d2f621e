"""The two exits: what is told to others, and what is kept for the user; in linear time."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import ROOT
from tests.text.secret_kinds import Secret, secrets
from tests.text.worst_shapes import SHAPES, growth
from torchwhy import Assistant
from torchwhy.agents import pages
from torchwhy.answers.answer import Answer
from torchwhy.answers.entry_page import entry_sections
from torchwhy.answers.markdown import page
from torchwhy.answers.telling import LITERAL, teller
from torchwhy.llm import choose, rewrite
from torchwhy.machine.torch_probe import Probe
from torchwhy.proof.report import report
from torchwhy.text import whereabouts
from torchwhy.text.exits import kept, told_to_others, words_of
from torchwhy.text.phrases import all_phrases
from torchwhy.text.plain import plain
from torchwhy.text.whereabouts import MARK, anonymous

pytestmark = pytest.mark.promise(4)

MAX_TOLD, MAX_KEPT = 2, 10  # of a hundred secrets
MESSAGE = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)"
FAILED = f'Traceback (most recent call last):\n  File "train.py", line 18, in forward\n    return self.head(x)\n{MESSAGE}'
PROBE = Probe("/env/bin/python", "3.11.0", "linux", torch="2.13.0+cpu")
PLACES: dict[str, Callable[[str], str]] = {
    "at the end of the message": lambda secret: f"{FAILED} {secret}",
    "as the message": lambda secret: f"{FAILED.removesuffix(MESSAGE)}RuntimeError: {secret}",
    "on the line before": lambda secret: f"{secret}\n{FAILED}",
    "as all that is said": lambda secret: secret,
}


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user whose home and name stand in no text."""
    monkeypatch.setenv("HOME", "/srv/people/somebody")
    monkeypatch.setenv("LOGNAME", "somebody-else")
    whereabouts._own_names.cache_clear()
    yield
    whereabouts._own_names.cache_clear()


# Secrets


def told_by_every_way(answer: Answer) -> str:
    """All that an agent, a reader of a report and a model are told of an answer."""
    tell = teller(answer)
    parts = [pages.diagnosis(answer), pages.diagnosis(answer, ["all"]), report(answer, PROBE, None)]
    parts.append(
        json.dumps(
            choose.prompt(tell(answer.paste.text), choose.candidates(answer), answer.lang), ensure_ascii=False
        )
    )
    if sections := rewrite.passages(answer):
        parts.append(json.dumps(rewrite.prompt(answer, sections, ""), ensure_ascii=False))
    return "\n".join(parts)


@pytest.mark.parametrize("place", PLACES)
def test_of_a_hundred_secrets_at_most_two_are_told_by_any_way(place: str, quick: Assistant) -> None:
    made = secrets(seed=7)
    assert len(made) == 100
    answers = quick.ask_many([PLACES[place](secret.text) for secret in made])
    left = [
        secret.kind
        for secret, answer in zip(made, answers, strict=True)
        if secret.leaks_into(told_by_every_way(answer))
    ]
    assert len(left) <= MAX_TOLD, left


@pytest.mark.parametrize("seed", range(5))
def test_of_a_hundred_secrets_at_most_ten_are_kept(seed: int) -> None:
    left = [
        secret.kind
        for secret in secrets(seed)
        if any(secret.leaks_into(kept(put(secret.text))) for put in PLACES.values())
    ]
    assert len(left) <= MAX_KEPT, left


def test_a_leak_is_seen() -> None:
    secret = Secret("x", "key aB3dE5gH7jK9mN1p", "aB3dE5gH7jK9mN1p")
    assert secret.leaks_into("a\nB3dE5gH7") and secret.leaks_into(secret.text)
    assert not secret.leaks_into("key <redacted> aB3dE5")


@pytest.mark.parametrize(
    "text",
    [
        "password = hK7pQ2vXz9", "password='hK7pQ2vXz9'", '{"password": "hK7pQ2vXz9"}', r'{"log": "{\"password\": \"hK7pQ2vXz9\"}"}',
        "--db-password hK7pQ2vXz9", "DB_PASSWORD: hK7pQ2vXz9", "the password is hK7pQ2vXz9", "密码：hK7pQ2vXz9", "password: str = 'hK7pQ2vXz9'",
        "echo hK7pQ2vXz9 | sudo -S ls", "mysql -u root -phK7pQ2vXz9 x", "sshpass -p hK7pQ2vXz9 ssh x", "curl -u bob:hK7pQ2vXz9 x", "docker login -u bob -p hK7pQ2vXz9",
        "auth=('bob', 'hK7pQ2vXz9')", "<password>hK7pQ2vXz9</password>", "machine x login bob password hK7pQ2vXz9", "db:5432:runs:bob:hK7pQ2vXz9",
        "https://bob:hK7pQ2vXz9@x/y", "https://x/y?api_key=hK7pQ2vXz9", "Cookie: id=hK7pQ2vXz9", "- name: DB_PASSWORD\n  value: hK7pQ2vXz9", "password=\x1b[32mhK7pQ2vXz9\x1b[0m",
        "AKIAIOSFODNN7EXAMPLE", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "HEROKU_API_KEY=hK7pQ2vX-z9ab-4deb-7334-304740009b53".replace("hK7pQ2vX-z9ab", "445a2853-ddcf"),
    ],
)  # fmt: skip
def test_a_value_is_known_by_its_name_or_place(text: str) -> None:
    assert "hK7pQ2vXz9" not in kept(text) and "445a2853" not in kept(text) and MARK in kept(text)


@pytest.mark.parametrize("text", ["password=\"ab12\"", "token='zq-xv'", "pin=u'ab12'", "{'zoe': \"ab12\"}", "'ab12'", "'ab12"])  # fmt: skip
def test_what_the_failing_line_has_in_quotation_marks_is_not_told(text: str, quick: Assistant) -> None:
    """Whatever its name: a short secret has no form."""
    value = re.findall(r"(?:ab|zq)-?\w+", text)[0]
    answer = quick.ask(FAILED.replace("self.head(x)", f"self.head(x, {text})"))
    assert "self.head(x, " in told_by_every_way(answer) and value not in told_by_every_way(answer)


# What has to stay


def test_the_text_of_the_knowledge_base_is_told_as_it_is(quick: Assistant) -> None:
    known = quick.store.vocabulary() | words_of(all_phrases())
    for id, entry in quick.pitfalls.items():
        for lang in ("en", "zh"):
            text = plain(
                page(
                    section
                    for section in entry_sections(entry, lang)
                    if section.kind not in ("sources", "prove")
                )
            )
            assert told_to_others(text, known) == told_to_others(text, None), id


def _messages() -> list[str]:
    """Two hundred messages that people met."""
    names = ("dev", "messages-fit", "wild-fit")
    rows = [
        json.loads(line)
        for name in names
        for line in (ROOT / "data" / "eval" / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    return [row["text"] for row in rows if row["kind"] != "question"][:300]


KEPT_WORDS = re.compile(
    r"\b(?:float(?:16|32|64)|bfloat16|int(?:8|32|64)|cuda:\d|cpu|mps)\b|\[\d{1,5}(?:, \d{1,5}){1,4}\]|\b\d{1,5}x\d{1,5}\b"
)


def test_type_shapes_dtypes_devices_and_the_users_line_are_told(quick: Assistant) -> None:
    checked = 0
    for answer in quick.ask_many(_messages(), source=False):
        root, here = answer.root, answer.here
        if root is None or not root.exception or checked == 200:
            continue
        checked += 1
        told = teller(answer)(answer.paste.text)
        assert root.name in told, (root, told)
        for wanted in KEPT_WORDS.findall(root.message):
            assert wanted in told, (root.message, told)
        if here is not None and here.code:
            assert all(part in told for part in LITERAL.split(kept(here.code))), (here, told)
    assert checked == 200


def test_the_told_messages_have_the_same_answers(quick: Assistant) -> None:
    """Without vectors; `python -m tests.tools.told` says it with them, and names those that differ."""
    from tests.tools.told import same

    found = same(quick, [text for text in _messages() if len(text) < 2000][:150])
    assert len(found) > 100
    assert sum(before == after for *_, before, after in found) >= 0.98 * len(found)


def test_what_others_do_not_know_becomes_dots(quick: Assistant) -> None:
    known = quick.store.vocabulary()
    for text, wanted in (
        ("ValueError: no tulip99 in project zorkium", "ValueError: no ... in project ..."),
        ("AcmeCorpError: size 32 but got 31 (layer1.0.zorkium.weight)", "AcmeCorpError: size 32 but got 31 (layer1.0.....weight)"),
        ("expected (16x1568) on cuda:0, torch 2.6.0+cu124, 1e-05, 9.77 GiB", None),
        ("code 12345678 at 10.1.2.3, 3c:22:55:9e:1f:a3 at 12:30:45", "code ... at ..., ... at 12:30:45"),
        ("listening on 127.0.0.1", None),
        ("card 4887 0416 3252 8594, 738-13-0349, +31 6 4829 1735 on 2026-01-02", "card ..., ..., +... on 2026-01-02"),
        ("a !!42$$ b", "a ... b"),
    ):  # fmt: skip
        assert told_to_others(text, known) == (wanted or text)


def test_a_question_is_told_but_for_secrets_and_a_log_is_not(quick: Assistant) -> None:
    asked = quick.ask("why does my zorkium model forget everything after each epoch of training?")
    assert "zorkium model" in report(asked, PROBE, None)
    assert "zorkium" not in report(quick.ask(f"RuntimeError: zorkium\n{MESSAGE} zorkium"), PROBE, None)
    full = report(quick.ask(f"{MESSAGE} zorkium password: hunter2xyz"), PROBE, None, full=True)
    assert "zorkium" in full and "hunter2xyz" not in full


@pytest.mark.parametrize(
    "line",
    [
        "KeyError: 'model.layers.0.self_attn.q_proj.weight'; token = tokens[0]; key = keys[1]; secret = None",
        "nvidia-cudnn-cu12==9.1.0.70 AutoModelForSeq2SeqLM <function _MultiProcessingDataLoaderIter.__del__ at 0x7f21b3c0d1f0>",
        "undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
        "commit 1d70c1f6f5e84d1f3a6c1b5a7e1f0d9c8b7a6f5e, sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "login(token=os.getenv('HF_TOKEN')); wandb.login(key=args.wandb_key); export TOKEN=<your token>; password: Optional[str] = None",
        "pad_token='<|endoftext|>', max_new_tokens=512, num_tokens: 1048576, key_padding_mask=None, sort_key=length_of_the_sentence",
    ],
)  # fmt: skip
def test_what_is_no_secret_is_kept(line: str) -> None:
    assert kept(line) == line


def test_healthy_lines_are_kept() -> None:
    lines = (ROOT / "data" / "eval" / "healthy.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    assert sum(kept(text) != plain_of(text) for text in texts) <= len(texts) // 100


def plain_of(text: str) -> str:
    from torchwhy.text.plain import harmless

    return harmless(text).replace("\r", "\n")


@pytest.mark.parametrize("shape", ["'a-'", "'1.'", "'password='", "'://a'", "lines of a key", "one line of a key", "'-----BEGIN RSA PRIVATE KEY-----'"])  # fmt: skip
def test_both_exits_are_linear(shape: str) -> None:
    # 4 where the time is linear, 16 where it is quadratic
    assert growth(lambda text: told_to_others(text, {"key"}), SHAPES[shape], (1 << 16, 1 << 18)) <= 8


@pytest.mark.parametrize("shape", SHAPES)
def test_cleaning_is_linear(shape: str) -> None:
    assert growth(plain, SHAPES[shape]) <= 2.6


# Whose machine it is


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('File "/home/alice/x/train.py"', f'File "/home/{MARK}/x/train.py"'),
        ("/Users/bob/x /Users/bob", f"/Users/{MARK}/x /Users/{MARK}"),
        ("C:\\Users\\Carol Ann Roe\\x.py", f"C:\\Users\\{MARK}\\x.py"),
        ("C:\\\\Users\\\\Carol\\\\x.py", f"C:\\\\Users\\\\{MARK}\\\\x.py"),
        ("/srv/people/jd/x.py /srv/people/jdoe/x.py /srv/people/jd", "~/x.py /srv/people/jdoe/x.py ~"),
        ("/home/ubuntu/x.py", "/home/ubuntu/x.py"),
        ("jane.roe ran on big-host-3.example.org (big-host-3)", f"{MARK} ran on {MARK} ({MARK})"),
    ],
)
def test_names_and_homes(text: str, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/people/jd")
    monkeypatch.setenv("LOGNAME", "jane.roe")
    monkeypatch.setattr(platform, "node", lambda: "big-host-3.example.org")
    whereabouts._own_names.cache_clear()
    assert anonymous(text) == wanted
