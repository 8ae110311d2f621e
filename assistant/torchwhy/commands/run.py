"""`torchwhy run COMMAND...`: the command as it is, and the answer when it fails."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING

from torchwhy.cli.options import add_flags, add_mine, add_shared
from torchwhy.cli.output import json_text, tell, write_file
from torchwhy.cli.setup import make_assistant, page_lang
from torchwhy.errors import AssistantError, UsageError
from torchwhy.runtime.system import signals

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer
    from torchwhy.answers.screen_lines import ScreenLine
    from torchwhy.api import Assistant
    from torchwhy.proof.confirmation import Confirmation
    from torchwhy.run.diagnosis import RunEvidence
    from torchwhy.run.last import LastRun
    from torchwhy.run.passing import CommandEnd
    from torchwhy.run.stall import Stack
    from torchwhy.runtime.json_types import JSONObject

INTERRUPTED = "interrupted, so no answer is shown"
HELP = "run a command as it is, and say why when it fails, with the shapes"
# Programs whose names begin a question as well ("torchwhy run time error in ..."): only behind `--`.
WORDS = """
    at cut expand file find head join kill last less more out paste script sort split tail test time top true
    watch which who yes
"""
# Options with a file to write, and a name for it
FILES = {"json": "out.json", "report": "report.md", "html": "page.html"}
WRITTEN = (".json", ".md", ".html", ".txt")
NOT_FOUND, NOT_EXECUTABLE = 127, 126  # exit statuses, as a shell has them


class CommandAction(argparse.Action):
    """Takes the rest of the line if it is a command: else the line may be a question."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        words = list(values) if isinstance(values, list) else []
        if words and words[0] == "--":
            words = words[1:]
        elif (
            words
            and not words[0].endswith(".py")
            and (words[0] in WORDS.split() or shutil.which(words[0]) is None)
        ):
            parser.error(f"{words[0]}: no such command; a command of any name stands behind `--`")
        namespace.command = words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json", metavar="FILE", help="write the answer as JSON, with the status and the command"
    )
    parser.add_argument("--report", metavar="FILE", help="write a bug report; secrets taken out")
    parser.add_argument(
        "--on-fail", metavar="CMD", help="a command that gets the answer as JSON on its standard input"
    )
    add_flags(
        parser,
        confirm="prove the diagnosis here as well",
        quiet="print nothing (`torchwhy last` shows the answer)",
        full="the whole page instead of the first screen",
        anomaly="with autograd's anomaly mode; without a command: the last one again",
        blocking="with CUDA_LAUNCH_BLOCKING=1; without a command: the last one again",
    )
    parser.add_argument(
        "--stall",
        type=float,
        metavar="SECONDS",
        help="show the Python stacks of all its processes when the same lines of yours run for so long",
    )
    add_flags(parser, watch="watch its training: what goes wrong without a message")
    parser.add_argument("--html", metavar="FILE", help="with --watch: write what was seen as a page")
    add_shared(parser, "lang", "kb")
    add_mine(parser, "with --watch: run the guard.py files of your own knowledge base")
    add_shared(parser, "full-text", "model", "no-vectors")
    parser.add_argument(
        "command",
        nargs=argparse.REMAINDER,
        action=CommandAction,
        default=[],
        help="the command, or a Python script; `--` before it",
    )


def run(args: argparse.Namespace) -> int:
    """The command's own exit status; a signal that ended it ends torchwhy as well."""
    from torchwhy.run.passing import end_like
    from torchwhy.run.trial import Trials

    if args.html and not args.watch:
        raise UsageError("--html writes what --watch saw: give both")
    for option, example in FILES.items():
        look_at_file(option, getattr(args, option), args.command, example)
    args.watched = None  # what --watch saw, for --json
    command = wanted_command(args)
    try:
        folder = tempfile.mkdtemp(prefix="torchwhy-run-")
    except OSError as error:  # full, or for reading alone: the command runs as ever, and nothing describes it
        say(f"{error}: what stood in a failing line cannot be kept")
        folder = os.path.join(os.devnull, "torchwhy-run")
    args.trials = Trials(folder)
    try:
        status = run_in(args, command, folder)
    finally:
        args.trials.close()
        with suppress(RecursionError):  # the command may leave folders in folders without end
            shutil.rmtree(folder, ignore_errors=True)
        if not getattr(args, "ends_the_process", False):  # else until its end, which takes a moment
            signals_are(signal.SIG_DFL)
    return end_like(status)


