"""What a trial says of the edits of broken hosts: of every mutant whose answer has an edit to try, the verdict, and whether the
edit fixed it.

python -m tests.tools.tried [ID...]   a line each, then the table; all entries with a `faults.py` where none is named
    --sample N       N of the mutants, the same ones each time
    --python PATH    the Python that runs them, for another release of torch than the one at hand
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from torchwhy import Assistant
from torchwhy.answers.change import Tried
from torchwhy.commands import kb_prove
from torchwhy.run.trial import Trials, changes_to_try, tried

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # of a machine that does much else


class Judged(NamedTuple):
    """A mutant's edit: the verdict, whether it fixes the program, and whether it is shown before and after the trial."""

    program: str
    verdict: str
    fixed: bool
    before: bool
    after: bool
    ms: int
    said: str


def judged(assistant: Assistant, program: kb_prove.Program) -> Judged | None:
    """None where the mutant does not fail, or its answer has no edit."""
    with tempfile.TemporaryDirectory() as place:
        file, records = Path(place) / f"{kb_prove.host_of(program)}.py", Path(place) / "records"
        records.mkdir()
        file.write_text(program.text, "utf-8")
        trials = Trials(str(records), SECONDS)
        try:
            broken = kb_prove._run(file, records)
            answer = kb_prove.answer_of(assistant, broken.stderr, records) if broken.returncode else None
            changes = changes_to_try(answer) if answer is not None else []
            if answer is None or not changes:
                return None
            shown = tried(answer, changes, trials).change
        finally:
            trials.close()
        change = shown if shown is not None and shown.lines else changes[0]
        found = shown.tried if shown is not None and shown.tried is not None else Tried("fails")
        file.write_text(kb_prove.applied(program.text, change, "edit") or "", "utf-8")
        after = kb_prove._run(file)
        fixed = after.returncode == 0 and kb_prove._as_it_should(program, after.stdout)
        stood = answer.change is not None and bool(answer.change.edits())
        stands = shown is not None and bool(shown.edits())
        others = f" (of {len(changes)})" if len(changes) > 1 else ""
        said = f"{change.after}{others}: {found.gives} {found.why}"
        return Judged(program.name, found.verdict, fixed, stood, stands, found.ms, said)


def programs(only: list[str]) -> Iterator[kb_prove.Program]:
    for path in sorted((ROOT / "kb").glob("*/*/faults.py")):
        if not only or path.parent.name in only:
            yield from kb_prove.mutants(ROOT, path.parent)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("only", nargs="*")
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--python", default=sys.executable, metavar="PATH")
    args = parser.parse_args(argv)
    kb_prove.PYTHON = args.python
    drawn = sorted(programs(args.only), key=lambda program: hashlib.sha256(program.name.encode()).digest())
    assistant = Assistant()
    rows: list[Judged] = []
    with ThreadPoolExecutor(kb_prove.WORKERS) as pool:
        for each in pool.map(lambda program: judged(assistant, program), drawn[: args.sample]):
            if each is not None:
                rows.append(each)
                word = "fixed" if each.fixed else "NOT FIXED"
                print(f"{each.verdict:9} {word:9} {each.ms:5} ms  {each.program}  {each.said}", flush=True)
    for (verdict, fixed), count in sorted(Counter((each.verdict, each.fixed) for each in rows).items()):
        print(f"{count:4}  {verdict}, {'fixed' if fixed else 'not fixed'}")
    for name in ("before", "after"):
        shown = [each for each in rows if getattr(each, name)]
        print(
            f"shown {name} the trial: {len(shown)}, of these not fixed: {sum(not each.fixed for each in shown)}"
        )
    print(f"withdrawn though they fix: {sum(each.before and not each.after and each.fixed for each in rows)}")
    times = sorted(each.ms for each in rows)
    print(f"median {times[len(times) // 2] if times else 0} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
