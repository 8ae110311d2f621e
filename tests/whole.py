"""Run one of eight parts of all tests, and write what was seen to `tests/witness/part-K.json`, which is committed.

python -m tests.whole K/8 [-n WORKERS]

What passed is noted as it passes: run again over the same files, a part takes up where it stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from tests.tiers import PARTS, ROOT, WITNESSES

NOT_TESTED = ("tests/witness/", "CHANGELOG.md")


def tree_hash() -> str:
    """Of every file that git does not ignore, but for those that say nothing of the program."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    digest = hashlib.sha256(metadata.version("torch").encode())
    for name in sorted({name for name in names if name and not name.startswith(NOT_TESTED)}):
        if (ROOT / name).is_file():
            digest.update(f"{name}\0".encode() + (ROOT / name).read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def write_witness(part: int, tree: str, noted: Path, returncode: int) -> None:
    """The part's file: counts, seconds of the tests, and the digest of each script and slow test that passed."""
    lines = noted.read_text("utf-8").splitlines() if noted.is_file() else []
    rows = {row["id"]: row for row in map(json.loads, lines)}
    passed = [row for row in rows.values() if row["outcome"] == "passed"]
    failed = {row["id"] for row in rows.values() if row["outcome"] == "failed"}
    path = WITNESSES / f"part-{part}.json"
    # of a part that did not end well, what an earlier run saw of the other scripts still holds at their digests
    before = json.loads(path.read_text("utf-8"))["scripts"] if returncode and path.is_file() else {}
    scripts = {id: digest for id, digest in before.items() if id not in failed}
    scripts |= {row["id"]: row["digest"] for row in passed if "digest" in row}
    witness = {
        "part": f"{part}/{PARTS}",
        "torch": metadata.version("torch"),
        "tree": tree,
        "exit_status": returncode,
        "passed": len(passed),
        "skipped": len(rows) - len(passed) - len(failed),
        "failed": len(failed),
        "seconds": round(sum(row["seconds"] for row in rows.values())),
        "scripts": dict(sorted(scripts.items())),
    }
    WITNESSES.mkdir(exist_ok=True)
    text = json.dumps(witness, ensure_ascii=False, indent=1) + "\n"
    path.write_text(text, "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=[f"{part}/{PARTS}" for part in range(1, PARTS + 1)])
    parser.add_argument("-n", default="auto", help="workers of pytest-xdist")
    args = parser.parse_args()
    part, tree = int(args.part.partition("/")[0]), tree_hash()
    noted = ROOT / ".pytest_cache" / f"whole-{part}-{tree}.jsonl"
    noted.parent.mkdir(exist_ok=True)
    words = ["--part", args.part, "--passed", str(noted), "-n", args.n]
    returncode = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, check=False).returncode
    if returncode == 5 and noted.is_file():  # all of it has passed already
        returncode = 0
    if tree_hash() != tree:
        print("Files changed while the tests ran: nothing is written.", file=sys.stderr)
        return returncode or 1
    write_witness(part, tree, noted, returncode)
    return returncode


if __name__ == "__main__":
    sys.exit(main())
