"""What `torchwhy check` and `torchwhy run --watch` tell of programs with a mistake that prints nothing, and of the same without it.

python -m tests.tools.silent [NAME...]   a line for each program of data/unseen/silent*.jsonl, then the counts
    --file FILE   of this file alone
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from .unseen import rows_of, run

NEAR_LINES = 1  # where the right program only has a line more, the line before it is named


def told(source: str, folder: Path) -> dict[str, list[tuple[str, int]]]:
    """(entry, line) of each finding, by who told it."""
    program = folder / "train.py"
    program.write_text(source, "utf-8")
    checked = run(["-m", "torchwhy", "check", "--json", "train.py"], folder)
    findings = [(each["id"], each["line"]) for each in json.loads(checked.stdout)["findings"]]
    words = [
        "-m",
        "torchwhy",
        "run",
        "--watch",
        "--quiet",
        "--json",
        "out.json",
        "--",
        sys.executable,
        "train.py",
    ]
    run(words, folder)
    watched = json.loads((folder / "out.json").read_text("utf-8"))["watch"]["findings"]
    return {"check": findings, "watch": [(each["id"], each["line"]) for each in watched]}


def main() -> int:
    counts: Counter[str] = Counter()
    for row in rows_of("silent*.jsonl", __doc__ or ""):
        print(f"{row['name']}: {', '.join(judged(row, counts)) or 'nothing'}", flush=True)
    print(dict(counts))
    return 0


def judged(row: dict[str, Any], counts: Counter[str]) -> list[str]:
    said, right, at_line = [], set(), False
    with tempfile.TemporaryDirectory() as folder:
        for who, findings in told(row["broken"], Path(folder)).items():
            said += [f"{who} {entry}:{line}" for entry, line in findings]
            for entry, line in findings:
                if entry in row["entries"]:
                    right.add(who)
                    at_line |= min(abs(line - each) for each in row["fault_lines"]) <= NEAR_LINES
        alarms = told(row["fixed"], Path(folder))
    counts["programs"] += 1
    counts.update(right)
    counts["either"] += bool(right)
    counts["at the line"] += at_line
    counts["alarm without the mistake"] += any(alarms.values())
    return [*said, *(f"ALARM {who} {each}" for who, found in alarms.items() for each in found)]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.TimeoutExpired as error:
        sys.exit(str(error))
