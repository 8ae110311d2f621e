"""A folder that a stranger filled is read, and nothing in it is imported."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

pytestmark = pytest.mark.promise(1)

TWICE = "RuntimeError: Trying to backward through the graph a second time"
# Of each kind one or two: torchwhy's own dependencies, an extra, and what the standard library and torchwhy import late.
BAIT = (
    "re2",
    "platformdirs",
    "filelock",
    "yaml",
    "numpy",
    "faiss",
    "argparse",
    "typing",
    "difflib",
    "sqlite3",
)
PACKAGE_BAIT = ("rich", "onnxruntime")
NEAR = "{here}"


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder with a program to check, and with modules that leave a mark when they are imported."""
    here = tmp_path / "strange"
    for folder in (here, here / "src"):
        for name in PACKAGE_BAIT:
            (folder / name).mkdir(parents=True)
        places = [folder / f"{name}.py" for name in BAIT] + [
            folder / name / "__init__.py" for name in PACKAGE_BAIT
        ]
        for place in places:
            mark = tmp_path / "executed"
            place.write_text(
                f"open({str(mark)!r}, 'a').write(__file__ + chr(10))\nraise SystemExit(99)\n", "utf-8"
            )
    (here / "a.py").write_text("import torch\nx = torch.zeros(3)\nx.cuda()\nprint(x + 1)\n", "utf-8")
    return here


