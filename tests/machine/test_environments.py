"""Which environment of this machine has a package, and what installs into one, by its files alone."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from torchwhy import Assistant
from torchwhy.answers.missing_package import missing_package
from torchwhy.answers.screen import degree_of, screen_of
from torchwhy.machine.environments import failed_python, install_command, python_with
from torchwhy.machine.packages import has_package
from torchwhy.paste.parse import parse


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment without any package, and none active."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    venv.create(tmp_path / "bare", with_pip=False)
    return tmp_path / "bare"


def with_package(root: Path, name: str) -> Path:
    venv.create(root, with_pip=False)
    folder = next(root.glob("lib/python*/site-packages")) / name
    folder.mkdir()
    (folder / "__init__.py").write_text("kind = 'real'\n")
    return root


def test_the_environment_beside_the_program_runs_it(assistant: Assistant, bare: Path, tmp_path: Path) -> None:
    project = tmp_path / "a project"
    project.mkdir()
    other = with_package(project / ".venv", "rarepackage")
    program = project / "train.py"
    program.write_text("import rarepackage\nprint(rarepackage.kind)\n")
    failed = subprocess.run([bare / "bin/python", program], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    answer = assistant.ask(failed.stderr, source=True, python=str(bare / "bin/python"), lang="en")
    said = " ".join(screen_of(answer).tell)
    assert shlex.quote(str(bare / "bin/python")) in said
    missing = answer.evidence.missing
    assert missing is not None and missing.elsewhere == str(other / "bin/python")
    assert missing.rerun() in said
    done = subprocess.run(missing.rerun(), shell=True, capture_output=True, text=True, check=True)
    assert done.stdout == "real\n"


def test_torch_is_missing_for_sure_and_the_command_names_the_interpreter(
    assistant: Assistant, bare: Path, tmp_path: Path
) -> None:
    program = tmp_path / "train.py"
    program.write_text("import torch\n")
    python = str(bare / "bin/python")
    failed = subprocess.run([python, program], capture_output=True, text=True, check=False)
    answer = assistant.ask(failed.stderr, source=True, python=python, lang="en")
    screen = screen_of(answer)
    assert degree_of(answer) == "sure" and screen.change is not None
    assert python in screen.change.says and screen.change.ready
    assert screen.change.code.startswith((sys.prefix, f"uv pip install --python {python}"))


def test_nothing_of_the_machine_is_told_of_a_text_from_elsewhere(assistant: Assistant) -> None:
    answer = assistant.ask("ModuleNotFoundError: No module named 'torch'", source=False)
    assert answer.evidence.missing is None and degree_of(answer) == "sure"


def test_a_command_that_the_environment_can_run(bare: Path, tmp_path: Path) -> None:
    python = str(bare / "bin/python")
    assert install_command(python) == f"uv pip install --python {python}"
    with_package(tmp_path / "piped", "pip")
    assert (
        install_command(str(tmp_path / "piped/bin/python")) == f"{tmp_path}/piped/bin/python -m pip install"
    )
    system = tmp_path / "usr"
    (system / "lib/python3.12").mkdir(parents=True)
    (system / "lib/python3.12/EXTERNALLY-MANAGED").touch()
    assert "-m venv .venv && .venv/bin/python" in install_command(str(system / "bin/python3"))


def test_an_environment_without_the_package_is_not_named(bare: Path, tmp_path: Path) -> None:
    assert python_with("rarepackage", "", str(tmp_path)) == ""
    with_package(tmp_path / "venv", "rarepackage")
    assert python_with("rarepackage", "", str(tmp_path)) == str(tmp_path / "venv/bin/python")
    assert python_with("rarepackage", str(tmp_path / "venv/bin/python"), str(tmp_path)) == ""


def test_a_package_that_a_pth_file_adds_is_there(bare: Path, tmp_path: Path) -> None:
    (tmp_path / "more/rarepackage").mkdir(parents=True)
    assert not has_package(bare, "rarepackage")
    site = next(bare.glob("lib/python*/site-packages"))
    (site / "more.pth").write_text(f"import os\n{tmp_path / 'more'}\n")
    assert has_package(bare, "rarepackage")


def test_the_paths_of_a_traceback_tell_its_python(bare: Path) -> None:
    site = next(bare.glob("lib/python*/site-packages"))
    text = f'Traceback (most recent call last):\n  File "{site}/timm/__init__.py", line 1, in <module>\n'
    assert os.path.dirname(failed_python("", text)) == str(bare / "bin")
    assert failed_python("", text + f'  File "{sys.prefix}/lib/python3.11/site-packages/a.py"') == ""


@pytest.mark.parametrize(
    ("code", "message", "name"),
    [
        ("import cv2", "No module named 'cv2'", "cv2"),
        ("from yaml import load", "No module named 'yaml'", "yaml"),
        ("import torch._six", "No module named 'torch._six'", None),
        ("return super().find_class(mod_name, name)", "No module named 'models'", None),
        ("import torch.nn", "No module named 'torch.nn'; 'torch' is not a package", None),
    ],
)
def test_what_python_says_is_missing(code: str, message: str, name: str | None) -> None:
    text = f'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    {code}\nModuleNotFoundError: {message}\n'
    assert missing_package(parse(text)) == name
