"""`torchwhy run COMMAND...`: the command as it is; `run_answer.py` answers when it fails."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress

from torchwhy.cli.options import add_flags, add_mine, add_shared, add_values
from torchwhy.cli.output import tell
from torchwhy.errors import AssistantError, UsageError
from torchwhy.runtime.system import signals

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
    add_values(
        parser,
        json=("FILE", "write the answer as JSON, with the status and the command"),
        report=("FILE", "write a bug report; secrets taken out"),
        on_fail=("CMD", "a command that gets the answer as JSON on its standard input"),
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
    add_values(parser, html=("FILE", "with --watch: write what was seen as a page"))
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


def environment_of(args: argparse.Namespace, folder: str) -> dict[str, str]:
    """The command's environment, with what its programs are asked to do."""
    from torchwhy.run.environment import child_environment, given_environment

    env = child_environment(given_environment(), folder)
    if args.blocking:
        env["CUDA_LAUNCH_BLOCKING"] = "1"
    if args.anomaly:
        env["TORCHWHY_RUN_ANOMALY"] = "1"
    if args.stall:
        from torchwhy.run.stacks import stack_signal

        env["TORCHWHY_RUN_STALL"] = str(stack_signal() or "")
    return env


def run_in(args: argparse.Namespace, command: list[str], folder: str) -> int:
    """Run it, its programs' descriptions in `folder`; the answer on standard error where it failed."""
    from torchwhy.run import endings
    from torchwhy.run.passing import Run

    env = environment_of(args, folder)
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
    ticks = [watching.tick] if watching else []
    if args.stall:
        from .run_stall import stall_tick

        ticks.append(stall_tick(args, child.pid))

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
            from .run_answer import after

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