def console() -> str:
    """The program that an installer writes for the entry point."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    found = re.search(r'^torchwhy = "([\w.]+):(\w+)"', text, re.MULTILINE)
    assert found
    return f"import sys\nfrom {found[1]} import {found[2]} as run\nsys.exit(run())\n"


def run(here: Path, start: list[str], words: list[str], path: str | None) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        env["PYTHONPATH"] = path.replace(NEAR, str(here))
    command = [sys.executable, *start, *words]
    return subprocess.run(
        command, cwd=here, env=env, capture_output=True, text=True, input=TWICE, check=False
    )


@pytest.mark.parametrize("words", [["check", "a.py"], ["--no-vectors"]], ids=["check", "paste"])
@pytest.mark.parametrize(
    "path",
    [
        f"{os.pathsep}/nowhere",
        f"{ROOT}{os.pathsep}",
        f"{ROOT}{os.pathsep}{os.pathsep}/nowhere",
        ".",
        "src",
        f"src/../{os.pathsep}./src/",
        NEAR,
        f"{NEAR}/.{os.pathsep}{NEAR}/src/..",
    ],
    ids=["first empty", "last empty", "middle empty", "dot", "src", "dots", "itself", "itself by dots"],
)
def test_what_is_read_is_not_imported(strange: Path, tmp_path: Path, path: str, words: list[str]) -> None:
    program = tmp_path / "bin" / "torchwhy"
    program.parent.mkdir()
    program.write_text(console(), "utf-8")
    done = run(strange, [str(program)], words, path)
    assert not (tmp_path / "executed").exists(), (tmp_path / "executed").read_text()
    assert "tensor-cuda-not-inplace" in done.stdout or "backward-twice" in done.stdout, done.stderr


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_the_current_folder_by_another_name_is_the_current_folder(strange: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(strange)
    (tmp_path / "torchwhy").write_text(console(), "utf-8")
    done = run(strange, [str(tmp_path / "torchwhy")], ["--no-vectors"], str(tmp_path / "link"))
    assert not (tmp_path / "executed").exists()
    assert "backward-twice" in done.stdout


@pytest.mark.parametrize("path", [None, f"{ROOT / 'assistant'}{os.pathsep}"], ids=["no path", "last empty"])
def test_python_m(strange: Path, tmp_path: Path, path: str | None) -> None:
    """Python puts the current folder first; what it loads for `-m` itself is its own."""
    for name in ("argparse", "typing"):  # of those, which some releases of Python import for `-m`
        (strange / f"{name}.py").unlink()
    done = run(strange, ["-m", "torchwhy"], ["--no-vectors"], path)
    assert not (tmp_path / "executed").exists(), (tmp_path / "executed").read_text()
    assert "backward-twice" in done.stdout, done.stderr


@pytest.mark.parametrize("path", [None, ".", "itself"])
def test_a_package_works_from_its_own_folder(tmp_path: Path, path: str | None) -> None:
    """As it is right after `git clone`, where no installed copy could answer in its place."""
    (tmp_path / "torchwhy").symlink_to(ROOT / "assistant" / "torchwhy")
    code = "import torchwhy, sys\nprint(torchwhy.__file__, file=sys.stderr)"
    for folder in (ROOT / "assistant", tmp_path):
        done = run(folder, ["-m", "torchwhy"], ["version"], str(folder) if path == "itself" else path)
        assert done.stdout.startswith("torchwhy "), done.stderr
    assert str(tmp_path) in run(tmp_path, ["-c", code], [], path).stderr


def test_a_command_gets_the_environment_as_it_is(strange: Path, tmp_path: Path) -> None:
    (tmp_path / "torchwhy").write_text(console(), "utf-8")
    shown = "import os; print(repr(os.environ.get('PYTHONPATH', '')))"
    for name in ("argparse", "typing"):
        (strange / f"{name}.py").unlink()
    done = run(
        strange,
        [str(tmp_path / "torchwhy")],
        ["run", "--", sys.executable, "-S", "-c", shown],
        f"{os.pathsep}/own",
    )
    assert done.stdout.strip().strip("'").endswith(f"{os.pathsep}{os.pathsep}/own"), (
        done.stdout,
        done.stderr,
    )


def test_a_users_imports_stay_theirs(strange: Path, tmp_path: Path) -> None:
    """A script, a notebook or a test that imports torchwhy finds what lies beside it."""
    (strange / "beside.py").write_text("", "utf-8")
    for name in (*BAIT, *PACKAGE_BAIT):
        place = strange / name
        place.rename(tmp_path / name) if place.is_dir() else place.with_suffix(".py").unlink()
    code = (
        "import torchwhy, torchwhy.plugins.pytest_plugin\n"
        "from torchwhy import Assistant, check\n"
        "import beside; print('found')"
    )
    done = run(strange, ["-c", code], [], f"{ROOT / 'assistant'}{os.pathsep}.")
    assert done.stdout == "found\n", done.stderr


def test_a_python_that_is_asked_gets_no_module_of_the_current_folder(strange: Path, tmp_path: Path) -> None:
    """Where torch is provided by PYTHONPATH, as on clusters, its folder stays."""
    (tmp_path / "provided").mkdir()
    (tmp_path / "provided" / "torch.py").write_text("__version__ = 'provided'\n", "utf-8")
    (strange / "torch.py").write_text("__version__ = 'strange'\n", "utf-8")
    (tmp_path / "torchwhy").write_text(console(), "utf-8")
    path = os.pathsep.join([NEAR, "src", "", str(tmp_path / "provided"), str(ROOT)])
    words = ["confirm", "backward-twice", "--python", sys.executable]
    done = run(strange, [str(tmp_path / "torchwhy")], words, path)
    assert not (tmp_path / "executed").exists(), (tmp_path / "executed").read_text()
    assert "provided" in done.stdout + done.stderr
    assert "strange" not in done.stdout + done.stderr


def test_a_python_that_a_text_names_is_not_started_by_reading_it(torchwhy: Run, tmp_path: Path) -> None:
    """Who unpacked an archive owns its programs; `confirm` alone runs the Python that failed."""
    env = tmp_path / "env"
    (env / "lib/python3.11/site-packages/torch").mkdir(parents=True)
    (env / "bin").mkdir()
    (env / "bin/python").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (env / "bin/python").chmod(0o755)
    frame = f'  File "{env}/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 1, in forward\n'
    oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
    (tmp_path / "log.txt").write_text(f"Traceback (most recent call last):\n{frame}    x\n{oom}\n")
    for words in (["report"], [], ["--machine"]):
        assert "memory" in torchwhy(*words, "-f", "log.txt", "--no-vectors").stdout
    assert not (tmp_path / "ran").exists()
