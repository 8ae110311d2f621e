"""Are the archives that pip installed the ones that were locked?

    pip install --report report.json -c constraints.txt -e '.[embed,test]'
    python -m tests.tools.locked report.json            # compares with constraints.lock, exit status 1 where one differs
    python -m tests.tools.locked --write report.json    # after a change of constraints.txt: writes constraints.lock

pip's own `--require-hashes` refuses an editable install, and would want a hash of torch, whose CPU build is taken from where
it is at hand; so what was installed is compared with the lock before anything of it runs (a wheel runs nothing when it is
installed). The build environment of this package itself (hatchling and what hatch_build.py imports) is not in pip's report.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

LOCK = Path(__file__).resolve().parents[2] / "constraints.lock"
LOCAL = ("torch", "setuptools")  # the build that is at hand; what an environment begins with
HEADER = """# SHA-256 of the archives that CI installs (Linux, x86-64, Python 3.11), as pip takes them (`--require-hashes`).
# torch is left out: its CPU build is taken from where it is at hand. Written by `python -m tests.tools.locked --write`.
"""
LINE = re.compile(r"(?P<name>\S+)==(?P<version>\S+) --hash=sha256:(?P<hash>[0-9a-f]{64})")


def installed(report: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """{name: (version, SHA-256)} of the archives in a report of pip."""
    found = {}
    for item in report["install"]:
        name = canonicalize_name(item["metadata"]["name"])
        archive = item["download_info"].get("archive_info")
        if archive and name not in LOCAL:
            found[name] = (item["metadata"]["version"], archive.get("hashes", {}).get("sha256", ""))
    return found


def locked(text: str) -> dict[str, tuple[str, str]]:
    """The same of a lock."""
    return {match["name"]: (match["version"], match["hash"]) for match in LINE.finditer(text)}


def differences(found: dict[str, tuple[str, str]], wanted: dict[str, tuple[str, str]]) -> list[str]:
    """What was installed and is not in the lock, or is another archive there."""
    return [
        f"{name} {version}: sha256:{hash or 'unknown'} is not locked"
        + (f"; the lock has {wanted[name][0]} sha256:{wanted[name][1]}" if name in wanted else "")
        for name, (version, hash) in sorted(found.items())
        if wanted.get(name) != (version, hash)
    ]


def main(words: list[str]) -> int:
    """0 where all that was installed is locked, else 1."""
    found = installed(json.loads(Path(words[-1]).read_text("utf-8")))
    if "--write" in words:
        rows = [
            f"{name}=={version} --hash=sha256:{hash}\n"
            for name, (version, hash) in sorted(found.items())
            if hash
        ]
        LOCK.write_text(HEADER + "".join(rows), "utf-8")
        return 0
    problems = differences(found, locked(LOCK.read_text("utf-8")))
    print("\n".join(problems) or f"{len(found)} archives are the locked ones")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
