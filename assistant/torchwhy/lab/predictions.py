"""Predictions kept in a file, so that figures of a fitted ranking can be those of texts that it was not
fitted on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from torchwhy.errors import UsageError

from .evaluate import LabelledText, Outcome


def save_outcomes(path: str | Path, rows: Sequence[LabelledText], outcomes: Sequence[Outcome]) -> None:
    """Write predictions as JSON lines, by the hash of the text. `python -m torchwhy.lab.fit --predictions
    FILE` writes each row's prediction by weights that were fitted without its label.
    """
    lines = [
        json.dumps(
            {
                "text": _key(row),
                "ids": out.ids[:20],
                "probability": round(out.probability, 4),
                "answered": out.answered,
                "family": out.family,
                "members": out.members,
                "listed": out.listed,
            }
        )
        + "\n"
        for row, out in zip(rows, outcomes, strict=True)
    ]
    Path(path).write_text("".join(lines), encoding="utf-8")


def load_outcomes(path: str | Path, rows: Sequence[LabelledText]) -> list[Outcome]:
    """The predictions for these rows. Raises UsageError where the file cannot be read or lacks one."""
    try:
        data = [
            json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()
        ]
        known = {
            each["text"]: Outcome(
                tuple(each["ids"]),
                each["probability"],
                each["answered"],
                each.get("family"),
                tuple(each.get("members", ())),
                each.get("listed", False),
            )
            for each in data
        }
        return [known[_key(row)] for row in rows]
    except (OSError, UnicodeDecodeError, ValueError, TypeError) as error:
        raise UsageError(f"{path}: not a file of predictions ({error})") from error
    except KeyError as error:
        raise UsageError(
            f"{path} lacks a prediction for some of these rows; make it anew: "
            "python -m torchwhy.lab.fit --dry-run --predictions"
        ) from error


def _key(row: LabelledText) -> str:
    return hashlib.sha256(row.text.encode()).hexdigest()[:16]
