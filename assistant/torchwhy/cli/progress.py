"""A progress bar on stderr: one line redrawn on a terminal, a line a step in a log, nothing where nothing is
built.
"""

from __future__ import annotations

import sys

WIDTH = 24


class Bar:
    """Called with (what, done, total); draws, and ends the line when a step is complete."""

    def __init__(self) -> None:
        self.what = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        live = sys.stderr.isatty()
        if not live:
            if what != self.what:
                print(
                    f"torchwhy: {what} (first use; kept for the next time) ...", file=sys.stderr, flush=True
                )
        else:
            full = WIDTH * done // max(1, total)
            if what != self.what and self.what:
                sys.stderr.write("\n")
            sys.stderr.write(
                f"\r{what} [{'#' * full}{'.' * (WIDTH - full)}] {done}/{total}"
                + ("\n" if done >= total else "")
            )
            sys.stderr.flush()
            if done >= total:
                what = ""
        self.what = what
