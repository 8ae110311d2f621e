"""Settings: one table, which docs/settings.md shows and every module reads through."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from torchwhy.runtime import settings


def test_the_page_shows_the_table() -> None:
    """`python -m torchwhy.runtime.settings` prints it."""
    assert settings.markdown_table() in (ROOT / "docs" / "settings.md").read_text("utf-8")


def test_every_setting_is_in_the_table_once() -> None:
    names = [setting.name for setting in settings.SETTINGS]
    assert len(set(names)) == len(names)
    assert {value for value in vars(settings).values() if isinstance(value, settings.Setting)} == set(
        settings.SETTINGS
    )


def test_no_module_reads_a_setting_past_the_table() -> None:
    """A name in quotes, handed to os.environ or to a mapping that stands for it."""
    read = re.compile(r"""(?:environ|env)(?:\.get\(|\.setdefault\(|\[)\s*["']TORCHWHY_(?!RUN_)""")
    modules = [path for path in (ROOT / "assistant" / "torchwhy").rglob("*.py") if path.name != "settings.py"]
    assert modules
    assert [path.name for path in modules if read.search(path.read_text("utf-8"))] == []


def test_every_setting_that_is_named_anywhere_is_in_the_table() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "assistant" / "torchwhy").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r"\bTORCHWHY_[A-Z_]+\b", text)}
    inner = {"TORCHWHY_LEG"}  # marks the processes of a leg; nobody sets it
    # what `torchwhy run` tells the programs that it starts; nobody else sets them
    run_parts = ("FOLDER", "ANOMALY", "STALL", "WATCH", "TRY", "GPU")
    inner |= {f"TORCHWHY_RUN_{part}" for part in run_parts}
    inner |= {"TORCHWHY_NEW_"}  # what `triage --on-new` tells its command
    assert named - inner == {
        setting.name for setting in settings.SETTINGS if setting.name.startswith("TORCHWHY_")
    }


@pytest.mark.parametrize(("value", "read"), [(None, "auto"), ("", "auto"), ("  ", "auto"), (" zh ", "zh")])
def test_an_empty_setting_is_unset(monkeypatch: pytest.MonkeyPatch, value: str | None, read: str) -> None:
    monkeypatch.delenv("TORCHWHY_LANG", raising=False)
    if value is not None:
        monkeypatch.setenv("TORCHWHY_LANG", value)
    assert settings.LANG.read() == read
    assert settings.LANG.read({"TORCHWHY_LANG": "en"}) == "en"