def look_at_file(option: str, file: str | None, command: Sequence[str], example: str) -> None:
    """Refuse a file to write that is a program or a script: the option took the command's first word."""
    if not file or file.endswith(WRITTEN):
        return
    if shutil.which(file) or (file.endswith(".py") and os.path.isfile(file)):
        line = shlex.join(["torchwhy", "run", f"--{option}", example, file, *command])
        raise UsageError(f"--{option} wants a file first: {line}")


def wanted_command(args: argparse.Namespace) -> list[str]:
    """The command of the line, a script with the Python that would run it, or the last command again."""
    words: list[str] = args.command
    if not words:
        if not (args.anomaly or args.blocking):
            raise UsageError("give a command: torchwhy run train.py, or torchwhy run -- COMMAND...")
        return last_command()
    if words[0].endswith(".py") and not names_its_program(words[0]):
        return [python_here(), *words]  # which says so where there is no such file
    return words


def names_its_program(path: str) -> bool:
    """Whether the system would run this script by its first line. On some file systems (WSL, exFAT) every
    file may be run, and without that line a shell would take it for its own.
    """
    found = shutil.which(path)
    if found is None:
        return False
    try:
        with open(found, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def python_here() -> str:
    """The Python that a user means here: of the active environment, else the one on the path."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        path = os.path.join(os.environ.get(name) or os.devnull, "bin", "python")
        if os.access(path, os.X_OK):
            return path
    return shutil.which("python") or shutil.which("python3") or sys.executable


def last_command() -> list[str]:
    from torchwhy.run import last

    before = last.read()
    if before is None:
        raise UsageError("no run is kept; give the command: torchwhy run --anomaly -- COMMAND...")
    if not before.whole or before.folder != os.getcwd():
        reason = f"was run in {before.folder}" if before.whole else "is kept without its secrets"
        raise UsageError(f"the last command {reason}; give it again: torchwhy run --anomaly -- COMMAND...")
    return list(before.command)


def run_in(args: argparse.Namespace, command: list[str], folder: str) -> int:
    """Run it, its programs' descriptions in `folder`; the answer on standard error where it failed."""
    from torchwhy.run import endings
    from torchwhy.run.environment import child_environment, given_environment
    from torchwhy.run.passing import Run

    env = child_environment(given_environment(), folder)
    if args.blocking:
        env["CUDA_LAUNCH_BLOCKING"] = "1"
    if args.anomaly:
        env["TORCHWHY_RUN_ANOMALY"] = "1"
    if args.stall:
        from torchwhy.run.stall import stack_signal

        env["TORCHWHY_RUN_STALL"] = str(stack_signal() or "")
    watching = None
    if args.watch:
        from .run_watch import WatchedRun

        try:
            watching = WatchedRun(args, folder, env)
        except OSError as error:
            say(UsageError(f"--watch has no folder ({error.strerror}); the command runs without"))
    kills = endings.out_of_memory_kills()
    try:
        child = Run(command, env, folder=folder)
    except OSError as error:
        tell(f"{command[0]}: {error.strerror}")
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE
    ticks = [stall_tick(args, child.pid)] if args.stall else []
    ticks += [watching.tick] if watching else []

    def tick() -> None:
        for each in ticks:
            try:
                each()
            except Exception as error:  # such as a full disk: what is said here must not end the command
                say(f"{type(error).__name__}: {error}")

    try:
        end_the_answer_at_a_signal()  # once the command has ended: until then each is the command's
        child.wait(tick if ticks else None)
        killed = endings.counted_since(kills, endings.out_of_memory_kills())
        try:
            ended = child.ended()
            if watching is not None:
                args.watched = watching.end(command)
            after(args, command, folder, ended, killed)
        except (AssistantError, OSError) as error:  # the run's own outcome stands
            say(error)
        except Exception as error:  # whatever is wrong here must not hide how the command ended
            say(f"no answer: {type(error).__name__}: {error}")
    except KeyboardInterrupt:
        signals_are(signal.SIG_IGN)  # who is in a hurry presses Ctrl-C more than once
        say(INTERRUPTED)
    finally:
        signals_are(signal.SIG_IGN)
    return child.status if child.status is not None else NOT_EXECUTABLE


def end_the_answer_at_a_signal() -> None:
    """Whoever ends a job tells it more than once: the status that the command has given by then stands."""

    def stop(number: int, frame: object) -> None:
        signals_are(signal.SIG_IGN)
        raise KeyboardInterrupt

    for number in signals("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGXCPU"):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, stop)
            taken.add(number)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        taken.add(signal.SIGINT)


