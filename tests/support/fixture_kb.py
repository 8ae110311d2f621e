"""An Assistant on the fixture knowledge base alone: eight entries and a fixed ranking that no edit of a real entry changes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from tests.conftest import ROOT
from torchwhy import Assistant
from torchwhy.knowledge import roots, schema  # noqa: F401 (reads its keys from the real knowledge base)
from torchwhy.retrieval.features import FeatureTable
from torchwhy.retrieval.matcher import Matcher
from torchwhy.retrieval.ranking import Ranking
from torchwhy.runtime import locations

FIXTURES = ROOT / "tests" / "fixtures"
SETTLED_PROBABILITY, NEXT_FACTOR, NONE_PROBABILITY = 0.91, 1 / 13, 0.01
SIGNED_PROBABILITY = 0.8  # of all members of the families whose symptom a text describes, by name


class FixedRanking(Ranking):
    """The settled entry at 91 %, then the others by name; where no signature settles, a family whose symptom is
    described is likely, and nothing else is answered.

    The fitted weights change with every fit, and are not what the chat's tests are about.
    """

    def probabilities(
        self, evidence: FeatureTable, vectors: bool
    ) -> tuple[list[tuple[float, float, str]], float]:
        signed = sorted(entry for entry, row in evidence.rows.items() if row.family_sign)
        if signed:
            first = SIGNED_PROBABILITY * (1 - NEXT_FACTOR)
            rows = [(first * NEXT_FACTOR**at, float(-at), entry) for at, entry in enumerate(signed)]
            return rows, 1 - SIGNED_PROBABILITY
        order = sorted(evidence.rows, key=lambda entry: (entry != evidence.settled, entry))
        first = SETTLED_PROBABILITY if evidence.settled else SETTLED_PROBABILITY * NEXT_FACTOR
        rows = [(first * NEXT_FACTOR**at, float(-at), entry) for at, entry in enumerate(order)]
        return rows, NONE_PROBABILITY if evidence.settled else 1 - first


@contextlib.contextmanager
def fixture_world(folder: Path, lang: str = "en") -> Iterator[Assistant]:
    """The Assistant, with caches and data below `folder`, and nothing of the terminal that this runs in."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("LINES", "COLUMNS", "NO_COLOR") and not name.startswith("TORCHWHY_")
    }
    kept |= {"TORCHWHY_CACHE": str(folder / "cache"), "TORCHWHY_DATA": str(folder / "data")}

    def shipped(name: str) -> Path:
        return FIXTURES / name

    with (
        mock.patch.dict(os.environ, kept, clear=True),
        mock.patch.object(locations, "shipped", shipped),
        mock.patch.object(roots, "shipped", shipped),
    ):
        assistant = Assistant(lang=lang, vectors=False)
        assert not assistant.store.problems, assistant.store.problems
        ranking = FixedRanking({**Ranking.load().data, "fitted_on": {"entries": assistant.store.digests()}})
        assistant.matcher = Matcher(assistant.store, lambda: None, ranking)
        yield assistant
