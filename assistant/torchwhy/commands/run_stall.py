"""`torchwhy run --stall`: says where the processes of a run that stands still wait."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from torchwhy.cli.output import tell
from torchwhy.cli.setup import open_entries, page_lang

if TYPE_CHECKING:
    from torchwhy.run.waits import Standstill


def stall_tick(args: argparse.Namespace, pid: int) -> Callable[[], None]:
    """Looks whether the run stands still, and says where."""
    from torchwhy.run.stall import StallWatch
    from torchwhy.run.waits import standing
    from torchwhy.text.phrases import phrase

    watch = StallWatch(pid, args.stall)
    lang = page_lang(args)
    said = False

    def tick() -> None:
        nonlocal said
        found = watch.stands()
        if found:
            print(file=sys.stderr)
            tell(phrase("run_stalled", lang, seconds=f"{args.stall:g}"))
            for stack in found:
                print(f"\n--- {stack.pid}\n{stack.text}", file=sys.stderr)
            tell("\n".join(told(args, standing(found))))
        elif watch.blind and not said:
            said = True
            tell(phrase("run_stall_blind", lang))

    return tick


def told(args: argparse.Namespace, standing: Standstill) -> list[str]:
    """Who waits where, which ranks have ended, and the entry that explains it."""
    from torchwhy.run import waits
    from torchwhy.text.phrases import phrase

    lang = page_lang(args)
    lines = waits.said(standing.waits, lang)
    if standing.missing:
        lines.append(phrase("run_ranks_gone", lang, ranks=waits.spans(standing.missing)))
    if standing.entry:
        title = open_entries(args).pitfall(standing.entry).title[lang]
        lines.append(phrase("run_wait_entry", lang, title=title, id=standing.entry))
    return lines
