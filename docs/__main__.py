"""`python -m docs --to FOLDER`: build the site; `python -m http.server -d FOLDER` shows it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mkdocs.exceptions import MkDocsException

from torchwhy.errors import AssistantError
from torchwhy.text.plain import escaped

from .site import build


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m docs", description="Build the documentation site.")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="FOLDER", help="a new folder, or one of an earlier build"
    )
    folder = parser.parse_args().to
    try:
        print(f"{build(folder)} pages in {escaped(folder)}, links checked")
    except (AssistantError, MkDocsException) as error:
        print(f"docs: {error}", file=sys.stderr)
        return 2 if isinstance(error, AssistantError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
