"""Whose machine it is: the names of this user and host, home folders, network addresses, serial numbers."""

from __future__ import annotations

import getpass
import os
import platform
import re
from collections.abc import Iterable
from functools import lru_cache

from .plain import encodable

MARK = "<redacted>"
# Every repetition is bounded, or of one class of characters up to something outside it.
COLONED = r"(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?![\w:])"  # of a network, of its hardware
ADDRESS = re.compile(rf"(?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\w.])|{COLONED}", re.IGNORECASE)
SERIAL = re.compile(r"\b((?:GPU|MIG)-)[0-9a-f]{8}(?:-[0-9a-f]{4,12}){0,4}", re.IGNORECASE)
UNSHOWN = re.compile(r"TOKEN|SECRET|PASS|CREDENTIAL|API_?KEY|_ADDR$|_ENDPOINT$|_HOST", re.IGNORECASE)
HOMES = re.compile(  # on Windows a name may hold blanks where a backslash follows
    r"(?i:(/(?:home|Users)[/\\]+)([^/\\\s\"':<>,;()\[\]]{1,100})"
    r"|(\b[A-Z]:\\{1,4}Users\\{1,4})([^/\\\n\"'<>|:*?]{1,100}(?=\\)|[^/\\\s\"'<>|:*?]{1,100}))"
)
NOBODY = re.compile(  # names that tell nobody
    r"(?:root|users?|tests?|admin|home|ubuntu|torch|python|runner|build|main|local(?:host)?|data|work|public|default|"
    r"all|shared|jovyan|vscode|ec2-user|centos|debian|conda|docker|app|appuser|nobody)\Z",
    re.IGNORECASE,
)
MIN_OWN_NAME_CHARS = 4


def shorten(text: str) -> str:
    """`text` with home folders as ~, and without this user's and machine's names, network addresses and GPU
    serials.
    """
    return SERIAL.sub(r"\1…", ADDRESS.sub("<address>", anonymous(text)))


def variable(name: str, value: str) -> str:
    """The value of an environment variable as it may be shown: `set` alone for addresses and secrets."""
    return "set" if UNSHOWN.search(name) else shorten(value)


def anonymous(text: str, folders: Iterable[tuple[str, str]] = ()) -> str:
    """`text` without this machine's and this user's names: home folders, user, host.

    `folders` are (path, what to write instead) pairs, replaced first.
    """
    for path, shown in sorted(folders, key=lambda pair: -len(pair[0])):
        if len(path) > 1:
            text = text.replace(path, shown)
    text = encodable(text)
    home = os.path.expanduser("~").rstrip("/\\")
    if len(home) > 1:
        text = re.sub(re.escape(home) + r"(?![\w.-])", "~", text)
    text = HOMES.sub(_without_name, text)
    for name in _own_names():
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", MARK, text)
    return text


def _without_name(found: re.Match[str]) -> str:
    folder, name = found[1] or found[3], found[2] or found[4]
    return found[0] if NOBODY.match(name) or name[0] in "$%{*" else folder + MARK


@lru_cache(maxsize=1)
def _own_names() -> tuple[str, ...]:
    """This user's and this host's names, the longest first, unless they are words that mean nothing (root,
    localhost) or too short to be safe.
    """
    try:
        user = getpass.getuser()
    except (ImportError, KeyError, OSError):  # a container's user without a name, or Windows without USERNAME
        user = ""
    host = platform.node()
    names = {encodable(name) for name in (user, host, host.split(".")[0])}
    own = [name for name in names if len(name) >= MIN_OWN_NAME_CHARS and not NOBODY.match(name)]
    return tuple(sorted(own, key=len, reverse=True))
