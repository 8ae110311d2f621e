"""Which Python runs a script, how it is asked, and what of the environment it gets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from torchwhy.errors import ConfirmError
from torchwhy.machine import installed, interpreters, sandbox_paths
from torchwhy.machine.interpreters import allowed_env
from torchwhy.machine.torch_probe import probe


def script(folder: Path, text: str) -> str:
    path = folder / "python"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\nexit 3\n", "did not answer as a Python does (exit status 3)"),
        (
            "#!/bin/sh\necho 'first: no\n second: line' >&2; exit 127\n",
            "did not answer as a Python does (exit status 127): first: no second: line",
        ),
        ("#!/bin/sh\necho hello\n", "did not answer as a Python does (exit status 0): hello"),
        ("#!/bin/sh\nkill -9 $$\n", "did not answer as a Python does (killed by signal 9)"),
        (
            "#!/no/such/interpreter\n",
            "cannot be started: No such file or directory (the program that its first line names)",
        ),
    ],
)
def test_what_is_no_python_is_said_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    name = script(tmp_path, text)
    for ask in (
        lambda: interpreters.ask_python(name, ["-c", "1"], 30),
        lambda: installed.read_environment(name),
    ):
        with pytest.raises(ConfirmError) as caught:
            ask()
        assert str(caught.value) == f"{name} {said}"


@pytest.mark.parametrize("said", ["5", "null", "[1]", '"x"', "{}", '{"python": 5, "platform": "linux"}'])
def test_a_python_that_says_another_json_is_one_line(tmp_path: Path, said: str) -> None:
    """As where something of the environment prints a line of its own at the end."""
    name = script(tmp_path, f"#!/bin/sh\necho '{said}'\n")
    asks = [probe, installed.read_environment]
    for ask in asks if said == "[1]" else [*asks, sandbox_paths.of_python]:
        with pytest.raises(ConfirmError, match="did not answer as a Python does"):
            ask(name)


def test_a_python_that_hangs_is_left(tmp_path: Path) -> None:
    name = script(tmp_path, "#!/bin/sh\nexec sleep 600\n")
    with pytest.raises(ConfirmError, match=f"^{name} did not answer within 0.5 s$"):
        interpreters.ask_python(name, ["-c", "a long program"], 0.5)


def test_python_may_be_an_environments_folder(tmp_path: Path) -> None:
    (tmp_path / "env" / "bin").mkdir(parents=True)
    program = tmp_path / "env" / "bin" / "python"
    program.symlink_to(sys.executable)
    assert interpreters.find_python(str(tmp_path / "env")) == str(program)
    with pytest.raises(ConfirmError, match="a folder without a Python in it"):
        interpreters.find_python(str(tmp_path))
    gone = tmp_path / "gone"
    gone.symlink_to(tmp_path / "base" / "python3")
    with pytest.raises(
        ConfirmError, match=r"a link to .*base/python3, which is not there: its environment is broken"
    ):
        interpreters.find_python(str(gone))


def test_torchwhys_own_packages_do_not_leak(tmp_path: Path) -> None:
    """What the user set stays (clusters bring torch in by PYTHONPATH); torchwhy's package and environment do not."""
    users = tmp_path / "modules"
    own = (
        [name for name in sys.path if name.endswith("site-packages") and name.startswith(sys.prefix)][:1]
        if sys.prefix != sys.base_prefix
        else []
    )
    env = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(users), *own]),
        "PYTHONHOME": "/nowhere",
        "HOME": "/h",
    }
    assert interpreters.child_env(env) == {"PYTHONPATH": str(users), "HOME": "/h"}
    assert interpreters.child_env({"PYTHONPATH": str(ROOT / "assistant")}) == {}


@pytest.mark.skipif(os.name != "posix", reason="a shell script stands for a Python")
def test_the_probe_hears_no_secret_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another Python is asked with the environment that a leg has, by name."""
    for name in ("HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "https_proxy", "MY_SETTING"):
        monkeypatch.setenv(name, "canary")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/cuda/lib64")
    heard = interpreters.ask_python(
        sys.executable, ["-c", "import json, os; print(json.dumps(dict(os.environ)))"], 60
    )
    assert "canary" not in heard.values()
    assert heard["LD_LIBRARY_PATH"] == "/opt/cuda/lib64" and heard["PATH"] == os.environ["PATH"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TORCH_INDEX_URL", "https://ghp_{}@example.com/simple"),
        ("PYTORCH_INDEX", "https://plainword@example.com/simple"),
        ("TRITON_HUB", "hf_{}"),
        ("PYTORCH_BUILD", "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{}0w5N_XgL0n3I9"),
        ("TORCH_CREDS", "x"),
        ("XLA_BEARER", "x"),
        ("TORCH_ACCESSKEY", "x"),
        ("CUDA_PASSCODE", "x"),
    ],
)
def test_a_secret_under_a_harmless_name_reaches_no_leg(name: str, value: str) -> None:
    value = value.format("Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j")
    lib = "/data/hf_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j/lib"
    kept = {"PATH": "/usr/bin", "PYTHONPATH": lib, "CUDA_HOME": "/usr/local/cuda"}
    assert set(allowed_env({name: value, **kept})) - {"PYTHONUSERBASE"} == set(kept)
