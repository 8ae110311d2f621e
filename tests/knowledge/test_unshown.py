"""No statement of an entry, and no wording within a pattern, that no real text has brought out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import write_entry
from tests.support.shipped import knowledge
from tests.tools import unshown
from torchwhy.knowledge.load import load_knowledge

KNOWN = knowledge().pitfalls


@pytest.mark.parametrize("id", [entry.id for entry in KNOWN.values() if entry.signatures or entry.change])
def test_every_statement_was_shown(id: str) -> None:
    assert not list(unshown.unshown(KNOWN[id]))


def test_what_no_text_shows_is_named_until_one_does(tmp_path: Path) -> None:
    signature = """
  - pattern: 'made of (?P<what>wood|paper)(?: by hand| in a large factory of its own|)'
    example: 'made of wood'
    says:
      - {en: 'It is wood.', zh: '是木头。', when: what == wood}
      - {en: 'It is paper.', zh: '是纸。', when: what == paper}
  - pattern: 'it fell from a table onto the floor|thrown out of a window'
    example: 'Thrown out of a window'
"""
    folder = write_entry(tmp_path)
    file = folder / "pitfall.yaml"
    head, _, rest = file.read_text("utf-8").partition("signatures:")
    rest = rest[rest.index("\n# Markdown") :]
    file.write_text(f"{head}signatures:{signature}{rest}", "utf-8")
    (entry,) = load_knowledge([tmp_path], {}).pitfalls.values()
    assert [line.partition(", ")[2] for line in unshown.unshown(entry)] == [
        "wording 0, says when what == paper: It is paper.",
        "wording 0, part of the pattern:  in a large factory of its own",
        "wording 1, part of the pattern: it fell from a table onto the floor",
    ]
    also = ["made of paper in a large factory of its own", "it fell from a table onto the floor"]
    (folder / "printed.yaml").write_text(json.dumps([{"also": also, "source": "made up"}]))
    (entry,) = load_knowledge([tmp_path], {}).pitfalls.values()
    assert list(unshown.unshown(entry)) == []
