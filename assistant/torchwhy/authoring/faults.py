"""How a mistake is put into a healthy program: the words of an entry's `faults.py`.

    def faults(host):
        yield from host.with_argument("Linear", 0, "{} + 1")
        yield from host.without_call("flatten")

A *host* is a healthy program that prints figures; each word gives *mutants*, its text with one place changed.
A mutant that does not fail, or fails with another entry's message, counts for nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

FAULTS_FILE = "faults.py"
OLD = "{}"  # in what is written: what stood there


class HealthyProgram:
    """A healthy program; `name` is its file's, without the ending."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._lines = [0]
        for line in text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line.encode()))
        self._bytes = text.encode()
        self._tree = ast.parse(text)

    def with_argument(self, call: str, argument: int | str, to: str) -> Iterator[str]:
        """The argument at a place or of a name, of each call of this name, written anew; `{}`: as it was."""
        for node in self._calls(call):
            found = _argument(node, argument)
            if found is not None:
                yield self._replaced(found, to)

    def with_keyword(self, call: str, keyword: str) -> Iterator[str]:
        """A keyword argument (`bias=False`) added to each call that has none of its name."""
        name = keyword.partition("=")[0]
        for node in self._calls(call):
            if _argument(node, name) is None:
                end = self._end(node) - 1
                comma = ", " if node.args or node.keywords else ""
                yield self._spliced(end, end, comma + keyword)

    def without_argument(self, call: str, argument: int | str) -> Iterator[str]:
        """Each call of this name without that argument, where it has another."""
        for node in self._calls(call):
            parts = [*node.args, *node.keywords]
            found = _argument(node, argument)
            at = next(
                (i for i, part in enumerate(parts) if found in (part, getattr(part, "value", None))), None
            )
            if found is None or at is None or len(parts) == 1:
                continue
            first = at == 0
            start = self._start(parts[0]) if first else self._end(parts[at - 1])
            yield self._spliced(start, self._start(parts[1]) if first else self._end(parts[at]), "")

    def with_call(self, call: str, to: str) -> Iterator[str]:
        """Each call of this name written anew; `{}`: the call as it was (`{}.detach()`)."""
        for node in self._calls(call):
            yield self._replaced(node, to)

    def without_call(self, call: str) -> Iterator[str]:
        """What a method is called on, or a function's first argument, in the place of each such call."""
        for node in self._calls(call):
            if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
                yield self._replaced(node, self._text(node.func.value))
            elif node.args:
                yield self._replaced(node, self._text(node.args[0]))

    def renamed(self, call: str, to: str) -> Iterator[str]:
        """Each call of this name as one of another function or method."""
        for node in self._calls(call):
            end = self._end(node.func)
            yield self._spliced(end - len(call.encode()), end, to)

    def with_value(self, name: str, to: str) -> Iterator[str]:
        """What is assigned to a name, written anew; `{}`: as it was."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == name for target in node.targets
            ):
                yield self._replaced(node.value, to)

    def without_statement(self, call: str) -> Iterator[str]:
        """The program without each statement that is nothing but a call of this name."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Expr) and node.value in [*self._calls(call)]:
                yield self._replaced(node, "pass")

    def with_text(self, old: str, to: str) -> Iterator[str]:
        """Each place of a text written anew, for what the other words cannot say."""
        at = self.text.find(old)
        while at >= 0:
            yield self.text[:at] + to.replace(OLD, old) + self.text[at + len(old) :]
            at = self.text.find(old, at + 1)

    def _calls(self, name: str) -> Iterator[ast.Call]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and _name(node.func) == name:
                yield node

    def _start(self, node: Any) -> int:
        return int(self._lines[node.lineno - 1] + node.col_offset)

    def _end(self, node: Any) -> int:
        return int(self._lines[node.end_lineno - 1] + node.end_col_offset)

    def _text(self, node: ast.expr) -> str:
        return self._bytes[self._start(node) : self._end(node)].decode()

    def _replaced(self, node: ast.expr | ast.stmt, to: str) -> str:
        start, end = self._start(node), self._end(node)
        return self._spliced(start, end, to.replace(OLD, self._bytes[start:end].decode()))

    def _spliced(self, start: int, end: int, text: str) -> str:
        return (self._bytes[:start] + text.encode() + self._bytes[end:]).decode()


def _name(function: ast.expr) -> str:
    """The last name of what is called: `Linear` of `torch.nn.Linear`."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_module(node: ast.expr) -> bool:
    """Whether a function of torch is called by its module (`torch.cat`, `nn.functional.relu`)."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("torch", "nn", "F", "np")


def _argument(node: ast.Call, argument: int | str) -> ast.expr | None:
    if isinstance(argument, int):
        return node.args[argument] if argument < len(node.args) else None
    return next((keyword.value for keyword in node.keywords if keyword.arg == argument), None)


def read_hosts(folder: Path) -> list[HealthyProgram]:
    """The healthy programs of a folder, by name."""
    return [HealthyProgram(path.stem, path.read_text("utf-8")) for path in sorted(folder.glob("*.py"))]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def mutants_of(entry: Path, hosts: Iterable[HealthyProgram]) -> Iterator[tuple[str, str]]:
    """(name, text) of each mutant that the `faults.py` of an entry's folder makes, if it parses.

    Each text once; the name is the host's with a number. Runs the file, so it must have come with torchwhy.
    """
    faults: Callable[[HealthyProgram], Iterable[str]] = run_path(str(entry / FAULTS_FILE))["faults"]
    for host in hosts:
        texts = dict.fromkeys(text for text in faults(host) if text != host.text and _parses(text))
        for number, text in enumerate(texts, 1):
            yield f"{host.name}/{number}", text
