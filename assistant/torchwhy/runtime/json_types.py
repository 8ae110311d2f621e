"""The type of a JSON object, as `json.loads` gives it."""

from __future__ import annotations

from typing import Any

JSONObject = dict[str, Any]
