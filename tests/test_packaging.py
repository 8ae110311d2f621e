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


def started(words: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A command run from another folder than the checkout."""
    return subprocess.run(words, cwd="/", env=env, capture_output=True, text=True, check=False)


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
        for name in ("pitfall.yaml", "asks.en.txt", "asks.zh.txt"):
            assert f"torchwhy/_shipped/kb/{path}/{name}" in names
    for name in (
        "torchwhy/_shipped/data/documents.yaml",
        "torchwhy/_shipped/data/passages.npz",
        "torchwhy/_shipped/data/statistics.npz",
        "torchwhy/_shipped/knowledge/knowledge.sqlite",
        "torchwhy/embedding/shipped/encoder.onnx",
        "torchwhy/embedding/shipped/tokenizer.json",
        "torchwhy/embedding/shipped/weights.bin",
        "torchwhy/retrieval/ranking.json",
        "torchwhy/answers/answer.schema.json",
        "torchwhy/py.typed",
        "torchwhy/tui/web/index.html",
    ):
        assert name in names
    unwanted = ("data/eval", "__pycache__", "printed.yaml")
    assert not [name for name in names if name.startswith("tests") or any(part in name for part in unwanted)]
    assert "torchwhy/_shipped/kb/pitfall.schema.json" in names
    assert [name for name in names if name.endswith("licenses/NOTICE")]


def test_the_wheel_answers_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    """Unpacked beside this environment's packages: what the wheel lacks would be missing here."""
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    for path in (site / "torchwhy/_shipped/knowledge").iterdir():
        path.chmod(0o644)
    env = {**os.environ, "PYTHONPATH": str(site), "TORCHWHY_CACHE": str(tmp_path / "cache")}
    code = "import torchwhy, sys; print(torchwhy.__file__); from torchwhy.cli import main; sys.exit(main(sys.argv[1:]))"
    done = started([sys.executable, "-c", code, "--no-vectors", TWICE], env)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site)) and "show backward-twice" in done.stdout
    assert not list((tmp_path / "cache").glob("knowledge-*")), "what the wheel carries is used as it is"
    carried = (site / "torchwhy/_shipped/knowledge").iterdir()
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in carried), "and stays open to all who share it"
    assert str(ROOT) not in done.stdout
    done = started([sys.executable, "-c", code, "confirm", "backward-twice"], env)
    assert done.returncode == 0 and "reproduces-here" in done.stdout
    repro = site / "torchwhy" / "_shipped" / "kb" / "autograd" / "backward-twice" / "repro.py"
    repro.write_text(repro.read_text("utf-8") + "# edited\n", "utf-8")
    for more, status in (([], 2), (["--edited"], 0)):
        done = started([sys.executable, "-c", code, "confirm", "backward-twice", *more], env)
        assert done.returncode == status, done.stderr
        assert ("is not the script that was shipped" in done.stderr) == (status == 2)


def test_the_knowledge_of_the_wheel_names_no_place_of_the_builder(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extract("torchwhy/_shipped/knowledge/knowledge.sqlite", tmp_path)
    data = (tmp_path / "torchwhy/_shipped/knowledge/knowledge.sqlite").read_bytes()
    assert str(ROOT).encode() not in data


def test_a_stale_wheel_is_refused_at_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook itself, on a checkout whose vectors are of other passages."""
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build
    finally:
        sys.path.remove(str(ROOT))
    from torchwhy.retrieval import compile as compiling
    from torchwhy.retrieval import shipped_vectors

    monkeypatch.setattr(compiling.locations, "compiled_knowledge", lambda: tmp_path / "knowledge")
    monkeypatch.setattr(shipped_vectors, "path", lambda: tmp_path / "nowhere")
    monkeypatch.setenv("TORCHWHY_RELEASE", "1")
    hook = hatch_build.CompileKnowledge(str(ROOT), {}, None, None, str(tmp_path), "wheel")  # type: ignore[arg-type]
    with pytest.raises(SystemExit, match="make_vectors"):
        hook.initialize("editable", {})
    monkeypatch.delenv("TORCHWHY_RELEASE")
    hook.initialize("editable", {})
    assert (tmp_path / "knowledge" / "meta.json").exists()


def test_the_editable_install_answers_from_the_root_folder(tmp_path: Path) -> None:
    """An environment of its own with an editable install; the packages come from this one's."""
    folder = tmp_path / "env"
    venv.create(folder, with_pip=True, system_site_packages=False)
    python = folder / "bin" / "python"
    here = next(path for path in sys.path if path.endswith("site-packages"))
    site = next((folder / "lib").glob("python*/site-packages"))
    (site / "borrowed.pth").write_text(here + "\n")
    words = ["-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "-e"]
    done = subprocess.run([str(python), *words, str(ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = started([str(folder / "bin" / "torchwhy"), TWICE], env)
    assert done.returncode == 0 and "show backward-twice" in done.stdout, done.stderr


def test_the_conda_recipe_says_what_pyproject_says() -> None:
    """One recipe that nobody edits apart: release, Python, what is needed to build and to run, the command."""
    import yaml
    from packaging.requirements import Requirement

    from torchwhy.version import __version__

    def needs(lines: list[str]) -> set[tuple[str, str]]:
        found = [Requirement(line) for line in lines]
        return {(one.name, ",".join(sorted(map(str, one.specifier)))) for one in found}

    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 and later read TOML")
    given = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    recipe = yaml.safe_load((ROOT / "conda/recipe.yaml").read_text("utf-8"))
    oldest = yaml.safe_load((ROOT / "conda/variants.yaml").read_text("utf-8"))["python_min"]
    project = given["project"]
    assert recipe["context"]["version"] == __version__
    assert [f">={release}" for release in oldest] == [project["requires-python"]]
    host, run = recipe["requirements"]["host"], recipe["requirements"]["run"]
    assert host[:2] == ["python ${{ python_min }}.*", "pip"]
    assert run[0] == "python >=${{ python_min }}"
    assert needs(host[2:]) == needs(given["build-system"]["requires"])
    assert needs(run[1:]) == needs(project["dependencies"])
    commands = [f"{name} = {place}" for name, place in project["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == commands
    assert recipe["about"]["license_file"] == project["license-files"]
    assert recipe["about"]["summary"] == project["description"]
