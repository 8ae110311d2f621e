"""Random texts and bytes, bred from a kept corpus, through all that reads what strangers wrote.

20,000 inputs; FUZZ_INPUTS asks for another number: `FUZZ_INPUTS=1000000 pytest tests/fuzz`. The same seeds give the same
inputs on every machine. What once broke something is kept in `corpus/` and tried as it stands.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import KB, ROOT
from tests.text.secret_kinds import secrets
from torchwhy import Assistant
from torchwhy.answers import collect_env
from torchwhy.answers.as_json import as_json
from torchwhy.answers.markdown import answer_markdown
from torchwhy.errors import AssistantError, UsageError
from torchwhy.knowledge import schema
from torchwhy.llm import model_words
from torchwhy.paste import reading
from torchwhy.paste.parse import parse
from torchwhy.text.exits import kept, kept_in, told_to_others
from torchwhy.text.plain import CONTROL, NOT_PRINTABLE, SURROGATE, escaped, harmless, plain
from torchwhy.text.whereabouts import anonymous, shorten

pytestmark = pytest.mark.promise(1)

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
SECRETS = [secret.text for secret in secrets(seed=0)]
INPUTS = int(os.environ.get("FUZZ_INPUTS", "20000"))
SHARES = {"reading": 0.4, "redaction": 0.28, "schema": 0.25, "model words": 0.06, "answers": 0.01}
MAX_INPUT_BYTES = 4000
SCHEMA = json.loads((ROOT / "assistant/torchwhy/answers/answer.schema.json").read_text("utf-8"))

GOOD = [path.read_bytes()[:MAX_INPUT_BYTES] for path in sorted((ROOT / "tests/paste/golden").glob("*.txt"))]
GOOD += [(KB / "_template/pitfall.yaml").read_bytes()[at : at + 1500] for at in (0, 1500, 3000)]
GOOD += [path.read_bytes() for path in CORPUS]
PIECES = [
    "\x1b[31m", "\x1b]8;;http://x\x07", "\x9b2J", "\x00", "\r", "\r\n", "\u202e", "\u061c", "\ufeff",
    "\u2028", "\ud800", "\udcff", "\U000e0041", "```", "~~~", "`", "](http://x)", "<script>", "[rank1]: ",
    "Cell In[9], line ", "Traceback (most recent call last):\n",
    '  File "x.py", line 99999999999999999999, in f\n', "RuntimeError: ",
    "\nDuring handling of the above exception, another exception occurred:\n\n",
    "-----BEGIN PRIVATE KEY-----", "---", "password=", "Authorization: Bearer ", "://u:p@", ": ", "- ",
    "&a [*a]", "!!python/object:os.system ", "? ", "9" * 400, "显存不足", "错误：", "é", "🙂", "\\", '"', "'", "{",
    "}", "${x}", "%s", "{0}", "\t", " " * 50, "\n" * 20,
    "/home/", "C:\\Users\\", "10.1.2.3", "token=hf_a1B2c3D4e5F6g7H8i9J0", "密码：",
]  # fmt: skip


def bred(seed: int) -> bytes:
    """One or two texts of the corpus, changed in up to eight places."""
    chance = random.Random(seed)
    data = bytearray(chance.choice(GOOD))
    if chance.random() < 0.3:
        other = chance.choice(GOOD)
        at = chance.randrange(len(data) + 1)
        data[at:at] = other[: chance.randrange(len(other) + 1)]
    for _ in range(chance.randrange(9)):
        at = chance.randrange(len(data) + 1)
        what = chance.random()
        if what < 0.5:
            data[at:at] = chance.choice(PIECES).encode("utf-8", "surrogatepass")
        elif what < 0.6:
            data[at:at] = chance.choice(SECRETS).encode("utf-8", "surrogatepass")
        elif what < 0.7:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 9)))
        elif what < 0.85:
            del data[at : at + chance.randrange(200)]
        else:
            data[at:at] = data[at : at + chance.randrange(100)] * chance.randrange(1, 9)
    return bytes(data[:MAX_INPUT_BYTES])


def words(data: bytes) -> str:
    """As an argument or an API's caller gives it: with lone surrogates."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "surrogateescape")


def check_reading(data: bytes, real: Assistant) -> None:
    for read in (
        lambda: reading.decode(data),
        lambda: reading.read_text(io.BytesIO(data)),
        lambda: words(data),
    ):
        try:
            text = read()
        except UsageError:
            continue
        clean = harmless(text)
        assert harmless(clean) == clean and not CONTROL.search(clean) and not SURROGATE.search(clean)
        assert not NOT_PRINTABLE.search(escaped(text))
        paste = parse(text)
        paste.text.encode()
        assert paste.root is None or 0 <= paste.root.start < paste.root.end <= len(paste.lines)
        if "PyTorch version" in text:
            collect_env.facts_in(text)


def check_redaction(data: bytes, real: Assistant) -> None:
    text = words(data)
    redacted = kept(text)
    assert len(redacted) <= 12 * len(text) + 100
    for left in (redacted, told_to_others(text, {"key"}), kept_in({"a": [text]})["a"][0]):
        left.encode()
        assert not CONTROL.search(left)
    for other in (anonymous, shorten):
        other(text).encode()


def check_schema(data: bytes, real: Assistant) -> None:
    text = plain(words(data))
    problems = list(schema.read_renamed(text, "renamed.yaml")[1])
    try:
        schema.load_yaml(text)
    except yaml.YAMLError as error:
        problems.append(schema.yaml_problem("a.yaml", text, error))
    except AssistantError:
        pass
    assert all(escaped(str(problem)) == str(problem) for problem in problems)


def check_model_words(data: bytes, real: Assistant) -> None:
    said = model_words.cleaned(model_words.without_thinking(words(data)), ["https://pytorch.org/docs"])
    said.encode()
    assert not CONTROL.search(said)
    assert model_words.is_harmless(said, ["https://pytorch.org/docs"])


def check_answers(data: bytes, real: Assistant) -> None:
    answer = real.ask(words(data))
    printed = json.dumps(as_json(answer), ensure_ascii=False)
    jsonschema.validate(json.loads(printed), SCHEMA)
    for text in (printed, answer_markdown(answer)):
        text.encode()
        assert not CONTROL.search(text)


CHECKS: dict[str, Callable[[bytes, Assistant], None]] = {
    "reading": check_reading,
    "redaction": check_redaction,
    "schema": check_schema,
    "model words": check_model_words,
    "answers": check_answers,
}


@pytest.mark.parametrize("name", CHECKS)
def test_bred_inputs(name: str, real: Assistant) -> None:
    check, count = CHECKS[name], int(INPUTS * SHARES[name] * 0.9)
    for seed in range(count):
        data = bred(seed)
        try:
            check(data, real)
        except BaseException:
            print(f"seed {seed}: {data!r}", file=sys.stderr)
            raise


@pytest.mark.parametrize("name", CHECKS)
def test_inputs_that_hypothesis_thinks_of(name: str, real: Assistant) -> None:
    """A tenth of all: from nothing, and shrunk where one fails."""

    @settings(
        max_examples=max(10, int(INPUTS * SHARES[name] * 0.1)),
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=12).map("".join)
        | st.binary(max_size=200)
    )
    def tried(made: str | bytes) -> None:
        CHECKS[name](made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"), real)

    tried()


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_the_kept_corpus(name: str, path: Path, real: Assistant) -> None:
    CHECKS[name](path.read_bytes(), real)
