"""What a confirmation holds. In a file of its own, without the code that runs one, so that showing it costs
no import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from torchwhy.runtime.json_types import JSONObject

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer

Verdict = Literal[
    "confirmed",
    "reproduces-here",
    "not-reproduced",
    "different-failure",
    "fix-not-shown",
    "broken-entry",
    "timeout",
    "cannot-run",
]
EXIT_STATUS: dict[str, int] = {
    "confirmed": 0,
    "reproduces-here": 0,
    "not-reproduced": 1,
    "different-failure": 3,
    "fix-not-shown": 4,
    "broken-entry": 5,
    "timeout": 124,
    "cannot-run": 125,
}


MAX_OUTPUT_CHARS = 4000  # of a leg in JSON, from its end
OF_ALL = "id verdict exit_status reason python chosen torch cuda device message paste_signature"
OF_A_LEG = ["name", "shows", "status", "message", "signature", "numbers", "reason"]


@dataclass(frozen=True, slots=True)
class Leg:
    """What one leg did. `shows`: shown, clean, different, cannot-run, timeout or unloadable."""

    name: Literal["broken", "fixed"]
    shows: str
    status: int | None
    seconds: float
    output: str
    message: str = ""
    signature: int | None = None
    numbers: JSONObject | None = None
    reason: str = ""
    unguarded: tuple[str, ...] = ()
    """The guards that it went without, by name (`sandbox.py`)."""


@dataclass(frozen=True, slots=True, repr=False)
class Confirmation:
    """The verdict on one entry on this machine, and everything it rests on."""

    id: str
    verdict: Verdict
    reason: str
    legs: tuple[Leg, ...]
    python: str
    torch: str | None = None
    paste_signature: int | None = None
    diagnosis: Answer | None = None
    """For `different-failure`: torchwhy's own answer to what the leg printed (filled in by the Assistant)."""
    cuda: str | None = None
    """The CUDA of that torch build; None for a CPU build, or where nobody looked."""
    device: str | None = None
    """The GPU that torch sees first; None where it sees none."""
    chosen: str = ""
    """Why that Python was taken: a phrase's key."""
    missed: tuple[str, ...] = ()
    """Environments that the paste or the variables named, but that are not here or hold no torch."""

    def __repr__(self) -> str:
        torch = f", torch {self.torch}" if self.torch else ""
        return f"<Confirmation: {self.id} {self.verdict}{torch}{f', {self.reason}' if self.reason else ''}>"

    @property
    def exit_status(self) -> int:
        return EXIT_STATUS[self.verdict]

    @property
    def unguarded(self) -> tuple[str, ...]:
        """The guards that were missing while it ran, by name."""
        return tuple(dict.fromkeys(name for leg in self.legs for name in leg.unguarded))

    @property
    def message(self) -> str:
        """The message that this machine produced in the broken leg ("" where it produced none)."""
        return self.legs[0].message if self.legs else ""


def confirmation_json(result: Confirmation) -> JSONObject:
    """The documented form of a confirmation (`confirmation.schema.json`)."""
    legs = [
        {
            **{name: getattr(leg, name) for name in OF_A_LEG},
            "seconds": round(leg.seconds, 2),
            "output": leg.output[-MAX_OUTPUT_CHARS:],
        }
        for leg in result.legs
    ]
    diagnosis = result.diagnosis.match.id if result.diagnosis is not None and result.diagnosis.match else None
    return {
        "schema": 1,
        **{name: getattr(result, name) for name in OF_ALL.split()},
        "missed": list(result.missed),
        "unguarded": list(result.unguarded),
        "legs": legs,
        "diagnosis": diagnosis,
    }
