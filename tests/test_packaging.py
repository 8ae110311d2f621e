"""What is installed is what is here: wheel, sdist and editable install, run from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from .conftest import ENTRIES, ROOT

TWICE = "RuntimeError: Trying to backward through the graph a second time"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert list(out.glob("*.tar.gz"))
    return next(out.glob("*.whl"))


def test_the_wheel_carries_the_knowledge(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ENTRIES:
        path = folder.relative_to(ROOT / "kb").as_posix()
        assert f"assistant/_shipped/kb/{path}/pitfall.yaml" in names
    for name in (
        "assistant/_shipped/data/documents.yaml",
        "assistant/ranking.json",
        "assistant/answer.schema.json",
        "assistant/py.typed",
        "assistant/tui/web/index.html",
    ):
        assert name in names
    assert not [name for name in names if "data/eval" in name or "__pycache__" in name or name.startswith("tests")]
    assert [name for name in names if name.endswith("licenses/NOTICE")]


def test_the_wheel_answers_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    """Unpacked beside this environment's packages: what the wheel lacks would be missing here."""
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    env = {**os.environ, "PYTHONPATH": str(site), "TORCHWHY_CACHE": str(tmp_path / "cache")}
    code = "import assistant, sys; print(assistant.__file__); from assistant.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, "--no-vectors", TWICE], capture_output=True, text=True, cwd="/", env=env, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site)) and "**backward-twice**" in done.stdout
    done = subprocess.run([sys.executable, "-c", code, "confirm", "backward-twice"], capture_output=True, text=True, cwd="/", env=env, check=False)
    assert done.returncode == 0 and "reproduces-here" in done.stdout


def test_the_editable_install_answers_from_the_root_folder(tmp_path: Path) -> None:
    """An environment of its own with an editable install; the packages come from this one's."""
    folder = tmp_path / "env"
    venv.create(folder, with_pip=True, system_site_packages=False)
    python = folder / "bin" / "python"
    here = next(path for path in sys.path if path.endswith("site-packages"))
    site = next((folder / "lib").glob("python*/site-packages"))
    (site / "borrowed.pth").write_text(here + "\n")
    command = [str(python), "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "-e", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(folder / "bin" / "torchwhy"), TWICE], capture_output=True, text=True, cwd="/", env=env, check=False)
    assert done.returncode == 0 and "**backward-twice**" in done.stdout, done.stderr