taken: set[int] = set()  # the signals that end the answer


def signals_are(handler: signal.Handlers) -> None:
    for number in taken:
        is_usual = handler == signal.SIG_DFL and number == signal.SIGINT
        signal.signal(number, signal.default_int_handler if is_usual else handler)
    if handler == signal.SIG_DFL:
        taken.clear()


def say(text: object) -> None:
    """`tell`, but that nothing is said where nothing can be written: the command's own outcome stands."""
    with suppress(OSError, ValueError):
        tell(text)


def after(
    args: argparse.Namespace,
    command: list[str],
    folder: str,
    ended: CommandEnd,
    killed: str,
) -> None:
    """What is said, written and kept once the command has ended."""
    from torchwhy.run import last

    status = ended.status
    before = last.read()
    before = before if before is not None and before.key == last.key_of(command) else None
    if status == 0:
        succeeded(args, command, before)
        return
    from torchwhy.run.diagnosis import gather

    evidence = gather(ended, command, folder, killed)
    if not evidence.by_hand:
        failed(args, command, evidence, before)
    else:
        write_json(args, unanswered(command, status))


def unanswered(command: list[str], status: int) -> JSONObject:
    """What --json writes of a run that has no answer."""
    return {"schema": 1, "match": None, "here": None, "status": status, "command": command}


def succeeded(args: argparse.Namespace, command: list[str], before: LastRun | None) -> None:
    """Nothing is printed, but on a terminal that the last run's error is gone."""
    from torchwhy.run import last
    from torchwhy.run.phrases import phrase

    gone = before.failure if before is not None else None
    if gone is not None:
        if sys.stderr.isatty() and not args.quiet:
            tell(phrase("run_since_gone", page_lang(args), what=gone.words()))
        last.keep(command, 0, None, "", {})
    write_json(args, {**unanswered(command, 0), "since": "gone" if gone else None})


