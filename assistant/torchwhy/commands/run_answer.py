"""What `torchwhy run` says, writes and keeps once the command has ended."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING

from torchwhy.cli.output import json_text, tell, write_file
from torchwhy.cli.setup import make_assistant, page_lang

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer
    from torchwhy.answers.screen_lines import ScreenLine
    from torchwhy.api import Assistant
    from torchwhy.proof.confirmation import Confirmation
    from torchwhy.run.diagnosis import FailedRun
    from torchwhy.run.last import LastRun
    from torchwhy.run.passing import CommandEnd
    from torchwhy.runtime.json_types import JSONObject


def after(args: argparse.Namespace, command: list[str], folder: str, ended: CommandEnd, killed: str) -> None:
    """What is said, written and kept once the command has ended."""
    from torchwhy.run import last

    status = ended.status
    before = last.read()
    before = before if before is not None and before.key == last.key_of(command) else None
    if status == 0:
        succeeded(args, command, before)
        return
    from torchwhy.run.diagnosis import failed_run

    run = failed_run(ended, command, folder, killed)
    if not run.by_hand:
        answer_failure(args, command, run, before)
    else:
        write_json(args, unanswered(command, status))


def unanswered(command: list[str], status: int) -> JSONObject:
    """What --json writes of a run that has no answer."""
    return {"schema": 1, "match": None, "here": None, "status": status, "command": command}


def succeeded(args: argparse.Namespace, command: list[str], before: LastRun | None) -> None:
    """Nothing is printed, but on a terminal that the last run's error is gone."""
    from torchwhy.run import last
    from torchwhy.text.phrases import phrase

    gone = before.failure if before is not None else None
    if gone is not None:
        if sys.stderr.isatty() and not args.quiet:
            tell(phrase("run_since_gone", page_lang(args), what=gone.words()))
        last.keep(command, 0, None, "", {})
    write_json(args, {**unanswered(command, 0), "since": "gone" if gone else None})


def answer_failure(
    args: argparse.Namespace, command: list[str], run: FailedRun, before: LastRun | None
) -> None:
    from torchwhy.answers.as_json import as_json
    from torchwhy.answers.markdown import page
    from torchwhy.answers.screen_lines import screen_lines
    from torchwhy.run import last
    from torchwhy.run.diagnosis import has_nothing, run_notes, run_sections
    from torchwhy.run.frame_record import under_lines
    from torchwhy.text.exits import kept

    assistant = make_assistant(args, lang=args.lang)
    operands = run.frame.operands if run.frame is not None else ()
    answer = assistant.ask(run.text, source=True, operands=operands, python=run.python)
    recognised = answer.match is not None and answer.match.signature is not None  # such as what pip prints
    if has_nothing(run) and not recognised:
        nothing_printed(args, command, run)
        return
    under = under_lines(run.frame, answer) if run.frame is not None else []
    answer, begun = with_trial(args, answer, under)
    result = None
    if args.confirm:
        from .confirm import confirm_if_allowed

        result = confirm_if_allowed(assistant, answer, run.text, None, run.python or None)
    earlier = before.failure if before is not None else None
    failure = last.failure_of(answer, run.frame)
    written = page(run_sections(run, answer, earlier))
    data = as_json(answer)
    data["here"] = run.frame.as_json() if run.frame else None
    data.update(status=run.ended.status, command=command, since=failure.since(earlier) if earlier else None)
    if args.confirm:
        from torchwhy.proof.confirmation import confirmation_json

        data["confirmation"] = confirmation_json(result) if result else None
    has_screen = answer.found or answer.root is not None
    notes = page(run_notes(run, answer, earlier))
    screen = ""
    if has_screen and last.is_kept():
        screen = "".join(f"{line.text}\n" for line in screen_lines(answer, under=under, clean=kept))
    last.keep(
        command, run.ended.status, failure, written, data, screen=screen, notes=notes, python=run.python
    )
    write_json(args, data)
    if not args.quiet and (args.full or not has_screen):
        print_answer(assistant, answer, written, result, run.text)
    elif not args.quiet:
        print_answer(assistant, answer, notes, result, run.text, under, begun)
    if args.report:
        write_report(args, answer, run, result)
    if args.on_fail:
        from torchwhy.run.on_fail import told_answer

        call_on_fail(args, told_answer(answer, data, under, full=args.full_text))


