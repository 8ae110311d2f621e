"""The built site, once for all processes of a test run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from filelock import FileLock

from docs.build import build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / "site", shared / "site-done"
    with FileLock(shared / "site.lock"):
        if not done.exists():
            build(folder)
            done.touch()
    return folder
