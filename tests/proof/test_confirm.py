"""Confirm, with scripts that really do what they are said to do: every verdict and exit status of the table."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import KB, ROOT
from tests.support.scripts import GOOD, made_up, mine, script
from torchwhy.knowledge.entry import Needs
from torchwhy.machine import interpreters, torch_probe
from torchwhy.proof.confirm import confirm
from torchwhy.proof.confirmation import Confirmation, confirmation_json
from torchwhy.proof.needs import unmet

pytestmark = pytest.mark.usefixtures("quick_probe")

SCHEMA = json.loads(
    (ROOT / "assistant" / "torchwhy" / "proof" / "confirmation.schema.json").read_text("utf-8")
)


def result_of(
    tmp_path: Path,
    broken: str,
    fixed: str = "pass",
    head: str = "",
    *,
    yaml: str | None = None,
    paste: str | None = None,
    seconds: float = 60,
    **more,
) -> Confirmation:
    entry = made_up(tmp_path / "kb", script(broken, fixed, head), yaml)
    result = confirm(entry, permit=mine(entry), python=sys.executable, paste=paste, seconds=seconds, **more)
    jsonschema.validate(json.loads(json.dumps(confirmation_json(result))), SCHEMA)  # whatever comes of it
    return result


def silent_yaml() -> str:
    text = (KB / "_template" / "pitfall.yaml").read_text("utf-8")
    return text.replace("kind: error", "kind: silent\nsymptom: 'symptom: .* grew'")


def warning_yaml() -> str:
    return (KB / "_template" / "pitfall.yaml").read_text("utf-8").replace("kind: error", "kind: warning")


NEW = "RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 8 but got size 9 for tensor number 3 in the list."
OLD = "RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 1. Got 32 and 31 in dimension 2 at x.cpp:1"
CAUGHT = f"try:\n    {GOOD}\nexcept RuntimeError as error:\n    print(error)"
SKIPS = "import sys\nprint('needs two GPUs', file=sys.stderr)\nsys.exit(125)"
WARNS = f"import warnings\nwarnings.warn({GOOD[19:-1]})"


@pytest.mark.parametrize(
    ("verdict", "status", "shows", "given"),
    [
        ("reproduces-here", 0, "shown clean", {"broken": GOOD}),
        ("confirmed", 0, "shown clean", {"broken": GOOD, "paste": NEW}),
        ("reproduces-here", 0, "shown clean", {"broken": GOOD, "paste": OLD}),
        ("not-reproduced", 1, "clean", {"broken": "print('fine')"}),
        ("different-failure", 3, "different", {"broken": "raise KeyError('lr')"}),
        ("fix-not-shown", 4, "shown shown", {"broken": GOOD, "fixed": GOOD}),
        ("fix-not-shown", 4, "shown different", {"broken": GOOD, "fixed": CAUGHT}),
        ("broken-entry", 5, "unloadable", {"broken": GOOD, "head": "def f(:"}),
        ("broken-entry", 5, "unloadable", {"broken": GOOD, "head": "import there_is_no_such_module"}),
        ("broken-entry", 5, "unloadable", {"broken": GOOD, "head": "1 / 0"}),
        ("timeout", 124, "timeout", {"broken": "import time\ntime.sleep(600)", "seconds": 0.5}),
        ("cannot-run", 125, "cannot-run", {"broken": SKIPS}),
        ("cannot-run", 125, "cannot-run", {"broken": "import time\ntime.sleep(600)", "cancelled": lambda: True}),
        ("different-failure", 3, "different", {"broken": "raise SystemExit('symptom: shrank')", "yaml": silent_yaml()}),
        ("reproduces-here", 0, "shown clean", {"broken": WARNS, "yaml": warning_yaml()}),
    ],
)  # fmt: skip
def test_each_verdict(verdict: str, status: int, shows: str, given: dict[str, Any], tmp_path: Path) -> None:
    result = result_of(tmp_path, **given)
    assert (result.verdict, result.exit_status) == (verdict, status), result.reason
    assert " ".join(leg.shows for leg in result.legs) == shows
    assert result.message.startswith("RuntimeError: Sizes") == (shows[:5] == "shown" and "yaml" not in given)
    assert given.get("paste") is None or result.paste_signature == (given["paste"] == OLD)
    assert given["broken"] is not SKIPS or result.reason == "needs two GPUs"


def test_death_by_signal_with_the_message_counts(tmp_path: Path) -> None:
    message = GOOD.split("'")[1]
    result = result_of(
        tmp_path, f"import os, sys\nprint({message!r}, file=sys.stderr, flush=True)\nos.kill(os.getpid(), 6)"
    )
    assert result.verdict == "reproduces-here"
    assert "killed by signal SIGABRT" in result.legs[0].output


def test_silent_shows_its_symptom_and_numbers(tmp_path: Path) -> None:
    broken = (
        "import json, sys\nprint(json.dumps({'growth': 3.0}))\nsys.exit('symptom: memory grew 3.0 times')"
    )
    result = result_of(tmp_path, broken, "print('{\"growth\": 1.0}')", yaml=silent_yaml())
    assert result.verdict == "reproduces-here"
    assert [leg.numbers for leg in result.legs] == [{"growth": 3.0}, {"growth": 1.0}]
    assert result.message == "symptom: memory grew 3.0 times"


def test_the_leg_runs_in_a_temporary_folder_with_a_clean_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    code = f"import json, os\nprint(json.dumps([os.getcwd(), dict(os.environ)]))\nopen('left-behind', 'w').write('x')\n{GOOD}"
    folder, env = json.loads(result_of(tmp_path, code).legs[0].output.splitlines()[0])
    assert folder == "<tmp>", "which is gone by now"
    assert "CUDA_LAUNCH_BLOCKING" not in env and "PYTHONWARNINGS" not in env
    assert env["PYTHONUTF8"] == "1" and env["LC_ALL"] == "C.UTF-8"
    assert env["TORCHINDUCTOR_CACHE_DIR"].startswith(folder)


@pytest.mark.parametrize(
    ("needs", "reason"),
    [
        (Needs(cuda=True), "needs a GPU"),
        (Needs(gpus=2), "needs 2 GPUs"),
        (Needs(torch="<2.0"), "shows only with torch <2.0"),
        (Needs(python=">=4"), "needs Python >=4"),
        (Needs(packages=("no-such-package",)), "needs the package no-such-package"),
        (Needs(platform="windows"), "needs windows"),
        (Needs(), ""),
    ],
)
def test_needs(needs: Needs, reason: str) -> None:
    found = torch_probe.Probe("python", "3.11.0", "linux", torch="2.13.0")
    assert unmet(needs, found).startswith(reason)


# The user's environment


def test_an_environment_without_torch_is_passed_over_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "env"))
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    found = interpreters.locate(
        None, 'File "/home/alice/envs/old/lib/python3.9/site-packages/torch/x.py", line 1'
    )
    assert found == interpreters.Located(
        sys.executable, "python_own", ("/home/alice/envs/old", str(tmp_path / "env"))
    )
    entry = made_up(tmp_path / "kb", script(GOOD))
    result = confirm(entry, permit=mine(entry))
    assert (result.chosen, result.missed, result.verdict) == (
        "python_own",
        (str(tmp_path / "env"),),
        "reproduces-here",
    )


def test_a_leg_does_not_inherit_torchwhys_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "users_own.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(tmp_path / "modules")]))
    # By its own search path: where torchwhy's environment is the user's too, it is installed there and found anyhow.
    code = f"import os, users_own\nprint(os.environ['PYTHONPATH'], flush=True)\n{GOOD}"
    result = result_of(tmp_path, code)
    assert result.verdict == "reproduces-here", result.legs[0].output
    assert result.legs[0].output.splitlines()[0].split(os.pathsep) == [str(tmp_path / "modules")]
