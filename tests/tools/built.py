"""What `torchwhy check --build` tells of programs that crash, and whether it leaves the same, rightly fixed, alone.

python -m tests.tools.built [NAME...]   a line for each program of data/unseen/programs*.jsonl, then the counts
    --file FILE   of this file alone
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from .unseen import rows_of, run


def told(source: str) -> list[str]:
    """The entries of what is found."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "train.py").write_text(source, "utf-8")
        done = run(["-m", "torchwhy", "check", "--build", "--json", "train.py"], Path(folder))
    return [str(each["id"]) for each in json.loads(done.stdout)["findings"]]


def main() -> int:
    counts: Counter[str] = Counter()
    for row in rows_of("programs*.jsonl", __doc__ or ""):
        found, beside = told(row["broken"]), told(row["fixed"])
        right = [id for id in found if id in row["entries"]]
        verdict = "right" if right else "another" if found else "nothing"
        counts.update([verdict, *["told of the fixed one"] * bool(beside)])
        print(
            f"{row['name']}: {verdict} {', '.join(found)}; fixed: {', '.join(beside) or 'nothing'}",
            flush=True,
        )
    print(dict(counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
