"""Which tests plain `pytest` runs, and the parts in which `python -m tests.whole` runs all of them.

The whole notes in `tests/witness/`, by id and digest, the tests that passed and that a push can do without: those marked
`script`, which run a program that its files and torch decide, and those that took SLOW_CPU_S, whose digest is of their
sources. Plain `pytest` runs every test that is not there, that was edited, or whose script was; up to MAX_DUE of them and of
those whose other sources were edited; and a twentieth of the rest, another one for each commit. Where paths, `-k` or
`-m` choose the tests, none is left out.
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
OF_FILE = 8  # characters of a digest
SHARES = 20
SLOW_CPU_S = 0.5  # of processor, with what is prepared for the test: waiting and a busy machine add nothing
MAX_DUE = 200  # tests, of some three seconds of processor each: what two cores do in six minutes


def remainder(text: str, of: int) -> int:
    """Which of `of` equal shares a text falls into, from 0."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % of


def share_of_head() -> int:
    """One of the shares, which the commit decides; 0 where there is no history."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(done.stdout[:8] or "0", 16) % SHARES


def unit_of(item: pytest.Item) -> str:
    """What runs or is left out together: the tests of one file share what they prepare, scripts share nothing."""
    return item.nodeid if item.get_closest_marker("script") else item.nodeid.partition("::")[0]


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
    """Of the test's file, then of all its sources; of a script, of its files, of what its entry is judged by, and of the
    installed torch.
    """
    if not item.get_closest_marker("script"):
        own = hashlib.sha256(content(item.path)).hexdigest()
        return own[:OF_FILE] + digest_of_files(sources_of(item.path))[OF_FILE:]
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

    `share`: the share of the witness that runs though it is not due; None where nothing is left out.
    `part`: "K/8" of the whole; `passed`: a file of tests that need not run again, which is added to.
    `left`: how many tests of the witness were left out, and how many of these were due.
    """

    def __init__(self, share: int | None, part: str | None, passed: str | None) -> None:
        self.share, self.part = share, part
        self.passed = Path(passed) if passed else None
        self.left = [0, 0]
        self.fixtures: dict[object, float] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["tier"] = [self.share, self.part, None]
        # every worker has to choose the same tests, whatever passes while it starts
        node.workerinput["done"] = sorted(self.done())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.left = getattr(node, "workeroutput", {}).get("left", self.left)

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
        kept = set(self.chosen([item for item in items if item.nodeid not in done]))
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]
        if inputs is not None:
            config.workeroutput["left"] = self.left  # type: ignore[attr-defined]

    def chosen(self, items: list[pytest.Item]) -> list[pytest.Item]:
        if self.part:
            at = int(self.part.partition("/")[0]) - 1
            return [item for item in items if remainder(unit_of(item), PARTS) == at]
        if self.share is None:
            return items
        known = witnessed()
        runs, edited, touched = list[pytest.Item](), list[pytest.Item](), list[pytest.Item]()
        for item in items:
            was = known.get(item.nodeid)
            if was is None or remainder(unit_of(item), SHARES) == self.share:
                runs.append(item)
            elif was[:OF_FILE] != (now := digest_of(item))[:OF_FILE]:
                edited.append(item)
            elif was != now:
                touched.append(item)
        # other files of them for another commit
        touched.sort(key=lambda item: remainder(f"{unit_of(item)} {self.share}", 1 << 32))
        due = edited + touched
        left = due[max(MAX_DUE, len(edited)) :]
        runs += due[: len(due) - len(left)]
        self.left = [len(items) - len(runs), len(left)]
        return runs

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
        if self.share is not None:
            left, due = self.left
            terminalreporter.write_line(
                f"Left out: {left} tests of the witness, of which {due} are due by what they import "
                f"(ran: share {self.share}; --share {self.share} repeats it).\n"
                f"All of them: python -m tests.whole K/{PARTS} for K from 1 to {PARTS}."
            )


def add_options(parser: pytest.Parser) -> None:
    """The options of the tiers."""
    group = parser.getgroup("tiers")
    group.addoption(
        "--share", type=int, choices=range(SHARES), help="the share of the witness that runs in any case"
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
        share = option.share
        if share is None and not option.part and not chosen:
            share = share_of_head()
        tier = Tier(share, option.part, option.passed)
    config.pluginmanager.register(tier, "tiers")
