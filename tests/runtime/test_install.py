"""The line that installs an extra: from a checkout, by the pip of the environment that torchwhy runs in."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from torchwhy.runtime import install

# what a package index would be asked for: it has no torchwhy, and a stranger could register the name
BY_NAME = re.compile(r"""(?:pip|pipx|uv tool) install(?: +-\S+)* +['"]?torchwhy\b(?!/)""")


def test_the_line_names_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(install.install_line("mcp"), comments=True)
    assert words == [sys.executable, "-m", "pip", "install", ".[mcp]"]
    again = shlex.split(install.install_line(again=True), comments=True)
    assert again[3:] == ["install", "--force-reinstall", "--no-deps", "."]
    monkeypatch.setattr(install, "_has_pip", lambda: False)  # as in an environment of uv
    assert install.install_line("web").startswith(f"uv pip install --python {sys.executable} '.[web]'")


def test_nothing_says_to_install_it_by_name() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    found = []
    for name in filter(None, listed.decode().split("\0")):
        if name.endswith((".py", ".md", ".html", ".yaml", ".js")) and not name.startswith(
            ("data/", "tests/")
        ):
            text = (ROOT / name).read_text("utf-8")
            found += [f"{name}: {each[0]}" for each in BY_NAME.finditer(text)]
            found += [f"{name}: torchwhy[" for _ in re.finditer(r"torchwhy\[\w", text)]
    assert found == []
