"""Texts on which patterns backtrack, and how the time of a function grows on them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

Shape = Callable[[int], str]


def repeated(piece: str) -> Shape:
    return lambda size: (piece * (size // len(piece) + 1))[:size]


def numbered(line: str) -> Shape:
    """Lines that differ by a number, so that names in them are all different."""
    return lambda size: "".join(line.format(number) for number in range(size // len(line)))[:size]


SHAPES: dict[str, Shape] = {
    "lines of a key": repeated("Ab1" * 21 + "x\n"),
    "one line of a key": repeated("Ab1"),
    **{
        repr(piece): repeated(piece)
        for piece in (
            "a\n", "\n", "a-", "a.", "x ", "1.", "1", "a:", "12:30:45 ", "://", "://a", "://a/b", "a@", "a@b.", "a@b:/", "key=", "key='", "password=",
            "password='", 'password="x', "-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----", "-----END ", "/home/ab/", "/home/", "C:\\Users\\a",
            "curl -u ", "curl a:", "ssh a", "login a", "mysql -p", "eyJaaaaaaaaaa.", "eyJ", "hf_", "sk-", "M", "[a]:11", "密码", "密码:", "中", "cookie:", "?key=",
            "AB_KEY=", "\x1b[", "\x1b]", "\x1b", "\r", "\r\n", "\u200b", "\ud800", "'", '"', "`", "\\", "=", "<password>", "token ", "\\n", "%20key%3D", "&#39;", "\\u0022key=", "%25", "echo a|", "(a) ", "a@b ", "host : a\n",
        )
    },
    "distinct hosts": numbered("node{}:1:1 [0] NCCL x\n"),
    "distinct users": numbered("/home/user{}/x\n"),
    "distinct hosts in one line": numbered("ssh a@node{};"),
    "one run of hex": lambda size: ("0123456789abcdef" * (size // 16 + 1))[:size],
    "an end that never comes": lambda size: "-----BEGIN RSA PRIVATE KEY-----\n" + "A" * 64 + "\n" * size,
    "a far @": lambda size: "://a/b" * (size // 6) + "@",
}  # fmt: skip
MIN_MEASURED_S = 0.003  # below this, a clock's step and the machine's noise are most of it


def growth(
    function: Callable[[str], object], shape: Shape, sizes: tuple[int, int] = (1 << 17, 1 << 18)
) -> float:
    """How many times longer a text of twice the size takes: 2 where the time is linear, 4 where it is quadratic.

    The best of several runs; a machine that is busy at the wrong moment gets more tries.
    """
    small, large = shape(sizes[0]), shape(sizes[1])
    ratios = []
    for tries in (1, 2, 4, 8):
        before, after = best(function, small, tries), best(function, large, tries)
        if after < MIN_MEASURED_S:
            return after / MIN_MEASURED_S
        ratios.append(after / max(before, MIN_MEASURED_S / 2))
        if ratios[-1] <= 2.6:
            break
    return min(ratios)


def best(function: Callable[[str], object], text: str, tries: int) -> float:
    """The least time of several runs, in seconds, without Python's collector: it walks whatever the tests hold."""
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(tries):
            started = time.process_time()
            function(text)
            times.append(time.process_time() - started)
    finally:
        gc.enable()
    return min(times)
