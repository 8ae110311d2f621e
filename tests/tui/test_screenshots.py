"""The pictures show the chat as it is. `python -m tests.tools.screenshots` renews them."""

from __future__ import annotations

import difflib
import xml.etree.ElementTree as ElementTree

import pytest

from tests.tools.screenshots import FOLDER, PICTURES, drawn, text_of


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_what_the_chat_shows(name: str) -> None:
    kept = (FOLDER / f"{name}.svg").read_text("utf-8")
    ElementTree.fromstring(kept)
    was, now = text_of(kept), text_of(drawn(name))
    assert len(was) > 20 and any("torchwhy" in line for line in was)
    assert was == now, "python -m tests.tools.screenshots\n" + "\n".join(
        difflib.unified_diff(was, now, "kept", "now", lineterm="", n=0)
    )


def test_there_are_no_others() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.svg" for name in PICTURES} | {"web.png"}
