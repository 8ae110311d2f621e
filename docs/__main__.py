"""`python -m docs --to FOLDER`: build the site; `python -m http.server -d FOLDER` shows it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from torchwhy.errors import AssistantError
from torchwhy.text.plain import escaped

from .build import build
from .check import problems


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs", description="Build the documentation site.")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="FOLDER", help="a new folder, or one of an earlier build"
    )
    args = parser.parse_args()
    try:
        count = build(args.to)
    except AssistantError as error:
        print(f"docs: {error}", file=sys.stderr)
        return 2
    found = problems(args.to)
    for problem in found:
        print(f"docs: {problem}", file=sys.stderr)
    print(
        f"{count} pages in {escaped(args.to)}, links, ids and sizes checked"
        if not found
        else f"{len(found)} problems"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
