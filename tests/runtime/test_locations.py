"""Where torchwhy keeps what is its own: never in the current folder, which may be a stranger's repository."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from torchwhy.runtime import locations

pwd = pytest.importorskip("pwd")


@pytest.fixture(autouse=True)
def without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TORCHWHY_CACHE", "TORCHWHY_DATA"):
        monkeypatch.delenv(name, raising=False)


def relative(*words: object, **named: object) -> str:
    """As releases of platformdirs say that take XDG_DATA_HOME=data as it stands."""
    return "data/torchwhy"


def homeless(*words: object, **named: object) -> str:
    """As newer ones do for a user without a home."""
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("find", [relative, homeless])
@pytest.mark.parametrize("known", [True, False])
def test_the_current_folder_is_no_place_for_a_yes(
    monkeypatch: pytest.MonkeyPatch, find: object, known: bool
) -> None:
    for name in ("user_cache_dir", "user_data_dir"):
        monkeypatch.setattr(platformdirs, name, find)
    home = Path(pwd.getpwuid(os.geteuid()).pw_dir)
    if not known:  # a number that a container was started with
        monkeypatch.setattr(pwd, "getpwuid", lambda number: {}[number])
        home = Path("/")
    assert locations.data_folder() == home / ".local/share/torchwhy"
    assert locations.cache_folder() == home / ".cache/torchwhy"


@pytest.mark.parametrize("variables", [{"XDG_DATA_HOME": "data"}, {"HOME": "."}, {"HOME": ""}])
def test_no_variable_leads_to_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert locations.data_folder().is_absolute()
