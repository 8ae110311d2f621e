"""The shipped vectors: what is kept of them, and what is embedded here when knowledge differs. A made encoder counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from torchwhy.embedding.model import shipped
from torchwhy.knowledge.questions import AskedQuestion
from torchwhy.lab import make_vectors
from torchwhy.retrieval import discriminant, shipped_vectors
from torchwhy.retrieval.shipped_vectors import (
    CODE_MAX,
    Prepared,
    ShippedVectors,
    open_shipped,
    prepared,
    write,
)
from torchwhy.retrieval.store import PassageRow

WIDTH, DIMENSION = 12, 8
ROWS: list[PassageRow] = [
    (number, entry, "ask", "en", f"{entry} {text}")
    for number, (entry, text) in enumerate((entry, text) for entry in "abcd" for text in range(30))
]

QUESTIONS = [AskedQuestion(("a", "b"), "it fails after an hour")]


class Embedder:
    """The same vector for the same text, near its entry's; knows what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        made = []
        for text in texts:
            own = np.random.default_rng(sum(map(ord, text)) * 131 + len(text)).normal(size=WIDTH)
            own += 3 * np.eye(WIDTH)[ord(text[0]) % 5]
            own[:DIMENSION] /= np.linalg.norm(own[:DIMENSION])
            made.append(own)
        return np.array(made, "float32")


def whole(rows: Sequence[PassageRow]) -> Prepared:
    return prepared(Embedder()([row[4] for row in rows]), [row[1] for row in rows], DIMENSION)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shipped"
    write(path, shipped(), ROWS, QUESTIONS, whole(ROWS))
    return path


def scores(made: Prepared) -> np.ndarray:
    questions = Embedder()([f"{entry} question" for entry in "abcdx"])
    weights = discriminant.solve(made.statistics)
    return questions @ weights[:, :-1].T + weights[:, -1]


def changed(kind: str) -> list[PassageRow]:
    own = [(0, "x", "ask", "en", f"x {number}") for number in range(9)]
    rows = {
        "an own entry": ROWS + own,
        "a passage more": [*ROWS, (0, "b", "ask", "en", "b one more")],
        "a passage less": ROWS[:40] + ROWS[41:],
        "a passage edited": [*ROWS[:40], (0, "b", "ask", "en", "b edited"), *ROWS[41:]],
        "an entry gone": [row for row in ROWS if row[1] != "b"],
        "an entry replaced": [(n, e, f, la, "b! " + t if e == "b" else t) for n, e, f, la, t in ROWS],
        "another order": ROWS[60:] + ROWS[:60],
    }[kind]
    return sorted(rows, key=lambda row: row[1]) if kind != "another order" else rows


@pytest.mark.parametrize(
    ("kind", "embedded", "tolerance"),
    [
        ("an own entry", 9, 0.05),
        ("a passage more", 31, 0.05),
        ("a passage less", 29, 0.05),
        ("a passage edited", 30, 0.05),
        ("an entry gone", 0, 0.4),
        ("an entry replaced", 30, 0.4),
        ("another order", 0, 0.02),
    ],
)
def test_only_what_is_new_is_embedded(
    file: Path, kind: str, embedded: int, tolerance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_vectors, "MAX_CHANGED_SHARE", 0.3)  # an entry is a quarter here
    rows, embed = changed(kind), Embedder()
    made = ShippedVectors(file).prepared(rows, embed)
    assert made is not None
    assert len(embed.asked) == len(set(embed.asked)) == embedded
    anew = whole(rows)
    assert made.statistics.ids == anew.statistics.ids
    np.testing.assert_array_equal(made.statistics.counts, anew.statistics.counts)
    np.testing.assert_allclose(made.statistics.means, anew.statistics.means, atol=3e-3)
    np.testing.assert_allclose(made.codes * made.scales, anew.codes * anew.scales, atol=0.03)
    assert np.abs(scores(made) - scores(anew)).max() < tolerance * np.abs(scores(anew)).max()


def test_the_statistics_know_which_questions_they_were_made_with(file: Path) -> None:
    assert ShippedVectors(file).learnt(QUESTIONS)
    assert not ShippedVectors(file).learnt([])
    assert not ShippedVectors(file).learnt([AskedQuestion(("a",), QUESTIONS[0].text)])


def test_where_too_much_is_gone_everything_is_embedded(file: Path) -> None:
    assert ShippedVectors(file).prepared(ROWS[:50], Embedder()) is None


def test_a_value_beyond_the_largest_shipped_one_widens_its_column(file: Path) -> None:
    class Large(Embedder):
        def __call__(self, texts: Sequence[str]) -> np.ndarray:
            made = super().__call__(texts)
            made[:, 3] = 5.0
            return made

    rows = [*ROWS, (0, "x", "ask", "en", "x large")]
    made = ShippedVectors(file).prepared(rows, Large())
    assert made is not None
    assert (made.codes[-1] * made.scales)[3] == pytest.approx(5.0, abs=0.03)
    anew = whole(ROWS)
    np.testing.assert_allclose(made.codes[:-1] * made.scales, anew.codes * anew.scales, atol=0.03)


def test_codes_are_cut_at_the_largest_and_nothing_divides_by_zero() -> None:
    scales = shipped_vectors.scales_of(np.array([[0.5, 0.0], [-1.0, 0.0]], "float32"))
    codes = shipped_vectors.codes_of(np.array([[2.0, 0.0], [-0.5, 0.0]]), scales)
    assert codes.tolist()[0] == [CODE_MAX, 0]
    assert codes[1, 0] * scales[0] == pytest.approx(-0.5, abs=0.01)
    assert 1.0 <= CODE_MAX * scales[0] < shipped_vectors.SCALE_STEP + 1e-6


def test_passages_that_do_not_lie_by_entry_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="by entry"):
        write(tmp_path / "shipped", shipped(), ROWS[::-1], (), whole(ROWS))


def test_another_encoder_and_a_damaged_or_missing_file_are_passed_over(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_vectors, "path", lambda: file)
    assert open_shipped(shipped()) is not None
    monkeypatch.setattr(shipped_vectors, "TOKENS_VERSION", -1)
    assert open_shipped(shipped()) is None
    monkeypatch.undo()
    for content in (b"PK no archive", b""):
        (file / "passages.npz").write_bytes(content)
        monkeypatch.setattr(shipped_vectors, "path", lambda: file)
        assert open_shipped(shipped()) is None
    monkeypatch.setattr(shipped_vectors, "path", lambda: file / "nowhere")
    assert open_shipped(shipped()) is None


def test_the_file_is_small_and_of_this_encoder() -> None:
    assert sum(each.stat().st_size for each in shipped_vectors.files(shipped_vectors.path())) < 15_000_000
    assert open_shipped(shipped()) is not None, "make it anew: python -m torchwhy.lab.make_vectors"


def test_the_command_says_whether_the_file_is_current(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["make_vectors", "--check"])
    status = make_vectors.main()
    said = capsys.readouterr().out
    assert status == (0 if re.search(r"shipped is of", said) else 1)
