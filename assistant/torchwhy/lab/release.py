"""`python -m torchwhy.lab.release FOLDER`: what a release makes anew of the knowledge as it is, in its order.

The passages are embedded, the ranking is fitted and calibrated, and every kept set is measured; the figures
are printed. Each step is a command of its own, in a process of its own, since each reads what the one before
it wrote; the first that fails ends it, and its exit status is this one's. `--plan` names them and runs none.
Needs the extra `embed`. Run by maintainers in a checkout, after the last change to kb/; what changed in data/
and in ranking.json is then committed.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from torchwhy.runtime import locations, settings

FITTED = ("dev.jsonl", "written-*.jsonl", "*-fit.jsonl")
# Never fitted on, and never read while answers are written
MEASURED = ("*-kept.jsonl", "healthy.jsonl", "verbatim.jsonl")
OTHER_SOURCES = (settings.KB.name, settings.MODEL.name)


class Step(NamedTuple):
    """A command of a release: what it is for, and the words behind `python -m`."""

    what: str
    words: tuple[str, ...]


def plan(texts: Path, predictions: Path, device: str | None = None) -> list[Step]:
    """The steps of a release that is fitted and measured on the labelled texts of a folder.

    `predictions`: the file that keeps the cross-validated predictions; `device`: where
    passages are embedded, as `make_vectors` takes it.
    """
    fitted, measured = (
        [str(path) for name in names for path in _named(texts, name)] for names in (FITTED, MEASURED)
    )
    kept = ("--predictions", str(predictions))
    on = ("--device", device) if device else ()
    return [
        Step("embed", ("torchwhy.lab.make_vectors", *on)),
        Step("fit and calibrate", ("torchwhy.lab.fit", *fitted, "--uncovered", *kept)),
        Step("measure", ("torchwhy", "eval", fitted[0], "--ablate", *kept)),
        *(Step("measure", ("torchwhy", "eval", file, "--calibration")) for file in measured),
        Step("check", ("torchwhy.lab.make_vectors", "--check")),
    ]


def _named(texts: Path, name: str) -> list[Path]:
    found = sorted(texts.glob(name))
    if not found:
        raise SystemExit(
            f"{texts / name}: no such texts; a release needs those of the checkout's data folder"
        )
    return found


def main() -> int:
    """Run the steps. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.release", description=__doc__)
    parser.add_argument("texts", type=Path, metavar="FOLDER", help="the labelled texts")
    parser.add_argument("--plan", action="store_true", help="name the commands and run none")
    parser.add_argument("--device", help="cpu (default), or cuda for the original by sentence-transformers")
    args = parser.parse_args()
    if not locations.is_checkout():
        raise SystemExit("a release is made in a checkout: what it writes is committed there")
    root = locations.shipped("kb").parent
    # the shipped knowledge and encoder alone, whatever this user has set
    env = {name: value for name, value in os.environ.items() if name not in OTHER_SOURCES}
    with tempfile.TemporaryDirectory() as folder:
        for step in plan(args.texts.resolve(), Path(folder) / "predictions.jsonl", args.device):
            print(f"# {step.what}\npython -m {shlex.join(step.words)}", flush=True)
            if args.plan:
                continue
            status = subprocess.run(
                [sys.executable, "-m", *step.words], cwd=root, env=env, check=False
            ).returncode
            if status:
                print(f"{step.what} ended with status {status}; nothing after it was run", file=sys.stderr)
                return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
