"""Which tests plain `pytest` runs, and the parts in which `python -m tests.whole` runs all of them.

The whole notes in `tests/witness/`, by id and digest, the tests that passed and that a push can do without: those marked
`script`, which run a program that its files and torch decide, and those that took SLOW_CPU_S, whose digest is of their
sources. Plain `pytest` runs every test that is not there at its digest, and a tenth of those that are, another one for each
commit: of whole files, since their tests share what they prepare, but of scripts one by one. Where paths, `-k` or `-m`
choose the tests, none is left out.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
from collections.abc import Generator, Iterator
from functools import cache
from importlib import metadata
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
WITNESSES = ROOT / "tests" / "witness"
PARTS = 8
SLOW_CPU_S = 2.0  # of processor, with what is prepared for the test: waiting and a busy machine add nothing


def remainder(text: str, of: int) -> int:
    """Which of `of` equal shares a text falls into, from 0."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % of


def tenth_of_head() -> int:
    """A digit that the commit decides; 0 where there is no history."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(done.stdout[:8] or "0", 16) % 10


def witnessed() -> dict[str, str]:
    """The digest at which each test of the witness last passed, by id."""
    found: dict[str, str] = {}
    for path in sorted(WITNESSES.glob("part-*.json")):
        found |= json.loads(path.read_text("utf-8"))["scripts"]
    return found


def params_of(item: pytest.Item) -> dict[str, Any]:
    return item.callspec.params if hasattr(item, "callspec") else {}


def judged_by(folder: Path) -> str:
    """What an entry says that its programs are judged by: prose, which is edited every day, is none of it."""
    from tests.support.shipped import (
        knowledge,  # not with conftest: pytest rewrites the assertions of what it imports first
    )

    entry = knowledge().pitfalls.get(folder.name)
    if entry is None:
        return (folder / "pitfall.yaml").read_text("utf-8", "replace")
    wordings = [(each.pattern, each.context, each.example) for each in entry.signatures]
    return repr((entry.kind, entry.needs, entry.symptom, wordings))


def files_of(item: pytest.Item) -> Iterator[Path]:
    """The files of a script: the paths among its parameters (of an entry's folder its `repro.py`), and the patterns of its
    mark, filled with these.
    """
    params = params_of(item)
    for value in params.values():
        if isinstance(value, Path):
            yield value / "repro.py" if value.is_dir() else value
    for mark in item.iter_markers("script"):
        for pattern in mark.args:
            yield from matching(pattern.format(**params))


def processor_s() -> float:
    """Seconds of processor of this process and of those that ended below it."""
    return sum(os.times()[:4])


@cache
def torch_release() -> str:
    return metadata.version("torch")


@cache
def matching(pattern: str) -> tuple[Path, ...]:
    return tuple(ROOT.glob(pattern))


@cache
def content(path: Path) -> bytes:
    return path.read_bytes()


def file_of(module: str) -> Path | None:
    """The file of a module of this checkout."""
    stem = ROOT / ("assistant" if module.startswith("torchwhy") else "") / module.replace(".", "/")
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)


def imported_by(path: Path) -> Iterator[Path]:
    """The files of this checkout that a test or helper imports by name, at its top or in a function."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(content(path))):
        if isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
            yield from filter(None, map(file_of, names))


@cache
def sources_of(path: Path) -> frozenset[Path]:
    """A test's file, the helpers it imports and theirs, the modules that these name, and the package of the test's folder."""
    package = f"assistant/torchwhy/**/{path.parent.name}/**/*.*"
    found, left = {each for each in matching(package) if each.suffix != ".pyc"}, [path]
    while left:
        found.add(left[-1])
        new = {*imported_by(left.pop())} - found - {ROOT / "tests" / "conftest.py"}
        found |= new
        left += [each for each in new if each.is_relative_to(ROOT / "tests")]
    return frozenset(found)


def digest_of(item: pytest.Item) -> str:
    """Of the test's sources; of a script, of its files, of what its entry is judged by, and of the installed torch."""
    if not item.get_closest_marker("script"):
        return digest_of_files(sources_of(item.path))
    texts = [torch_release()]
    texts += [
        judged_by(value) for value in params_of(item).values() if isinstance(value, Path) and value.is_dir()
    ]
    # no program prints an entry's questions
    return digest_of_files(
        frozenset(path for path in files_of(item) if path.suffix not in (".pyc", ".txt")), *texts
    )


@cache
def digest_of_files(files: frozenset[Path], *texts: str) -> str:
    digest = hashlib.sha256("".join(texts).encode())
    for path in sorted(filter(Path.is_file, files)):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + content(path) + b"\0")
    return digest.hexdigest()[:16]


