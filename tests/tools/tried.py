"""What a trial says of the edits that `kb prove` applies: of every mutant whose answer is an edit, the verdict, and whether the edit fixed it.

python -m tests.tools.tried [ID...]   a line each, then the table; all entries with a `faults.py` where none is named
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from torchwhy import Assistant
from torchwhy.commands import prove
from torchwhy.run.trial import Trials

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # of a machine that does much else


def judged(assistant: Assistant, program: prove.Program) -> tuple[str, bool, int, str] | None:
    """The verdict, whether the edit fixes the program, milliseconds, and what was said; None where the answer has no edit."""
    with tempfile.TemporaryDirectory() as place:
        file, records = Path(place) / f"{prove.host_of(program)}.py", Path(place) / "records"
        records.mkdir()
        file.write_text(program.text, "utf-8")
        trials = Trials(str(records), SECONDS)
        try:
            broken = prove._run(file, records, forked=True)
            answer = prove.answer_of(assistant, broken.stderr, records) if broken.returncode else None
            if answer is None or answer.change is None or not answer.change.edits():
                return None
            tried = trials.verdict(answer.change.edits())
        finally:
            trials.close()
        change = answer.change
        file.write_text(prove.applied(program.text, change, "edit") or "", "utf-8")
        after = prove._run(file, forked=True)
        fixed = after.returncode == 0 and prove._as_it_should(program, after.stdout)
        return tried.verdict, fixed, tried.ms, f"{change.after}: {tried.gives} {tried.why}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*")
    args = parser.parse_args(argv)
    assistant = Assistant()
    entries = [path.parent for path in sorted((ROOT / "kb").glob("*/*/faults.py"))]
    counts: Counter[tuple[str, bool]] = Counter()
    times: list[int] = []
    for entry in entries:
        if args.only and entry.name not in args.only:
            continue
        for program in prove.mutants(ROOT, entry):
            found = judged(assistant, program)
            if found is None:
                continue
            verdict, fixed, ms, said = found
            counts[verdict, fixed] += 1
            times.append(ms)
            print(
                f"{verdict:9} {'fixed' if fixed else 'NOT FIXED':9} {ms:5} ms  {program.name}  {said}",
                flush=True,
            )
    for (verdict, fixed), count in sorted(counts.items()):
        print(f"{count:4}  {verdict}, {'fixed' if fixed else 'not fixed'}")
    print(f"median {sorted(times)[len(times) // 2] if times else 0} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
