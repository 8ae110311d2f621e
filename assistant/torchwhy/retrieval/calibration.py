"""Whether fitted probabilities still hold: how far this knowledge lies from the one that the ranking was
fitted on.

Only what the ranking reads counts: an entry's kind, its patterns and contexts, its passages. A comment in
YAML, a sentence of `says` or a release range changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchwhy.knowledge.entry import Pitfall

    from .passages import Passage

# Share of entries up to which calibration is kept. Measured by taking entries away from the knowledge that
# the weights were fitted on, 563 texts: 0, 1, 5, 10 and 20 % taken away give an expected calibration error of
# 0.035, 0.024, 0.025, 0.049 and 0.071.
MAX_CALIBRATED_DISTANCE = 0.1
DIGEST_HEX_DIGITS = 8


def entry_digests(pitfalls: Mapping[str, Pitfall], passages: Iterable[Passage]) -> dict[str, str]:
    """Of each entry a short hash of what the ranking reads of it."""
    import hashlib

    hashes = {id: hashlib.sha256() for id in pitfalls}
    for id, entry in pitfalls.items():
        hashes[id].update(entry.kind.encode())
        for signature in entry.signatures:
            hashes[id].update(f"\0{signature.pattern}\0{signature.context or ''}".encode())
    for passage in passages:
        hashes[passage.entry].update(f"\n{passage.field} {passage.text}".encode())
    return {id: digest.hexdigest()[:DIGEST_HEX_DIGITS] for id, digest in hashes.items()}


def distance(fitted: Mapping[str, str], present: Mapping[str, str]) -> float:
    """The share of entries that were added, removed or changed since the fit: 0 (none) to 1 (all)."""
    ids = {*fitted, *present}
    if not ids:
        return 0.0
    return sum(fitted.get(id) != present.get(id) for id in ids) / len(ids)
