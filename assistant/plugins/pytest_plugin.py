"""pytest: with `--why` each failing test gets a section with the place, the operands and the answer.

The section is part of the test's report, so that pytest-xdist carries it and `--junitxml` has it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

TITLE = "why"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("torchwhy").addoption(
        "--why", action="store_true", help="say why each failing test failed (torchwhy)"
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    if call.excinfo is None or not report.failed or not item.config.getoption("--why"):
        return
    error = call.excinfo.value
    if isinstance(error, (KeyboardInterrupt, pytest.fail.Exception)):
        return
    try:
        from .exception import explain

        report.sections.append((TITLE, explain(error).markdown))
    except (Exception, SystemExit) as problem:  # a test's own result must not depend on this
        report.sections.append((TITLE, f"torchwhy: {type(problem).__name__}: {problem}"))
