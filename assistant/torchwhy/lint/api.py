"""`torchwhy.check`: findings as Python objects."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.runtime import locations

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


def wanted(findings: Iterable[Finding], settings: Settings, strict: bool) -> list[Finding]:
    """The findings that are to be shown."""
    every = strict or settings.strict
    return [each for each in findings if each.id not in settings.ignore and (every or each.sure == "wrong")]
