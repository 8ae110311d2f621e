"""Keeping who and where out of facts: reports about a machine get pasted into public issues."""

from __future__ import annotations

import re

from .redact import anonymous

ADDRESS = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?![\w:])", re.IGNORECASE)
SERIAL = re.compile(r"\b((?:GPU|MIG)-)[0-9a-f]{8}(?:-[0-9a-f]{4,12})*", re.IGNORECASE)
UNSHOWN = re.compile(r"TOKEN|SECRET|PASS|CREDENTIAL|API_?KEY|_ADDR$|_ENDPOINT$|_HOST", re.IGNORECASE)


def shorten(text: str) -> str:
    """`text` with home folders as ~, and without this user's and machine's names, network addresses and GPU serials."""
    return SERIAL.sub(r"\1…", ADDRESS.sub("<address>", anonymous(text)))


def variable(name: str, value: str) -> str:
    """The value of an environment variable as it may be shown: `set` alone for addresses and secrets."""
    return "set" if UNSHOWN.search(name) else shorten(value)