def call_on_fail(args: argparse.Namespace, told: JSONObject) -> None:
    """Tell the command of --on-fail; what goes wrong there is said in a line."""
    from torchwhy.run.on_fail import call

    sys.stderr.flush()
    problem = call(args.on_fail, told)
    if problem:
        tell(problem)


def nothing_printed(args: argparse.Namespace, command: list[str], run: FailedRun) -> None:
    """It failed without a word: one line, and the status where it was asked for."""
    from torchwhy.run import endings, last
    from torchwhy.text.phrases import phrase

    status = run.ended.status
    lang = page_lang(args)
    words = phrase(
        "run_no_error_printed", lang, command=command[0], status=endings.status_words(status, lang)
    )
    if not run.ended.both:
        words += "\n" + phrase("run_only_errors_read", lang)
    data = unanswered(command, status)
    last.keep(command, status, None, f"{words}\n", data)
    write_json(args, data)
    if not args.quiet:
        tell(words)
    if args.on_fail:
        from torchwhy.run.on_fail import told_status

        call_on_fail(args, told_status(data, words))


def with_trial(
    args: argparse.Namespace, answer: Answer, under: Sequence[tuple[str, str]]
) -> tuple[Answer, list[ScreenLine]]:
    """The answer with its edit tried, and the lines of the first screen that were printed meanwhile."""
    from torchwhy.answers.screen_lines import screen_lines
    from torchwhy.cli.output import print_screen, width
    from torchwhy.run.trial import changes_to_try, tried

    changes = changes_to_try(answer)
    lines: list[ScreenLine] = []
    if changes and not args.quiet and not args.full:
        lines = screen_lines(answer, width(), under)
        lines = lines[: next((at for at, line in enumerate(lines) if line.style in ("label", "before")), 0)]
        with redirect_stdout(sys.stderr):
            print()
            for note in answer.notes:
                tell(note)
            print_screen(lines)
            sys.stdout.flush()
    return tried(answer, changes, args.trials), lines


def print_answer(
    assistant: Assistant,
    answer: Answer,
    written: str,
    result: Confirmation | None,
    text: str,
    under: Sequence[tuple[str, str]] | None = None,
    begun: Sequence[ScreenLine] = (),
) -> None:
    """The page `written`; with `under`, what the names of the user's line were, the first screen and the
    notes `written`. `begun`: the lines of that screen which are there already.
    """
    from torchwhy.answers.screen_lines import ScreenLine, screen_lines
    from torchwhy.cli.output import print_markdown, print_screen, width
    from torchwhy.run import last
    from torchwhy.text.phrases import phrase

    with redirect_stdout(sys.stderr):
        if not begun:
            print()
            for note in answer.notes:
                tell(note)
        if under is not None:
            lines = screen_lines(answer, width(), under)
            same = [first == second for first, second in zip(begun, lines, strict=False)]
            print_screen(lines[same.index(False) if False in same else len(same) :])
            if answer.change is not None and answer.change.edits() and last.is_kept():
                print_screen([ScreenLine(phrase("run_apply", answer.lang), "dim")])
        if written.strip():
            print_markdown(written)
        if result is not None:
            from .confirm import print_proof

            print_proof(assistant, result, answer.lang, text)
        with suppress(BrokenPipeError):
            sys.stdout.flush()


def write_json(args: argparse.Namespace, data: JSONObject) -> None:
    """What --json wants written: the answer with its command, without secrets, since such a file is kept by
    CI and sent around.
    """
    if not args.json:
        return
    from torchwhy.run import last
    from torchwhy.text.exits import kept_in

    command = list(last.without_secrets(data["command"]))
    data = {**data, "watch": args.watched} if args.watched is not None else data
    write_file(args.json, json_text({**kept_in(data), "command": command}) + "\n")


def write_report(
    args: argparse.Namespace, answer: Answer, run: FailedRun, result: Confirmation | None
) -> None:
    """The bug report, with the place and the operands behind the error."""
    from torchwhy.machine import interpreters
    from torchwhy.machine.torch_probe import probe
    from torchwhy.proof.report import report
    from torchwhy.run.frame_record import frame_section
    from torchwhy.text.exits import told_to_others

    text = report(answer, probe(interpreters.locate(None, None, run.python).path), result)
    if run.frame is not None:
        text += "\n" + told_to_others(frame_section(run.frame, answer.lang).markdown, None) + "\n"
    write_file(args.report, text)
