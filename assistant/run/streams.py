"""What a command's two outputs are while it runs: a pseudo-terminal for a terminal, else a pipe."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field

from .descriptors import can_be_full, in_foreground


@dataclass(slots=True)
class Stream:
    """What the command writes into (`inner`, until it runs), where it is read (`outer`), where it goes
    (`target`).
    """

    target: int
    inner: int
    outer: int
    terminal: bool
    settings: list[object] = field(default_factory=list)  # of the real terminal, where they were changed
    own: list[object] = field(default_factory=list)  # of the pseudo-terminal, when they were looked at
    name: str = ""  # of the pseudo-terminal
    open: bool = True
    can_be_full: bool = False


def open_streams() -> list[Stream]:
    """How standard output and error are taken: one stream where both lead to the same place.

    A terminal beside which none can be made stays the command's own, and nothing of it is kept.
    """
    streams = []
    for number in (1,) if _same_place(1, 2) else (1, 2):
        with suppress(OSError):
            streams.append(_pty(number) if os.isatty(number) else _pipe(number))
    return streams


def numbers_of(stream: Stream) -> tuple[int, ...]:
    """The descriptors of the command that lead into a stream."""
    return (1, 2) if _same_place(1, 2) else (stream.target,)


def _same_place(first: int, second: int) -> bool:
    try:
        one, two = os.fstat(first), os.fstat(second)
    except OSError:
        return False
    return (one.st_dev, one.st_ino, one.st_rdev) == (two.st_dev, two.st_ino, two.st_rdev)


def _pipe(target: int) -> Stream:
    outer, inner = os.pipe()
    return Stream(target, inner, outer, False, can_be_full=can_be_full(target))


def _pty(target: int) -> Stream:
    """A pseudo-terminal as the real one is set, but that it changes no byte of the output: the real one does
    that.
    """
    import termios

    outer, inner = os.openpty()
    settings = termios.tcgetattr(target)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(inner, termios.TCSANOW, settings)
    copy_size(target, outer)
    return Stream(target, inner, outer, True, own=termios.tcgetattr(inner), name=os.ttyname(inner))


def by_lines(number: int) -> bool:
    """Whether a terminal gives what is typed line by line; a program that reads keys sets it otherwise."""
    import termios

    try:
        return bool(termios.tcgetattr(number)[3] & termios.ICANON)
    except (termios.error, OSError):
        return True


def copy_size(source: int, target: int) -> None:
    """Rows and columns of one terminal for another."""
    import fcntl
    import termios

    with suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)


def follow_settings(stream: Stream) -> None:
    """A program that draws whole screens sets its terminal by its output: echo and keys are those of the real
    one.

    Only what was set there: what it sets by its input (a password without echo) is the real one's own, and
    so is what a shell sets for another program while this one is in the background.
    """
    import termios

    try:
        theirs = termios.tcgetattr(stream.outer)
        if theirs == stream.own or not in_foreground(stream.target):
            return
        stream.own, real = list(theirs), termios.tcgetattr(stream.target)
        wanted = [theirs[0], real[1], real[2], theirs[3], *real[4:6], theirs[6]]
        if (wanted[0], wanted[3]) == (real[0], real[3]):
            return
        if not stream.settings:
            stream.settings = list(real)
        termios.tcsetattr(stream.target, termios.TCSANOW, wanted)
    except (termios.error, OSError):
        return
