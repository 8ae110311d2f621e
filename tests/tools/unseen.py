"""What `torchwhy run` makes of programs that nobody wrote for an entry: the entry, the edit, and whether the program with the edit
prints what the rightly fixed one does.

python -m tests.tools.unseen [NAME...]   a line for each program of data/unseen, then the counts
    --file FILE   of this file alone
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torchwhy.source.rewrite import edited, line_edit

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300  # of a machine that does much else


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "assistant")}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def judged(row: dict[str, Any], folder: Path) -> tuple[str, str, list[dict[str, Any]]]:
    """(the entry answered, what came of its edit, the edited lines)."""
    program = folder / "train.py"
    program.write_text(row["broken"], "utf-8")
    run(["-m", "torchwhy", "run", "--quiet", "--json", "out.json", "--", sys.executable, "train.py"], folder)
    answer = json.loads((folder / "out.json").read_text("utf-8"))
    entry = (answer["match"] or {}).get("id", "none")
    change = answer["screen"]["change"] or {}
    edits = change.get("edits", [])
    if not edits:
        return entry, "no edit", []
    text = program.read_text("utf-8")
    new = [line_edit(text, each["line"], each["before"], each["after"]) for each in edits]
    program.write_text(edited(text, new), "utf-8")
    done = run(["train.py"], folder)
    if done.returncode:
        return entry, f"fails: {done.stderr.strip().splitlines()[-1]}", edits
    program.write_text(row["fixed"], "utf-8")
    same = done.stdout == run(["train.py"], folder).stdout
    return entry, "fixed" if same else "prints other numbers", edits


def rows_of(pattern: str, description: str) -> Iterator[dict[str, Any]]:
    """The programs that the command line asks for: those named, of one file or of all of data/unseen."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("only", nargs="*")
    parser.add_argument("--file", type=Path, help="of data/unseen; all without it")
    args = parser.parse_args()
    for file in [args.file] if args.file else sorted((ROOT / "data" / "unseen").glob(pattern)):
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            if not args.only or row["name"] in args.only:
                yield row


def main() -> int:
    counts: Counter[str] = Counter()
    for row in rows_of("programs*.jsonl", __doc__ or ""):
        with tempfile.TemporaryDirectory() as folder:
            entry, verdict, edits = judged(row, Path(folder))
        counts["entry"] += entry in row["entries"]
        counts[verdict.partition(":")[0]] += 1
        print(f"{row['name']}: {entry}: {verdict}", flush=True)
        for each in edits:
            print(f"    - {each['before']}\n    + {each['after']}", flush=True)
    print(dict(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
