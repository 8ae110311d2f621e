"""The documented JSON form of a confirmation (`confirmation.schema.json`)."""

from __future__ import annotations

from torchwhy.runtime.json_types import JSONObject

from .confirmation import Confirmation

MAX_OUTPUT_CHARS = 4000  # of a leg, from its end
OF_ALL = "id verdict exit_status reason python chosen torch cuda device message paste_signature"
OF_A_LEG = ["name", "shows", "status", "message", "signature", "numbers", "reason"]


def confirmation_json(result: Confirmation) -> JSONObject:
    """As confirmation.schema.json documents it."""
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
