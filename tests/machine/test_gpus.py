"""GPUs through the real nvidia-ml-py and a libnvidia-ml.so.1 made for this test: what drivers of all kinds answer."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT, Run, follows_schema
from torchwhy.knowledge.entry import Needs
from torchwhy.knowledge.facts import Gpu
from torchwhy.machine import gpu_choice

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
GIB = 1 << 30
CASES = yaml.safe_load(Path(__file__).with_name("gpus.yaml").read_text("utf-8"))

driver = pytest.mark.skipif(
    COMPILER is None or not sys.platform.startswith("linux"), reason="needs a C compiler on Linux"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders `new` and `old`, each with the library."""
    folder = tmp_path_factory.mktemp("nvml")
    for name, options in (("new", []), ("old", ["-DOLD"])):
        (folder / name).mkdir()
        command = [
            str(COMPILER),
            *options,
            "-shared",
            "-fPIC",
            "-o",
            str(folder / name / "libnvidia-ml.so.1"),
            str(ROOT / "tests" / "machine" / "fake_nvml.c"),
        ]
        subprocess.run(command, check=True)
    return folder


def ask(
    library: Path, plays: str = "", code: str = "", which: str = "new", **env: str
) -> subprocess.CompletedProcess[str]:
    """Run code in a process whose driver that library is."""
    code = (
        code
        or "from torchwhy.machine import gpus; d = gpus.read(); print(json.dumps({'gpus': [g.as_json() for g in d.gpus], 'error': d.error, 'missing': d.missing, 'version': d.version, 'cuda': d.cuda}))"
    )
    full = {
        **{name: value for name, value in os.environ.items() if not name.startswith("CUDA_")},
        "PYTHONPATH": str(ROOT / "assistant"),
        "LD_LIBRARY_PATH": str(library / which),
        "FAKE_NVML": plays,
        **env,
    }
    return subprocess.run(
        [sys.executable, "-c", f"import json\n{code}"], capture_output=True, text=True, env=full, check=True
    )


def told(library: Path, plays: str = "", **more: str) -> dict:  # type: ignore[type-arg]
    done = ask(library, plays, **more)
    assert done.stderr == ""
    return dict(json.loads(done.stdout))


@driver
def test_two_cards_and_who_is_on_them(library: Path) -> None:
    found = told(library, FAKE_NVML_PID=str(os.getpid()))
    assert (found["version"], found["cuda"], found["error"]) == ("550.54.15", "12.4", "")
    first, second = found["gpus"]
    assert (first["name"], first["memory_total"], first["memory_free"], first["capability"]) == (
        "NVIDIA H100",
        80 * GIB,
        GIB,
        "9.0",
    )
    assert first["memory_used"] == 79 * GIB - GIB // 2  # the driver's own reserve is nobody's
    assert first["processes"] == 2  # the one that computes and draws counts once
    name = Path("/proc/self/comm").read_text().strip()
    assert first["users"] == [
        {"pid": os.getpid(), "memory": 70 * GIB, "name": name, "own": True},
        {"pid": 4000000001, "memory": None, "name": None, "own": None},
    ]
    assert (second["processes"], second["users"], second["usable"]) == (0, [], True)
    assert "uuid" not in first


@driver
@pytest.mark.parametrize("case", CASES["told"], ids=lambda case: case["case"])
def test_what_a_driver_tells(library: Path, case: dict[str, Any]) -> None:
    found = told(library, case.get("plays", ""), which=case.get("which", "new"))
    assert (found["error"], found["missing"]) == (case.get("error", ""), case.get("missing", False))
    for gpu, wanted in zip(found["gpus"], case["gpus"], strict=True):
        assert {name: gpu[name] for name in wanted} == wanted


@driver
def test_a_driver_that_hangs_is_left(library: Path) -> None:
    code = "import os\nfrom torchwhy.machine import gpus\ngpus.NVML_TIMEOUT_S = 0.3\nprint(gpus.read().error, flush=True)\nos._exit(0)"
    assert ask(library, "hangs", code).stdout == "the driver did not answer within 0.3 s\n"


@driver
def test_the_whole_report(library: Path, torchwhy: Run) -> None:
    env = {"LD_LIBRARY_PATH": str(library / "new"), "FAKE_NVML": "", "FAKE_NVML_PID": str(os.getpid())}
    done = torchwhy("machine", "--json", env=env)
    data = json.loads(done.stdout)
    follows_schema(data, "machine/machine.schema.json")
    facts = {name: row["value"] for name, row in data["facts"].items()}
    assert (facts["gpu.count"], facts["gpu.name"], facts["gpu.memory_free"], facts["driver.cuda"]) == (
        2,
        "NVIDIA A100-SXM4-40GB",
        39 * GIB,
        "12.4",
    )
    assert len(data["gpus"]) == 2 and "aaaaaaaa" not in done.stdout
    text = torchwhy("machine", env=env).stdout
    assert (
        "- GPU 0: `NVIDIA H100` 1 GiB / 80 GiB; " in text
        and "70 GiB" in text
        and "- GPU 1: `NVIDIA A100-SXM4-40GB` 39 GiB / 40 GiB\n" in text
    )


