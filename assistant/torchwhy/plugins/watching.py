"""`torchwhy.watch()`: the guards of `torchwhy run --watch` around a part of one's own program."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from torchwhy.errors import UsageError
from torchwhy.run.child.hooks import load_own
from torchwhy.run.watch_page import finding_line, page_lines
from torchwhy.run.watched import Watched, WatchFinding, guard_files
from torchwhy.text.language import choose
from torchwhy.text.plain import escaped

_active: list[watch] = []


class watch:
    """Watch the training within a `with` block, in this process and on this thread.

    Each finding is printed once on standard error when it is seen, and a line of counts at the end.
    `findings` has them as objects with id, path, line, step (optimizer steps before it) and message.
    lang: `en`, `zh` or `auto`. quiet: print nothing.
    Optimizers that were made before the block are watched as well. Raises UsageError where a watch is on.
    """

    def __init__(self, *, lang: str = "auto", quiet: bool = False) -> None:
        self.lang, self.quiet = choose(lang, ""), quiet
        self._watched = Watched("")
        self._inside: Any = None

    @property
    def findings(self) -> tuple[WatchFinding, ...]:
        """What was found so far, oldest first."""
        return tuple(self._watched.findings)

    def __enter__(self) -> watch:
        if _active:
            raise UsageError("a watch is on already; one at a time")
        _active.append(self)
        inside = load_own("watch")  # type: ignore[no-untyped-call]
        self._inside = inside.Watch(inside.load_guards(guard_files()), self._tell, self.lang)
        self._inside.start(adopt=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _active.remove(self)
        self._inside.stop()
        self._watched.summary = self._inside.summary()
        if not self.quiet:
            for line in page_lines(self._watched, self.lang):
                self._print(line)

    def _tell(self, record: dict[str, Any]) -> None:
        if "off" in record:
            self._watched.off[record["off"]] = record["message"]
            return
        finding = WatchFinding(*(record[name] for name in ("id", "path", "line", "step", "message")))
        self._watched.findings.append(finding)
        if not self.quiet:
            self._print(finding_line(finding, self.lang))

    @staticmethod
    def _print(line: str) -> None:
        print(f"torchwhy: {escaped(line)}", file=sys.stderr, flush=True)
