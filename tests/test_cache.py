"""What is built: races, kills, read-only folders, other versions, missing parts. Real processes, real files."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import string
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assistant import cache as caching
from assistant import locations
from assistant.store import Store

from .conftest import KB, ROOT, write_entry

TWICE = "RuntimeError: Trying to backward through the graph a second time"
UNSETTLED = "my curve looks strange and the numbers do not move"


def program(*words: str, env: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "assistant", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
    )  # fmt: skip


def test_two_processes_building_at_once(cache: Path) -> None:
    runs = [program(TWICE, env={"TORCHWHY_CACHE": str(cache)}) for _ in range(4)]
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err.decode()
        assert b"backward-twice" in out
    assert len(list(cache.glob("knowledge-*"))) == 1
    assert not list(cache.glob("tmp-*"))


def test_a_killed_build_leaves_nothing_that_is_used(cache: Path) -> None:
    """kill -9 in the middle of a build of vectors, then the same question again."""
    run = program("index", env={"TORCHWHY_CACHE": str(cache), "TORCHWHY_KB": ""})
    deadline = time.monotonic() + 120
    while not list(cache.glob("tmp-*")) and time.monotonic() < deadline and run.poll() is None:
        time.sleep(0.005)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert not list(cache.glob("index-*"))
    again = program("--no-vectors", TWICE, env={"TORCHWHY_CACHE": str(cache)})
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0 and b"backward-twice" in out, err
    caching._clear_stale(cache)
    assert not list(cache.glob("tmp-*"))


def test_ctrl_c_in_a_build_is_quiet_and_leaves_nothing(cache: Path) -> None:
    run = program("index", env={"TORCHWHY_CACHE": str(cache)})
    deadline = time.monotonic() + 120
    while not list(cache.glob("knowledge-*")) and time.monotonic() < deadline and run.poll() is None:
        time.sleep(0.005)
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=120)
    assert run.returncode == 130, err
    assert b"Traceback" not in err and b"interrupted" in err
    assert not list(cache.glob("index-*")) and not list(cache.glob("tmp-*"))


def test_a_swallowed_ctrl_c_is_raised_again() -> None:
    """As in an import that catches everything: at the next check, or at the end."""
    from assistant.interrupts import Interrupts

    def swallowed() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except BaseException:
            pass

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), Interrupts() as interrupts:
        swallowed()
        interrupts.check()
        raise AssertionError("went on")
    for failure in (None, ImportError("half imported")):
        with pytest.raises(KeyboardInterrupt), Interrupts():
            swallowed()
            if failure:
                raise failure
    with Interrupts() as interrupts:
        interrupts.check()
    assert signal.getsignal(signal.SIGINT) is before


def test_no_write_access_to_the_cache(tmp_path: Path) -> None:
    """A file where the folder should be is refused whoever runs the test (root writes into read-only folders)."""
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    run = program("--no-vectors", TWICE, env={"TORCHWHY_CACHE": str(blocked / "cache")})
    out, err = run.communicate(timeout=120)
    assert run.returncode == 0 and b"backward-twice" in out
    assert b"compiled for this run only" in err and err.count(b"\n") == 1


def test_an_index_of_another_version_is_built_anew(cache: Path) -> None:
    first = Store.open(locations.knowledge_roots())
    meta = first.folder / "meta.json"
    meta.write_text(json.dumps({**json.loads(meta.read_text()), "format": -1}))
    assert Store.open(locations.knowledge_roots()).fingerprint == first.fingerprint
    assert json.loads(meta.read_text())["format"] > 0


def test_a_damaged_meta_is_built_anew(cache: Path) -> None:
    first = Store.open(locations.knowledge_roots())
    (first.folder / "meta.json").write_text("{")
    assert Store.open(locations.knowledge_roots()).ids()


def test_an_edited_entry_is_noticed_and_repro_is_not(cache: Path, tmp_path: Path) -> None:
    folder = write_entry(tmp_path / "team")
    roots = [tmp_path / "team"]
    first = Store.open(roots)
    (folder / "repro.py").write_text((folder / "repro.py").read_text() + "\n# a comment\n")
    assert Store.open(roots).fingerprint == first.fingerprint
    text = (folder / "pitfall.yaml").read_text("utf-8").replace("Two tensors are joined", "Several tensors are joined")
    (folder / "pitfall.yaml").write_text(text, "utf-8")
    second = Store.open(roots)
    assert second.fingerprint != first.fingerprint
    assert second.pitfall("made-up").title.en.startswith("Several")


def test_an_added_entry_is_noticed(cache: Path, tmp_path: Path) -> None:
    write_entry(tmp_path / "team", "one")
    assert Store.open([tmp_path / "team"]).ids() == ["one"]
    write_entry(tmp_path / "team", "two")
    assert Store.open([tmp_path / "team"]).ids() == ["one", "two"]


def test_no_model_package(tmp_path: Path) -> None:
    """Without the model it answers from signatures and words, and says so in one line."""
    (tmp_path / "block").mkdir()
    (tmp_path / "block" / "sitecustomize.py").write_text(
        "import importlib.util as u, importlib.machinery as m\nreal = u.find_spec\n"
        "import sys\nclass Hide:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith('gt_all'):\n            raise ModuleNotFoundError(name)\nsys.meta_path.insert(0, Hide())\n"
        "u.find_spec = lambda name, *rest: None if name.startswith('gt_all') else real(name, *rest)\n"
    )
    run = program(UNSETTLED, env={"PYTHONPATH": f"{tmp_path / 'block'}:{ROOT}"})
    out, err = run.communicate(timeout=120)
    assert run.returncode in (0, 1) and out
    assert b"the embedding model is not installed" in err and err.count(b"\n") == 1


@pytest.mark.parametrize("error", ["OSError('libcudart.so.12: cannot open shared object file')", "ImportError('undefined symbol: ncclCommRegister')"])
def test_a_torch_that_cannot_be_imported(tmp_path: Path, error: str) -> None:
    (tmp_path / "block" / "torch").mkdir(parents=True)
    (tmp_path / "block" / "torch" / "__init__.py").write_text(f"raise {error}\n")
    env = {"PYTHONPATH": f"{tmp_path / 'block'}:{ROOT}", "TORCHWHY_CACHE": str(tmp_path / "cache")}
    settled = program(TWICE, env=env)
    out, err = settled.communicate(timeout=120)
    assert settled.returncode == 0 and b"backward-twice" in out and err == b""
    run = program(UNSETTLED, env=env)
    out, err = run.communicate(timeout=120)
    assert run.returncode in (0, 1) and out
    assert b"answered without the embedding model" in err


def test_an_altered_model_file_is_refused(tmp_path: Path, cache: Path) -> None:
    from assistant.errors import ModelError
    from assistant.model import Model, find_model

    model = find_model()
    assert model.folder is not None
    copy = tmp_path / "model"
    shutil.copytree(model.folder, copy)
    altered = Model(model.name, str(copy), copy, True)
    assert altered.fingerprint == model.fingerprint
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    with pytest.raises(ModelError, match="not the file that"):
        Model(model.name, str(copy), copy, True).fingerprint  # noqa: B018


def test_another_model_is_noticed(tmp_path: Path, cache: Path) -> None:
    from assistant.model import find_model

    default = find_model()
    assert default.folder is not None
    copy = tmp_path / "own-model"
    shutil.copytree(default.folder, copy)
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    assert find_model(str(copy)).fingerprint != default.fingerprint


def test_one_edited_entry_embeds_only_itself(assistant, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    from assistant import Assistant

    assistant.ask(UNSETTLED)  # the shared cache holds every shipped passage
    word = "".join(random.Random(str(tmp_path) + str(time.time())).choices(string.ascii_lowercase, k=12))  # no earlier run embedded it
    entry = (KB / "_template" / "pitfall.yaml").read_text("utf-8").replace("torch.cat refuses my list", f"torch.cat {word} my list")
    write_entry(tmp_path / "team", "flux-capacitor", yaml=entry)
    meta = Assistant(kb=str(tmp_path / "team")).build()
    assert 0 < meta["embedded"] <= entry.count("\n")
    text = entry.replace(f"torch.cat {word} my list", f"torch.cat dislikes {word} my list")
    (tmp_path / "team" / "shapes" / "flux-capacitor" / "pitfall.yaml").write_text(text, "utf-8")
    assert Assistant(kb=str(tmp_path / "team")).build()["embedded"] == 1
