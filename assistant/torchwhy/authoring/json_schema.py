"""A JSON Schema of `pitfall.yaml`, for editors: completion and red lines while an entry is written.

`python -m torchwhy.authoring.json_schema` writes `kb/pitfall.schema.json` from the tables of `schema`. What
needs more than one field (an example that its own pattern matches, a claim on another entry's message) is
left to `torchwhy kb check`.
"""

from __future__ import annotations

import json
from pathlib import Path

from torchwhy.knowledge.entry import EFFECTS, KINDS
from torchwhy.knowledge.schema import (
    ARGUMENT,
    CHANGE_FIELDS,
    EDIT_FIELDS,
    FACT_FIELDS,
    FIELDS,
    LOOK_ALIKE_FIELDS,
    NEEDS_TYPES,
    NEIGHBOUR_FIELDS,
    SAYS_FIELDS,
    SIGNATURE_FIELDS,
    SOURCE_FIELDS,
    SPEAKS,
)
from torchwhy.runtime import locations
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.language import LANGS

from .create import SCHEMA_FILE

TEXT: JSONObject = {"type": "string", "minLength": 1}
JSON_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}


def json_schema() -> JSONObject:
    """The schema of one `pitfall.yaml` (draft 2020-12)."""
    bilingual = _object(dict.fromkeys(LANGS, TEXT), required=LANGS)
    says = _object(dict.fromkeys(SAYS_FIELDS, TEXT), required=LANGS)
    argument: JSONObject = {"type": ["integer", "string"], "pattern": f"^{ARGUMENT}$", "minimum": -1}
    edit = _object(dict.fromkeys(EDIT_FIELDS, TEXT) | {"argument": argument})
    change: dict[str, JSONObject] = {
        **dict.fromkeys(CHANGE_FIELDS, TEXT),
        **dict.fromkeys(("says", "do", "or"), bilingual),
        "edits": _list({"oneOf": [{"type": "string", "description": "A function of edit.py."}, edit]}),
        "only_as_edit": {"type": "boolean"},
    }
    signature = dict.fromkeys(SIGNATURE_FIELDS, TEXT) | {
        "says": _list(says),
        "change": _list(_object(change)),
    }
    fact = dict.fromkeys(FACT_FIELDS, TEXT) | {"speaks": {"enum": list(SPEAKS)}}
    source = _object(dict.fromkeys(SOURCE_FIELDS, TEXT)) | {
        "oneOf": [{"required": ["document", "section"]}, {"required": ["url", "title"]}]
    }
    properties: dict[str, JSONObject] = dict.fromkeys(FIELDS, bilingual) | {
        "kind": {"enum": list(KINDS)},
        "effect": {"enum": list(EFFECTS)},
        "signatures": _list(_object(signature, required=("pattern", "example"))),
        "change": _list(_object(change, required=("says",))),
        "symptom": TEXT,
        "look_alikes": _list(_object(dict.fromkeys(LOOK_ALIKE_FIELDS, TEXT), required=("id",))),
        "neighbours": _list(_object(dict.fromkeys(NEIGHBOUR_FIELDS, TEXT), required=NEIGHBOUR_FIELDS)),
        "needs": _object({name: _types(types) for name, types in NEEDS_TYPES.items()}),
        "facts": _list(_object(fact, required=FACT_FIELDS)),
        "sources": {**_list(source), "minItems": 1},
        "repro": _object({"none": bilingual}, required=("none",)),
    }
    for name, description in FIELDS.items():
        properties[name] = {"description": description, **properties[name]}
    optional = ("signatures", "change", "symptom", "look_alikes", "neighbours", "needs", "facts", "repro")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A pitfall of torchwhy",
        **_object(properties, required=[name for name in FIELDS if name not in optional]),
    }


def _object(properties: dict[str, JSONObject], *, required: tuple[str, ...] | list[str] = ()) -> JSONObject:
    """An object with these properties and no others."""
    schema: JSONObject = {"type": "object", "additionalProperties": False, "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def _list(items: JSONObject) -> JSONObject:
    return {"type": "array", "items": items}


def _types(types: tuple[type, ...]) -> JSONObject:
    names = [JSON_TYPES[kind] for kind in types]
    return {"type": names[0] if len(names) == 1 else names}


def schema_file() -> Path:
    return locations.shipped("kb") / SCHEMA_FILE


def schema_text() -> str:
    return json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    schema_file().write_text(schema_text(), "utf-8")
    print(schema_file())
