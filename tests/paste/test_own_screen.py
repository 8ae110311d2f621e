"""A copied terminal holds torchwhy's own screen: it changes nothing of what failed, and alone it leads back to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchwhy import Assistant
from torchwhy.answers.screen_lines import screen_lines
from torchwhy.paste.parse import parse

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.fixture(scope="module")
def assistant() -> Assistant:
    return Assistant(vectors=False)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
@pytest.mark.parametrize(("lang", "width"), [("en", 80), ("zh", 72)])
def test_a_screen_below_its_error_changes_nothing(
    path: Path, lang: str, width: int, assistant: Assistant
) -> None:
    text = path.read_text("utf-8")
    root = parse(text).root
    if root is None:
        pytest.skip("a question")
    screen = "\n".join(line.text for line in screen_lines(assistant.ask(text, lang=lang), width))
    for between in ("\n", "\n$ torchwhy -f log.txt\n"):
        read = parse(f"{text}{between}{screen}\n$ ")
        assert read.root is not None
        assert (read.root.exception, read.root.frames) == (root.exception, root.frames)
        assert read.root.message.split() == root.message.split()
        assert not any("torchwhy show" in line for line in read.lines)
    if root.frames and root.exception:
        alone = parse(screen).root
        assert alone is not None and alone.name == root.name
        first = " ".join(root.message.split())[:30]
        assert " ".join(alone.message.split()).startswith(first)


def test_what_only_speaks_of_torchwhy_stays() -> None:
    text = "run torchwhy show grad-is-none\nRuntimeError: see: torchwhy shows it\n"
    assert parse(text).lines[:2] == tuple(text.splitlines())
