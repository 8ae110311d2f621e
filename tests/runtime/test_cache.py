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

import torchwhy.knowledge.schema  # noqa: F401 (reads its keys before another folder counts as shipped)
from tests.conftest import KB, ROOT, write_entry
from torchwhy import Assistant
from torchwhy.retrieval.compile import compile_shipped, open_store
from torchwhy.runtime import cache as caching
from torchwhy.runtime import locations

TWICE = "RuntimeError: Trying to backward through the graph a second time"
UNSETTLED = "my curve looks strange and the numbers do not move"


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """Knowledge of a team's own: what is compiled at installation is the shipped one alone, this is compiled here."""
    write_entry(tmp_path / "team")
    return tmp_path / "team"


def program(*words: str, env: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "torchwhy", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT / "assistant"), **env},
    )


def answered(*words: str, env: dict[str, str]) -> tuple[bytes, bytes]:
    """What a question prints on both streams; it was answered, or nothing fits."""
    run = program(*words, env=env)
    out, err = run.communicate(timeout=120)
    assert run.returncode in (0, 1) and out, err
    return out, err


def test_two_processes_building_at_once(cache: Path, team: Path) -> None:
    env = {"TORCHWHY_CACHE": str(cache), "TORCHWHY_KB": str(team)}
    runs = [program(TWICE, env=env) for _ in range(4)]
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err.decode()
        assert b"backward-twice" in out
    assert len(list(cache.glob("knowledge-*"))) == 1
    assert not list(cache.glob("tmp-*"))


def test_a_killed_build_leaves_nothing_that_is_used(cache: Path, team: Path) -> None:
    """kill -9 in the middle of a build of vectors, then the same question again."""
    run = program("index", env={"TORCHWHY_CACHE": str(cache), "TORCHWHY_KB": str(team)})
    deadline = time.monotonic() + 120
    while not list(cache.glob("tmp-*")) and time.monotonic() < deadline and run.poll() is None:
        time.sleep(0.005)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert not list(cache.glob("index-*"))
    env = {"TORCHWHY_CACHE": str(cache), "TORCHWHY_KB": str(team)}
    out, err = answered("--json", UNSETTLED, env=env)
    assert b"Traceback" not in err
    clean, _ = answered("--json", UNSETTLED, env={**env, "TORCHWHY_CACHE": str(cache.with_name("clean"))})
    assert json.loads(out) == json.loads(clean)
    assert not list(cache.glob("tmp-*"))


def test_ctrl_c_in_a_build_is_quiet_and_leaves_nothing(cache: Path, team: Path) -> None:
    run = program("index", env={"TORCHWHY_CACHE": str(cache), "TORCHWHY_KB": str(team)})
    deadline = time.monotonic() + 120
    while not list(cache.glob("knowledge-*")) and time.monotonic() < deadline and run.poll() is None:
        time.sleep(0.005)
    time.sleep(0.2)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=120)
    assert run.returncode == 130, err
    assert b"Traceback" not in err and b"interrupted" in err
    assert not list(cache.glob("index-*")) and not list(cache.glob("tmp-*"))


def test_a_swallowed_ctrl_c_is_raised_again() -> None:
    """As in an import that catches everything: at the next check, or at the end."""
    from torchwhy.runtime.interrupts import Interrupts

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


def test_no_write_access_to_the_cache(tmp_path: Path, team: Path) -> None:
    """A file where the folder should be is refused whoever runs the test (root writes into read-only folders)."""
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    env = {"TORCHWHY_CACHE": str(blocked / "cache"), "TORCHWHY_KB": str(team)}
    out, err = answered("--no-vectors", TWICE, env=env)
    assert b"backward-twice" in out
    assert b"compiled for this run only" in err and err.count(b"\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that takes no file")
