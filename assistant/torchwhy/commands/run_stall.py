"""`torchwhy run --stall`: says where the processes of a run that stands still wait."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

from torchwhy.cli.output import tell
from torchwhy.cli.setup import make_assistant, page_lang

if TYPE_CHECKING:
    from torchwhy.run.stall import Stack


def stall_tick(args: argparse.Namespace, pid: int) -> Callable[[], None]:
    """Looks whether the run stands still, and says where."""
    from torchwhy.run.phrases import phrase
    from torchwhy.run.stall import StallWatch

    watch = StallWatch(pid, args.stall)
    lang = page_lang(args)
    said = False

    def tick() -> None:
        nonlocal said
        found = watch.stands()
        if found:
            tell_stall(args, found, lang)
        elif watch.blind and not said:
            said = True
            tell(phrase("run_stall_blind", lang))

    return tick


def tell_stall(args: argparse.Namespace, found: Sequence[Stack], lang: str) -> None:
    from torchwhy.answers.screen_lines import screen_lines
    from torchwhy.cli.output import print_screen, width
    from torchwhy.run import stall
    from torchwhy.run.phrases import phrase

    print(file=sys.stderr)
    tell(phrase("run_stalled", lang, seconds=f"{args.stall:g}"))
    for stack in found:
        print(f"\n--- {stack.pid}\n{stack.text}", file=sys.stderr)
        place = stack.user_frame()
        if place is not None:
            words = phrase(
                "run_stack_waits", lang, pid=str(stack.pid), function=place[2], place=f"{place[0]}:{place[1]}"
            )
            tell(words)
    question = stall.question(found)
    if question and not args.quiet:
        answer = make_assistant(args, lang=lang).ask(question)
        if answer.match is not None:
            with redirect_stdout(sys.stderr):
                print_screen(screen_lines(answer, width()))
    sys.stderr.flush()
