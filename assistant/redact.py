"""Taking secrets and names out of text that is meant for others: a bug report, a file of evidence.

Tokens are found by detect-secrets' plugins (run offline; nothing is verified against any service) and by a few forms
that those leave to quotes. Whatever is taken out is marked `<redacted>`.
"""

from __future__ import annotations

import getpass
import os
import platform
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from . import whereabouts
from .whereabouts import MARK as MARK

TOO_COMMON = {"root", "user", "test", "admin", "home", "ubuntu", "torch", "python", "runner", "build", "main", "local", "localhost", "data", "work"}
# These cry wolf at hashes, shapes and addresses, which an error report is full of.
# Releases of four numbers (cuDNN 9.1.0.70) look like addresses to the last one; `whereabouts` knows them apart.
NOISY = {"Base64 High Entropy String", "Hex High Entropy String", "Secret Keyword", "Public IP (ipv4)"}
# Every repetition is bounded: a log of megabytes without a space must not take quadratic time.
FORMS = [
    re.compile(
        r"(?i)(?:api[_-]?key|secret|passw(?:or)?d|passwd|access[_-]?token|auth[_-]?token|_token|_key|_pwd)[\"']?\s{0,4}[=:]\s{0,4}[\"']?(?P<secret>[^\s\"',;]{6,500})"
    ),
    re.compile(r"(?i)\b(?:bearer|basic|token)\s{1,4}(?P<secret>[A-Za-z0-9_\-.=+/]{16,2000})"),
    re.compile(r"(?i)\btoken[\"']?\s{0,4}[=:]\s{0,4}[\"']?(?=[^\s\"']{0,500}\d)(?P<secret>[A-Za-z0-9_\-.]{16,500})"),  # with a digit: not a module's name
    re.compile(r"\b(?P<secret>hf_[A-Za-z0-9]{20,100})"),
    re.compile(r"(?i)://(?P<secret>[^\s/@:]{1,200}:[^\s/@]{1,200})@"),
    re.compile(r"(?i)[?&][\w-]{0,40}(?:token|key|signature|sig|secret|credential)=(?P<secret>[^\s&\"']{1,500})"),
    re.compile(r"(?<![A-Za-z0-9_.+-])(?P<secret>[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.[A-Za-z]{2,20})\b"),
    re.compile(r"\b(?P<secret>eyJ[\w-]{5,2000}\.eyJ[\w.+/=-]{5,4000})"),
    re.compile(r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----(?P<secret>[^-]{1,10000})"),
]


@lru_cache(maxsize=1)
def _plugins() -> tuple[Any, ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    kinds: dict[str, Any] = dict(get_mapping_from_secret_type_to_class())
    return tuple(kind() for name, kind in kinds.items() if name not in NOISY)


def redact(text: str) -> str:
    """`text` without tokens, keys, passwords, addresses, user and host names."""
    for form in FORMS:
        text = form.sub(lambda found: found[0].replace(found["secret"], MARK), text)
    lines = []
    for line in text.split("\n"):
        for secret in sorted(_secrets(line[:4000]), key=len, reverse=True):
            line = line.replace(secret, MARK)
        lines.append(line)
    return anonymous(whereabouts.without("\n".join(lines)))


def _secrets(line: str) -> set[str]:
    """What the plugins' patterns find. A group that holds the secret is preferred; one of three letters is only a prefix."""
    found = set()
    for plugin in _plugins():
        for pattern in plugin.denylist:
            for match in pattern.finditer(line):
                best = max((group for group in match.groups() if group), key=len, default="")
                found.add(best if len(best) >= 12 else match[0])
    return {secret for secret in found if MARK not in secret}


def anonymous(text: str, folders: Iterable[tuple[str, str]] = ()) -> str:
    """`text` without this machine's and this user's names: home folders, user, host.

    `folders` are (path, what to write instead) pairs, replaced first.
    """
    for path, shown in sorted(folders, key=lambda pair: -len(pair[0])):
        if len(path) > 1:
            text = text.replace(path, shown)
    home = os.path.expanduser("~").rstrip("/\\")
    if len(home) > 1:
        text = re.sub(re.escape(home) + r"(?![\w.-])", "~", text)
    text = whereabouts.HOMES.sub(lambda found: found[0] if found["name"] == MARK else found["before"] + MARK, text)
    for name in _names():
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", MARK, text)
    return text


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    """This user's and this host's names, unless they are words that mean nothing (root, localhost) or too short to be safe."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        user = ""
    host = platform.node()
    names = {user, host, host.split(".")[0]}
    return tuple(sorted((name for name in names if len(name) >= 4 and name.lower() not in TOO_COMMON), key=len, reverse=True))
