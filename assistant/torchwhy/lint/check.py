"""Files in, findings out."""

from __future__ import annotations

import ast
import contextlib
import difflib
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from torchwhy.source.module import Module, TooMuchError
from torchwhy.source.nodes import characters, end, position
from torchwhy.source.project import Project, parse, parse_cut
from torchwhy.text.plain import escaped

from .finding import Finding, ignored
from .rule import Rule, Sighting
from .sources import CheckedFile, SourceError

MAX_UNKNOWN_NAMES = 10  # of one file, that are told with the rule that comes near
RECURSION = 4000  # deep enough for expressions of a thousand operators, which machines write
# of the processor: what one rule may take in one file, what all may, and what each of the rest still has
# then; all of them together take a tenth of a second in a file of a thousand lines
RULE_S, FILE_S, LAST_S = 5.0, 20.0, 0.5
UNCOLLECTED_CHARS = 2 << 20  # of parsed files, behind which the collector runs
AGAIN_S = 0.5  # a rule can catch what ends it


def check_sources(
    sources: Iterable[CheckedFile],
    rules: Sequence[Rule],
    *,
    say: Callable[[str], None] = lambda line: None,
    beside: Iterable[str] = (),
) -> Iterator[Finding]:
    """The findings of every source, by line. `say` hears one line of each file that cannot be read or parsed,
    and of a rule that fails: the others go on. `beside`: files that these may import.
    """
    listed = list(sources)
    project = Project(list(dict.fromkeys([*(source.path for source in listed), *beside])), _imported)
    failed: set[str] = set()
    before, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(before, RECURSION))
    gc.disable()  # it looks at every tree again and again, which took a quarter of the time
    try:
        for source in listed:
            yield from _check_source(source, project, rules, failed, say)
            if project.chars_since > UNCOLLECTED_CHARS:
                project.chars_since = 0
                gc.collect()
    finally:
        sys.setrecursionlimit(before)
        if collects:
            gc.enable()


def _imported(path: str) -> str:
    """The text of a file that another one imports. Raises OSError."""
    try:
        return CheckedFile(path).read()
    except SourceError as error:  # it is said once, where the file's own turn comes
        raise OSError(str(error)) from error


def _check_source(
    source: CheckedFile, project: Project, rules: Sequence[Rule], failed: set[str], say: Callable[[str], None]
) -> Iterator[Finding]:
    try:
        text = source.read()
        if "torch" not in text and not source.always:
            return
        module, cut = parse_cut(source.path, text) if source.is_piece else (parse(source.path, text), None)
        module = project.adopt(module)
    except (SourceError, OSError) as error:
        say(str(error))
        return
    except SyntaxError as error:
        say(f"{escaped(source.path)}:{error.lineno or 1}: not checked, Python cannot parse it ({error.msg})")
        return
    except (ValueError, RecursionError, MemoryError) as error:
        say(f"{escaped(source.path)}: not checked, Python cannot parse it ({type(error).__name__}: {error})")
        return
    if cut is not None:
        say(f"{escaped(source.path)}:{cut.lineno or 1}: read around what Python cannot parse ({cut.msg})")
    found = findings_of(module, rules, failed, say)
    try:
        placed = source.placing() if found else None
    except (SourceError, RecursionError) as error:  # the file was changed in between
        say(str(error))
        return
    quiet = ignored(text)
    unknown = sorted(frozenset().union(*quiet.values()) - {rule.id for rule in rules})
    for name in unknown[:MAX_UNKNOWN_NAMES]:
        near = difflib.get_close_matches(name, [rule.id for rule in rules], 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        say(f"{escaped(source.path)}: ignore[{escaped(name)}] names no rule{hint}")
    if len(unknown) > MAX_UNKNOWN_NAMES:
        left = len(unknown) - MAX_UNKNOWN_NAMES
        say(f"{escaped(source.path)}: {left:,} more names in ignore[...] name no rule")
    for finding in found:
        ids = quiet.get(finding.line)
        if ids is not None and (not ids or finding.id in ids):
            continue
        if source.counts(finding):
            yield placed(finding) if placed else finding


def findings_of(
    module: Module,
    rules: Sequence[Rule],
    failed: set[str] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> list[Finding]:
    """What the rules report of one module, sorted by place; one finding of a rule for each line."""
    failed = set() if failed is None else failed
    found: dict[tuple[str, int], Finding] = {}
    left = FILE_S
    for rule in rules:
        module.begin()
        started = time.process_time()
        try:
            with at_most(min(RULE_S, max(left, LAST_S))):
                for seen in rule.find(module):
                    finding = _finding(module, rule, seen)
                    known = found.get((rule.id, finding.line))
                    if known is None or (known.sure == "look" and finding.sure == "wrong"):
                        found[rule.id, finding.line] = finding
        except Exception as error:  # a rule that fails must not hide what the others see
            if rule.id not in failed:  # of a rule that fails everywhere one line is enough
                failed.add(rule.id)
                say(
                    f"the rule {rule.id} failed on {escaped(module.path)} and is left out there: "
                    f"{type(error).__name__}: {error}"
                )
        left -= time.process_time() - started
    return sorted(found.values(), key=lambda each: (each.line, each.column, each.id))


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """So much of the processor's time: then TooMuchError is raised in whatever runs. No bound where the
    system has no such clock (Windows), on another thread than the main one, and where the program that this
    is part of uses the signal itself.
    """
    clock = getattr(signal, "SIGVTALRM", None)
    on_main = threading.current_thread() is threading.main_thread()
    if clock is None or not on_main or signal.getsignal(clock) is not signal.SIG_DFL:
        yield
        return
    over = False

    def end(*_: object) -> None:
        if not over:
            raise TooMuchError("it would take too long")

    signal.signal(clock, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN_S)
    try:
        try:
            yield
        finally:
            over = True
    finally:  # also where the time ends just before that line
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(clock, signal.SIG_DFL)


def _finding(module: Module, rule: Rule, seen: Sighting) -> Finding:
    node: ast.AST = seen.node if hasattr(seen.node, "lineno") else module.statement(seen.node)
    (line, column), (end_line, end_column) = position(node), end(node)
    text = module.lines[line - 1] if line <= len(module.lines) else ""
    return Finding(
        rule.id,
        module.path,
        line,
        characters(text, column) + 1,
        end_line,
        characters(module.lines[end_line - 1], end_column) + 1 if end_line <= len(module.lines) else 1,
        seen.sure,
        _filled(rule.says, seen),
        _filled(rule.fix, seen),
        text,
        None,
        seen.edit,
        seen.raises,
    )


def _filled(texts: Mapping[str, str], seen: Sighting) -> dict[str, str]:
    """The sentences of both languages; a value that is a pair is English and Chinese."""
    filled = {}
    for at, lang in enumerate(("en", "zh")):
        values = {name: each if isinstance(each, str) else each[at] for name, each in seen.values.items()}
        filled[lang] = texts[lang].format(**values)
    return filled
