"""Confirm, with scripts that really do what they are said to do: every verdict and exit status of the table."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import KB, ROOT, write_entry
from tests.support.scripts import mine
from torchwhy.knowledge import load
from torchwhy.knowledge.entry import Needs
from torchwhy.machine import interpreters, torch_probe
from torchwhy.proof.as_json import confirmation_json
from torchwhy.proof.confirm import confirm, leg_environment
from torchwhy.proof.confirmation import EXIT_STATUS, Confirmation
from torchwhy.proof.needs import unmet

SCHEMA = json.loads(
    (ROOT / "assistant" / "torchwhy" / "proof" / "confirmation.schema.json").read_text("utf-8")
)

MAIN = '\nif __name__ == "__main__":\n    import sys\n    fixed() if "--fixed" in sys.argv else broken()\n'
RAISE = "raise RuntimeError('Sizes of tensors must match except in dimension 1. Expected size 32 but got size 31 for tensor number 1 in the list.')"


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
    def body(text: str) -> str:
        return "".join(f"    {line}\n" for line in text.splitlines())

    source = (
        f'"""A made-up script."""\n{head}\ndef broken():\n{body(broken)}\ndef fixed():\n{body(fixed)}{MAIN}'
    )
    write_entry(tmp_path / "kb", yaml=yaml, repro=source)
    entry = load.load_knowledge([tmp_path / "kb"], {}).pitfalls["made-up"]
    result = confirm(entry, permit=mine(entry), python=sys.executable, paste=paste, seconds=seconds, **more)
    jsonschema.validate(json.loads(json.dumps(confirmation_json(result))), SCHEMA)  # whatever comes of it
    return result


def silent_yaml() -> str:
    text = (KB / "_template" / "pitfall.yaml").read_text("utf-8")
    return text.replace("kind: error", "kind: silent\nsymptom: 'symptom: .* grew'")


def warning_yaml() -> str:
    return (KB / "_template" / "pitfall.yaml").read_text("utf-8").replace("kind: error", "kind: warning")


@pytest.fixture(autouse=True)
def quick_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """These scripts do not need torch; asking the interpreter about it once is enough for the whole file."""
    found = torch_probe.Probe(sys.executable, "3.11.0", sys.platform, torch="2.13.0")
    monkeypatch.setattr(torch_probe, "probe", lambda interpreter: found)


def test_reproduces_here(tmp_path: Path) -> None:
    result = result_of(tmp_path, RAISE)
    assert (result.verdict, result.exit_status) == ("reproduces-here", 0)
    assert result.message.startswith("RuntimeError: Sizes of tensors must match")
    assert [leg.shows for leg in result.legs] == ["shown", "clean"]


def test_confirmed_with_the_same_message_at_hand(tmp_path: Path) -> None:
    result = result_of(
        tmp_path,
        RAISE,
        paste="RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 8 but got size 9 for tensor number 3 in the list.",
    )
    assert (result.verdict, result.exit_status, result.paste_signature) == ("confirmed", 0, 0)


def test_another_wording_in_the_paste_does_not_confirm(tmp_path: Path) -> None:
    old = "RuntimeError: invalid argument 0: Sizes of tensors must match except in dimension 1. Got 32 and 31 in dimension 2 at x.cpp:1"
    result = result_of(tmp_path, RAISE, paste=old)
    assert (result.verdict, result.paste_signature) == ("reproduces-here", 1)


def test_not_reproduced(tmp_path: Path) -> None:
    result = result_of(tmp_path, "print('fine')")
    assert (result.verdict, result.exit_status) == ("not-reproduced", 1)
    assert len(result.legs) == 1


def test_an_unrelated_crash_with_status_1_is_no_reproduction(tmp_path: Path) -> None:
    result = result_of(tmp_path, "raise KeyError('lr')")
    assert (result.verdict, result.exit_status) == ("different-failure", 3)
    assert "KeyError" in result.reason


def test_fix_not_shown(tmp_path: Path) -> None:
    result = result_of(tmp_path, RAISE, RAISE)
    assert (result.verdict, result.exit_status) == ("fix-not-shown", 4)


def test_a_fixed_leg_that_prints_the_message_is_not_clean(tmp_path: Path) -> None:
    result = result_of(tmp_path, RAISE, f"try:\n    {RAISE}\nexcept RuntimeError as error:\n    print(error)")
    assert result.verdict == "fix-not-shown"


@pytest.mark.parametrize(
    "head", ["def f(:", "import there_is_no_such_module", "1 / 0"], ids=["syntax", "import", "raise"]
)
def test_broken_entry(tmp_path: Path, head: str) -> None:
    result = result_of(tmp_path, RAISE, head=head)
    assert (result.verdict, result.exit_status) == ("broken-entry", 5)


def test_skip(tmp_path: Path) -> None:
    result = result_of(tmp_path, "import sys\nprint('needs two GPUs', file=sys.stderr)\nsys.exit(125)")
    assert (result.verdict, result.exit_status, result.reason) == ("cannot-run", 125, "needs two GPUs")


def test_death_by_signal_with_the_message_counts(tmp_path: Path) -> None:
    message = RAISE.split("'")[1]
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


def test_silent_with_a_foreign_symptom_is_different(tmp_path: Path) -> None:
    assert (
        result_of(tmp_path, "raise SystemExit('symptom: shrank')", yaml=silent_yaml()).verdict
        == "different-failure"
    )


def test_warning_counts_with_status_0(tmp_path: Path) -> None:
    code = "import warnings\nwarnings.warn('Sizes of tensors must match except in dimension 1. Expected size 3 but got size 4 for tensor number 1 in the list.')"
    assert result_of(tmp_path, code, yaml=warning_yaml()).verdict == "reproduces-here"


def test_cancelled(tmp_path: Path) -> None:
    result = result_of(tmp_path, "import time\ntime.sleep(600)", cancelled=lambda: True)
    assert (result.verdict, result.reason) == ("cannot-run", "cancelled")


def test_events_stream(tmp_path: Path) -> None:
    heard: list[tuple[str, str]] = []
    result_of(
        tmp_path,
        f"print('step 1', flush=True)\n{RAISE}",
        on_event=lambda kind, text: heard.append((kind, text)),
    )
    assert ("leg", "broken") in heard and ("leg", "fixed") in heard and ("line", "step 1") in heard


def test_the_leg_runs_in_a_temporary_folder_with_a_clean_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    code = f"import json, os\nprint(json.dumps([os.getcwd(), dict(os.environ)]))\nopen('left-behind', 'w').write('x')\n{RAISE}"
    folder, env = json.loads(result_of(tmp_path, code).legs[0].output.splitlines()[0])
    assert not Path(folder).exists()
    assert "CUDA_LAUNCH_BLOCKING" not in env and "PYTHONWARNINGS" not in env
    assert env["PYTHONUTF8"] == "1" and env["LC_ALL"] == "C.UTF-8"
    assert env["TORCHINDUCTOR_CACHE_DIR"].startswith(folder)


def test_exit_statuses_are_the_documented_ones() -> None:
    assert EXIT_STATUS == {
        "confirmed": 0,
        "reproduces-here": 0,
        "not-reproduced": 1,
        "different-failure": 3,
        "fix-not-shown": 4,
        "broken-entry": 5,
        "timeout": 124,
        "cannot-run": 125,
    }


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


def test_torch_that_cannot_be_imported_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    found = torch_probe.Probe(
        "python", "3.11.0", "linux", torch_error="OSError: libcudart.so.12: cannot open shared object file"
    )
    assert "libcudart" in unmet(Needs(), found)


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
    write_entry(
        tmp_path / "kb",
        repro=f'"""A made-up script."""\n\ndef broken():\n    {RAISE}\n\ndef fixed():\n    pass\n{MAIN}',
    )
    entry = load.load_knowledge([tmp_path / "kb"], {}).pitfalls["made-up"]
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
    code = f"import os, users_own\nprint(os.environ['PYTHONPATH'], flush=True)\n{RAISE}"
    result = result_of(tmp_path, code)
    assert result.verdict == "reproduces-here", result.legs[0].output
    assert result.legs[0].output.splitlines()[0].split(os.pathsep) == [str(tmp_path / "modules")]


def test_leg_environment_keeps_the_users_own() -> None:
    os.environ["OMP_MY_SETTING"] = "kept"
    try:
        assert leg_environment("/tmp/x")["OMP_MY_SETTING"] == "kept"
    finally:
        del os.environ["OMP_MY_SETTING"]