# Which one a leg gets

CHOOSE = "from torchwhy.machine import gpus\nfrom torchwhy.machine import gpu_choice\nfrom torchwhy.knowledge.entry import Needs\nimport os\nprint(json.dumps(gpu_choice.choose_gpu(Needs({needs}), gpus.read().gpus, os.environ)))"


@driver
@pytest.mark.parametrize("case", CASES["chosen"], ids=lambda case: case["case"])
def test_which_card_a_leg_gets(library: Path, case: dict[str, Any]) -> None:
    code = CHOOSE.format(needs=case["needs"])
    chosen, refused = json.loads(ask(library, case.get("plays", ""), code, **case.get("env", {})).stdout)
    assert chosen == case.get("sets", {})
    assert refused.startswith(case.get("refused", "")) and bool(refused) == ("refused" in case)


ALIKE = tuple(
    Gpu(
        at,
        "NVIDIA A100",
        40 * GIB,
        free * GIB,
        (40 - free) * GIB,
        0,
        "default",
        "8.0",
        f"GPU-{at}{at}{at}{at}-x",
    )
    for at, free in enumerate((30, 10, 39))
)
UNLIKE = (*ALIKE[:2], Gpu(2, "NVIDIA T4", 16 * GIB, 15 * GIB, 0, 0, "default", "7.5", "GPU-2222-x"))


@pytest.mark.parametrize(
    ("text", "order", "found", "indexes"),
    [
        (" 1 , 2", None, ALIKE, [1, 2]),
        ("0,7,1", None, ALIKE, [0]),
        ("NoDevFiles", None, ALIKE, []),
        ("gpu-1111,GPU-2222", None, ALIKE, [1, 2]),
        ("GPU-1,0", None, ALIKE, [1]),
        ("GPU-", None, ALIKE, []),
        ("MIG-GPU-1111/1/0", None, ALIKE, None),
        ("0", None, UNLIKE, None),
        ("0", "FASTEST_FIRST", UNLIKE, None),
        ("0", "PCI_BUS_ID", UNLIKE, [0]),
        ("2,1,0", None, UNLIKE, [2, 1, 0]),
        ("0", None, (Gpu(0, "?", usable=False), *ALIKE[1:]), [1]),
    ],
)
def test_which_gpus_the_user_left(
    text: str | None, order: str | None, found: tuple[Gpu, ...], indexes: list[int] | None
) -> None:
    env = {
        name: value
        for name, value in (("CUDA_VISIBLE_DEVICES", text), ("CUDA_DEVICE_ORDER", order))
        if value is not None
    }
    seen = gpu_choice.visible(found, env)
    assert (seen if seen is None else [gpu.index for gpu in seen]) == indexes


@pytest.mark.parametrize(
    "text",
    [None, "0", "2,0", "0,-1,1", "1gpu2,2ampere", "1,1", "", "-1", "GPU-1111,GPU-2222", "+1,2", "x", "2, 1"],
)
def test_read_as_torch_reads_it(text: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """torch counts the visible devices by its own reading of the variable, modelled on the driver's."""
    from torch.cuda import _parse_visible_devices

    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if text is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", text)
    theirs = [gpu for gpu in _parse_visible_devices() if not isinstance(gpu, int) or gpu < len(ALIKE)]
    mine = gpu_choice.visible(ALIKE, os.environ)
    assert mine is not None and [gpu.index for gpu in mine] == [
        int(str(gpu)[4]) if isinstance(gpu, str) else gpu for gpu in theirs
    ]


def test_the_emptiest_of_cards_that_are_alike() -> None:
    assert gpu_choice.choose_gpu(Needs(cuda=True), ALIKE, {}) == ({"CUDA_VISIBLE_DEVICES": "GPU-2222-x"}, "")
    assert gpu_choice.choose_gpu(Needs(gpus=2), ALIKE, {}) == (
        {"CUDA_VISIBLE_DEVICES": "GPU-2222-x,GPU-0000-x"},
        "",
    )
    assert gpu_choice.choose_gpu(Needs(cuda=True), ALIKE[:2], {}) == ({}, "")  # the first is the emptiest
    assert gpu_choice.choose_gpu(Needs(cuda=True), UNLIKE[::2], {}) == (
        {"CUDA_VISIBLE_DEVICES": "GPU-0000-x"},
        "",
    )  # CUDA may count them otherwise
    without = tuple(Gpu(gpu.index, gpu.name, memory_free=gpu.memory_free) for gpu in ALIKE)
    assert gpu_choice.choose_gpu(Needs(cuda=True), without, {})[0] == {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": "2",
    }
