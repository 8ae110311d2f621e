"""The documented JSON form of a confirmation (`confirmation.schema.json`)."""

from __future__ import annotations

from torchwhy.runtime.json_types import JSONObject

from .confirmation import Confirmation

MAX_OUTPUT_CHARS = 4000  # of a leg, from its end


def confirmation_json(result: Confirmation) -> JSONObject:
    """As confirmation.schema.json documents it."""
    legs = [
        {
            "name": leg.name,
            "shows": leg.shows,
            "status": leg.status,
            "seconds": round(leg.seconds, 2),
            "message": leg.message,
            "signature": leg.signature,
            "numbers": leg.numbers,
            "reason": leg.reason,
            "output": leg.output[-MAX_OUTPUT_CHARS:],
        }
        for leg in result.legs
    ]
    diagnosis = result.diagnosis.match.id if result.diagnosis is not None and result.diagnosis.match else None
    return {
        "schema": 1,
        "id": result.id,
        "verdict": result.verdict,
        "exit_status": result.exit_status,
        "reason": result.reason,
        "python": result.python,
        "chosen": result.chosen,
        "missed": list(result.missed),
        "torch": result.torch,
        "cuda": result.cuda,
        "device": result.device,
        "message": result.message,
        "paste_signature": result.paste_signature,
        "unguarded": list(result.unguarded),
        "legs": legs,
        "diagnosis": diagnosis,
    }
