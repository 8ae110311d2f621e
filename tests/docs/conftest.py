"""The site, built once for all tests of one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.build import build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build(folder)
    return folder