class Tier:
    """What one run leaves out, and what it saw.

    `tenth`: the share of the witness that runs though it is not due; None where nothing is left out.
    `part`: "K/8" of the whole; `passed`: a file of tests that need not run again, which is added to.
    """

    def __init__(self, tenth: int | None, part: str | None, passed: str | None) -> None:
        self.tenth, self.part = tenth, part
        self.passed = Path(passed) if passed else None
        self.left_out = 0
        self.fixtures: dict[object, float] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["tier"] = [self.tenth, self.part, None]
        # every worker has to choose the same tests, whatever passes while it starts
        node.workerinput["done"] = sorted(self.done())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.left_out = getattr(node, "workeroutput", {}).get("left_out", self.left_out)

    def done(self) -> frozenset[str]:
        if not self.passed or not self.passed.is_file():
            return frozenset()
        rows = map(json.loads, self.passed.read_text("utf-8").splitlines())
        last = {row["id"]: row["outcome"] for row in rows}
        return frozenset(id for id, outcome in last.items() if outcome != "failed")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        inputs = getattr(config, "workerinput", None)
        done = frozenset(inputs["done"]) if inputs else self.done()
        known = witnessed() if self.tenth is not None else {}
        kept = [item for item in items if self.runs(item, known, done)]
        config.hook.pytest_deselected(items=list(set(items) - set(kept)))
        items[:] = kept
        if inputs is not None:
            config.workeroutput["left_out"] = self.left_out  # type: ignore[attr-defined]

    def runs(self, item: pytest.Item, known: dict[str, str], done: frozenset[str]) -> bool:
        if item.nodeid in done:
            return False
        # the tests of one file share what they prepare, scripts share nothing
        share = item.nodeid if item.get_closest_marker("script") else item.nodeid.partition("::")[0]
        if self.part:
            at = int(self.part.partition("/")[0]) - 1
            return remainder(share, PARTS) == at
        if self.tenth is None or item.nodeid not in known or remainder(share, 10) == self.tenth:
            return True
        due = known[item.nodeid] != digest_of(item)
        self.left_out += not due
        return due

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: object) -> Generator[None, object, object]:
        before = processor_s()
        try:
            return (yield)
        finally:
            self.fixtures[fixturedef] = processor_s() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what the test costs where it runs alone, and its digest if a push can do without it."""
        before = processor_s()
        try:
            return (yield)
        finally:
            definitions = getattr(item, "_fixtureinfo", None)
            used = definitions.name2fixturedefs.values() if definitions else ()
            prepared = sum(self.fixtures.get(each[-1], 0) for each in used)
            if item.get_closest_marker("script") or processor_s() - before + prepared >= SLOW_CPU_S:
                item.user_properties.append(("digest", digest_of(item)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.passed and report.when != "call":
            return
        if self.passed:
            row = {"id": report.nodeid, "outcome": report.outcome, "seconds": round(report.duration, 2)}
            with self.passed.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row | dict(report.user_properties)) + "\n")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.tenth is not None:
            terminalreporter.write_line(
                f"Left out: {self.left_out} tests of the witness "
                f"(ran: tenth {self.tenth}; --tenth {self.tenth} repeats it).\n"
                f"All of them: python -m tests.whole K/{PARTS} for K from 1 to {PARTS}."
            )


def add_options(parser: pytest.Parser) -> None:
    """The options of the tiers."""
    group = parser.getgroup("tiers")
    group.addoption(
        "--tenth", type=int, choices=range(10), help="the tenth of the witness that runs in any case"
    )
    group.addoption("--part", help="set by python -m tests.whole")
    group.addoption(
        "--passed", help="a file of tests that passed: they do not run, and those that pass are added"
    )


def register(config: pytest.Config) -> None:
    """The tier of this run: in a worker that of its controller."""
    inputs = getattr(config, "workerinput", None)
    if inputs:
        tier = Tier(*inputs["tier"])  # which takes no notes: the controller hears every report
    else:
        option = config.option
        chosen = bool(option.file_or_dir or option.keyword or option.markexpr)
        tenth = option.tenth
        if tenth is None and not option.part and not chosen:
            tenth = tenth_of_head()
        tier = Tier(tenth, option.part, option.passed)
    config.pluginmanager.register(tier, "tiers")