def test_a_lock_that_cannot_be_made_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process will let go of it."""
    monkeypatch.setenv("TORCHWHY_CACHE", "/proc/self")
    monkeypatch.setattr(caching, "LOCK_TIMEOUT_S", 5.0)
    with pytest.raises(caching.CacheError, match="cannot be used"):
        caching.build("knowledge-1", 1, lambda folder: {})


@pytest.mark.parametrize("damage", ["another version", "no JSON"])
def test_an_index_that_cannot_be_used_is_built_anew(cache: Path, team: Path, damage: str) -> None:
    first = open_store([team])
    meta = first.folder / "meta.json"
    old = {**json.loads(meta.read_text()), "format": -1}
    meta.write_text(json.dumps(old) if damage == "another version" else "{")
    assert open_store([team]).fingerprint == first.fingerprint
    assert json.loads(meta.read_text())["format"] > 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
@pytest.mark.parametrize("kind", ["a pipe", "a device"])
def test_what_stands_in_the_place_of_a_small_file(cache: Path, team: Path, kind: str) -> None:
    """A pipe was waited for without end, and /dev/zero read until memory was full."""
    first = open_store([team])
    for path in (first.folder / "meta.json", *(cache / "keys").iterdir()):
        path.unlink()
        os.mkfifo(path) if kind == "a pipe" else path.symlink_to("/dev/zero")
    assert open_store([team]).fingerprint == first.fingerprint


def test_what_was_compiled_at_installation_is_used_until_a_file_changes(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb, compiled = tmp_path / "kb", tmp_path / "compiled"
    folder = write_entry(kb)
    monkeypatch.setattr(locations, "shipped", lambda name: tmp_path / name)
    monkeypatch.setattr(locations, "compiled_knowledge", lambda: compiled)
    compile_shipped(compiled)
    for _ in range(2):  # looked at, then remembered
        store = open_store([kb])
        assert store.folder == compiled
        assert store.pitfall("made-up").folder == str(folder)
    assert not list(cache.glob("knowledge-*"))
    assert str(tmp_path).encode() not in (compiled / "knowledge.sqlite").read_bytes()
    write_entry(tmp_path / "team", "another")
    assert open_store([kb, tmp_path / "team"]).folder != compiled
    text = (folder / "pitfall.yaml").read_text("utf-8")
    (folder / "pitfall.yaml").write_text(
        text.replace("Two tensors are joined", "Several are joined"), "utf-8"
    )
    edited = open_store([kb])
    assert edited.folder != compiled
    assert edited.pitfall("made-up").title.en.startswith("Several")
    with monkeypatch.context() as in_a_wheel:
        in_a_wheel.setattr(locations, "is_checkout", lambda: False)
        assert open_store([kb]).folder == compiled
    (folder / "pitfall.yaml").write_text(text, "utf-8")
    assert open_store([kb]).folder == compiled
    (folder / "asks.en.txt").write_text((folder / "asks.en.txt").read_text() + "why is that\n")
    assert open_store([kb]).folder != compiled


def test_compiled_knowledge_of_another_release_is_passed_over(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_entry(tmp_path / "kb")
    monkeypatch.setattr(locations, "shipped", lambda name: tmp_path / name)
    monkeypatch.setattr(locations, "compiled_knowledge", lambda: tmp_path / "compiled")
    meta = compile_shipped(tmp_path / "compiled")
    for change in ({"format": -1}, {"tokens": -1}, {"files": "others"}):
        (tmp_path / "compiled" / "meta.json").write_text(json.dumps({**meta, **change}))
        assert open_store([tmp_path / "kb"]).folder != tmp_path / "compiled"


def test_no_model_package(tmp_path: Path) -> None:
    """The default model ships with torchwhy: its own package is not looked for."""
    (tmp_path / "block").mkdir()
    (tmp_path / "block" / "sitecustomize.py").write_text(
        "import sys\nclass Hide:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith('gt_all'):\n            raise ModuleNotFoundError(name)\nsys.meta_path.insert(0, Hide())\n"
    )
    env = {"PYTHONPATH": f"{tmp_path / 'block'}:{ROOT / 'assistant'}"}
    assert answered(UNSETTLED, env=env)[1] == b""


@pytest.mark.parametrize(
    "error",
    [
        "OSError('libcudart.so.12: cannot open shared object file')",
        "ImportError('undefined symbol: ncclCommRegister')",
    ],
)
def test_a_torch_that_cannot_be_imported(tmp_path: Path, error: str) -> None:
    (tmp_path / "block" / "torch").mkdir(parents=True)
    (tmp_path / "block" / "torch" / "__init__.py").write_text(f"raise {error}\n")
    env = {
        "PYTHONPATH": f"{tmp_path / 'block'}:{ROOT / 'assistant'}",
        "TORCHWHY_CACHE": str(tmp_path / "cache"),
    }
    for text in (TWICE, UNSETTLED):  # the shipped model needs no torch
        assert answered(text, env=env)[1] == b""
    _, err = answered(UNSETTLED, env={**env, "TORCHWHY_MODEL": "some/model"})
    assert b"answered without the embedding model" in err


def test_an_altered_model_file_is_refused(tmp_path: Path, cache: Path) -> None:
    from torchwhy.embedding.model import Model, original
    from torchwhy.errors import ModelError

    model = original()
    assert model.folder is not None
    copy = tmp_path / "model"
    shutil.copytree(model.folder, copy)
    altered = Model(model.name, str(copy), copy, True)
    assert altered.fingerprint == model.fingerprint
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    with pytest.raises(ModelError, match="not the file that"):
        Model(model.name, str(copy), copy, True).fingerprint  # noqa: B018


def test_another_model_is_noticed(tmp_path: Path, cache: Path) -> None:
    from torchwhy.embedding.model import find_model, original

    default = original()
    assert default.folder is not None
    copy = tmp_path / "own-model"
    shutil.copytree(default.folder, copy)
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    assert find_model(str(copy)).fingerprint != default.fingerprint


def test_one_edited_entry_embeds_only_itself(assistant: Assistant, tmp_path: Path) -> None:
    assistant.ask(UNSETTLED)  # the shared cache holds every shipped passage
    word = "".join(
        random.Random(str(tmp_path) + str(time.time())).choices(string.ascii_lowercase, k=12)
    )  # no earlier run embedded it
    folder = write_entry(
        tmp_path / "team",
        "flux-capacitor",
        asks=lambda line: line.replace("torch.cat refuses", f"torch.cat {word}"),
    )
    meta = Assistant(kb=str(tmp_path / "team")).build()
    assert 0 < meta["embedded"] <= (KB / "_template" / "pitfall.yaml").read_text("utf-8").count("\n")
    asks = folder / "asks.en.txt"
    asks.write_text(asks.read_text("utf-8").replace(word, f"dislikes {word}"), "utf-8")
    assert Assistant(kb=str(tmp_path / "team")).build()["embedded"] == 1