def failed(
    args: argparse.Namespace, command: list[str], evidence: RunEvidence, before: LastRun | None
) -> None:
    from torchwhy.answers.as_json import as_json
    from torchwhy.answers.markdown import page
    from torchwhy.answers.screen_lines import screen_lines
    from torchwhy.run import last
    from torchwhy.run.diagnosis import has_nothing, run_notes, run_sections
    from torchwhy.run.here import under_lines
    from torchwhy.text.exits import kept

    assistant = make_assistant(args, lang=args.lang)
    operands = evidence.here.operands if evidence.here is not None else ()
    answer = assistant.ask(evidence.text, source=True, operands=operands, python=evidence.python)
    recognised = answer.match is not None and answer.match.signature is not None  # such as what pip prints
    if has_nothing(evidence) and not recognised:
        nothing_printed(args, command, evidence)
        return
    under = under_lines(evidence.here, answer) if evidence.here is not None else []
    answer, begun = with_trial(args, answer, under)
    result = None
    if args.confirm:
        from .confirm import confirm_if_allowed

        result = confirm_if_allowed(assistant, answer, evidence.text, None, evidence.python or None)
    earlier = before.failure if before is not None else None
    failure = last.failure_of(answer, evidence.here)
    written = page(run_sections(evidence, answer, earlier))
    data = as_json(answer)
    data["here"] = evidence.here.as_json() if evidence.here else None
    data.update(
        status=evidence.ended.status, command=command, since=failure.since(earlier) if earlier else None
    )
    if args.confirm:
        from torchwhy.proof.confirmation import confirmation_json

        data["confirmation"] = confirmation_json(result) if result else None
    has_screen = answer.found or answer.root is not None
    notes = page(run_notes(evidence, answer, earlier))
    screen = ""
    if has_screen and last.is_kept():
        screen = "".join(f"{line.text}\n" for line in screen_lines(answer, under=under, clean=kept))
    last.keep(
        command,
        evidence.ended.status,
        failure,
        written,
        data,
        screen=screen,
        notes=notes,
        python=evidence.python,
    )
    write_json(args, data)
    if not args.quiet and (args.full or not has_screen):
        print_answer(assistant, answer, written, result, evidence.text)
    elif not args.quiet:
        print_answer(assistant, answer, notes, result, evidence.text, under, begun)
    if args.report:
        write_report(args, answer, evidence, result)
    tell_answer(args, answer, data, under)


def tell_answer(
    args: argparse.Namespace, answer: Answer, data: JSONObject, under: Sequence[tuple[str, str]]
) -> None:
    """Tell the command of --on-fail of an answer, where one was given."""
    if args.on_fail:
        from torchwhy.run.on_fail import told_answer

        call_on_fail(args, told_answer(answer, data, under, full=args.full_text))


def call_on_fail(args: argparse.Namespace, told: JSONObject) -> None:
    """Tell the command of --on-fail; what goes wrong there is said in a line."""
    from torchwhy.run.on_fail import call

    sys.stderr.flush()
    problem = call(args.on_fail, told)
    if problem:
        say(problem)


def nothing_printed(args: argparse.Namespace, command: list[str], evidence: RunEvidence) -> None:
    """It failed without a word: one line, and the status where it was asked for."""
    from torchwhy.run import endings, last
    from torchwhy.run.phrases import phrase

    status = evidence.ended.status
    lang = page_lang(args)
    words = phrase(
        "run_no_error_printed", lang, command=command[0], status=endings.status_words(status, lang)
    )
    if not evidence.ended.both:
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
    from torchwhy.run.trial import change_to_try, tried

    change = change_to_try(answer)
    lines: list[ScreenLine] = []
    if change is not None and not args.quiet and not args.full:
        lines = screen_lines(answer, width(), under)
        lines = lines[: next((at for at, line in enumerate(lines) if line.style in ("label", "before")), 0)]
        with redirect_stdout(sys.stderr):
            print()
            for note in answer.notes:
                tell(note)
            print_screen(lines)
            sys.stdout.flush()
    return tried(answer, change, args.trials), lines


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
    from torchwhy.run.phrases import phrase

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
    args: argparse.Namespace, answer: Answer, evidence: RunEvidence, result: Confirmation | None
) -> None:
    """The bug report, with the place and the operands behind the error."""
    from torchwhy.machine import interpreters
    from torchwhy.machine.torch_probe import probe
    from torchwhy.proof.report import report
    from torchwhy.run.here import here_section
    from torchwhy.text.exits import told_to_others

    text = report(answer, probe(interpreters.locate(None, None, evidence.python).path), result)
    if evidence.here is not None:
        text += "\n" + told_to_others(here_section(evidence.here, answer.lang).markdown, None) + "\n"
    write_file(args.report, text)


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
