"""`torchwhy.check`: findings as Python objects."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.runtime import locations
from torchwhy.text.plain import escaped

from .check import check_sources
from .finding import Finding
from .rule import BrokenRuleError, Rule, load_rule, rule_files
from .settings import Settings, read_settings
from .sources import collect


def check(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = ".",
    *,
    strict: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> list[Finding]:
    """The mistakes that stand in these files and folders, with the shipped rules.

    `strict` adds what is only worth a look. Files that cannot be parsed are left out; `say` hears a line of
    each. [tool.torchwhy] of the
    current folder's pyproject.toml is honoured. Raises UsageError for a path that is missing.
    """
    listed = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    settings = read_settings(Path.cwd())
    sources = collect([os.fspath(path) for path in listed], settings.exclude)
    return wanted(check_sources(sources, load_rules({}), say=say), settings, strict)


def load_rules(trusted: Mapping[Path, str], say: Callable[[str], None] = lambda line: None) -> list[Rule]:
    """The shipped rules, and those of these files, each with the hash of the content that may run. `say`
    hears of one that cannot be loaded.
    """
    rules = []
    shipped = dict.fromkeys(rule_files([locations.shipped("kb")]))
    for path, sha256 in (*shipped.items(), *trusted.items()):
        try:
            rules.append(load_rule(path, sha256))
        except BrokenRuleError as error:
            say(f"a rule is left out: {error}")
    return rules


def own_rule_files(kb: str | None) -> list[Path]:
    """The lint.py of the user's own knowledge bases: code that runs for its author alone. Raises
    KnowledgeError.
    """
    shipped = locations.shipped("kb").resolve()
    return list(rule_files([root for root in knowledge_roots(kb) if root.resolve() != shipped]))


def chosen(rules: Iterable[Rule], select: Iterable[str] = (), ignore: Iterable[str] = ()) -> set[str]:
    """The ids of the rules that these ids and categories select (all by default) and do not leave out. Raises
    UsageError for a name of neither.
    """
    names = {rule.id: {rule.id, rule.category} for rule in rules}
    for name in {*select, *ignore} - set[str]().union(*names.values()):
        raise UsageError(f"{escaped(name)}: neither a rule nor a category (torchwhy list shows both)")
    picked, left_out = set(select), set(ignore)
    return {id for id, its in names.items() if (not picked or its & picked) and not its & left_out}


def wanted(
    findings: Iterable[Finding], settings: Settings, strict: bool, ids: Container[str] | None = None
) -> list[Finding]:
    """The findings that are to be shown; of these rules alone, where some are given."""
    every = strict or settings.strict
    kept = (each for each in findings if each.id not in settings.ignore and (ids is None or each.id in ids))
    return [each for each in kept if every or each.sure == "wrong"]
