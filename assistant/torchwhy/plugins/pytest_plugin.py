"""pytest: with `--why` each failing test gets a section with the place, the operands and the answer.

The section is part of the test's report, so that pytest-xdist carries it and `--junitxml` has it. An assert
that no entry explains gets none: pytest has said all that there is to say.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

TITLE = "why"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("torchwhy")
    group.addoption("--why", action="store_true", help="say why each failing test failed (torchwhy)")
    group.addoption(
        "--why-full", action="store_true", help="the same with the whole page instead of the first screen"
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    full = item.config.getoption("--why-full")
    if call.excinfo is None or not report.failed or not (full or item.config.getoption("--why")):
        return
    error = call.excinfo.value
    if isinstance(error, (KeyboardInterrupt, pytest.fail.Exception)):
        return
    try:
        from torchwhy.answers.terminal import plain_markdown

        from .exception import explain

        said = explain(error)
        if isinstance(error, AssertionError) and not said.answer.found:
            return
        report.sections.append((TITLE, plain_markdown(said.markdown) if full else str(said)))
    except (Exception, SystemExit) as problem:  # a test's own result must not depend on this
        report.sections.append((TITLE, f"torchwhy: {type(problem).__name__}: {problem}"))
