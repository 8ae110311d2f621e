"""A rule proved on its entry's script: the broken leg is reported at its line, the fixed leg is not."""

from __future__ import annotations

from pathlib import Path

from .check import findings_of
from .legs import LEGS, leg_module
from .rule import BrokenRuleError, Rule, load_rule


def problems_of(path: Path, sha256: str | None = None) -> list[tuple[str, str]]:
    """(found, wanted) for each thing that is not right with one lint.py; it is loaded, which runs it.

    `sha256`: of the content that may run; None for a shipped one.
    """
    try:
        rule = load_rule(path, sha256)
    except BrokenRuleError as error:
        return [(str(error), "find(module), SAYS, FIX and IN_REPRO (kb/README.md: What shows in the source)")]
    script = path.with_name("repro.py")
    if rule.in_repro is None:
        if script.is_file() and _shown(rule, script):
            return [("IN_REPRO is None, yet the broken leg alone is reported", "the beginning of that line")]
        return []
    if not script.is_file():
        return [("IN_REPRO without a repro.py", "IN_REPRO = None")]
    said: list[str] = []
    reported = {leg: lines_reported(rule, script, leg, said) for leg in LEGS}
    problems = [(said[0], "a rule that fails on neither leg")] if said else []
    if not any(line.startswith(rule.in_repro) for line in reported["broken"]):
        found = "; ".join(reported["broken"]) or "nothing"
        problems.append((f"in the broken leg {found} is reported", f"the line that begins {rule.in_repro!r}"))
    if reported["fixed"]:
        problems.append((f"in the fixed leg this is reported: {reported['fixed'][0]}", "nothing"))
    return problems


def _shown(rule: Rule, script: Path) -> bool:
    return bool(lines_reported(rule, script, "broken")) and not lines_reported(rule, script, "fixed")


def lines_reported(rule: Rule, script: Path, leg: str, said: list[str] | None = None) -> list[str]:
    """The lines of the script, without their indentation, that the rule reports in one leg."""
    try:
        module = leg_module(str(script), script.read_text("utf-8"), leg)
    except (ValueError, OSError) as error:  # also a SyntaxError
        if said is not None:
            said.append(f"{script}: {error}")
        return []
    say = said.append if said is not None else (lambda line: None)
    return [finding.text.strip() for finding in findings_of(module, [rule], say=say)]
