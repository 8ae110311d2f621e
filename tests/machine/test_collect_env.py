"""Pasted reports of torch.utils.collect_env: a real one of a machine without GPU, two in the form of GPU machines."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Run, follows_schema
from torchwhy import Assistant
from torchwhy.answers import collect_env
from torchwhy.knowledge.facts import Facts
from torchwhy.knowledge.vocabulary import FACT_NAMES

REPORTS = Path(__file__).with_name("reports")
KNOWN = json.loads((REPORTS / "facts.json").read_text("utf-8"))
TOO_OLD = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver by downloading and installing a new version"


def report(name: str) -> str:
    return (REPORTS / f"{name}.txt").read_text("utf-8")


def facts_of(text: str) -> Facts:
    found = collect_env.facts_in(text)
    assert found is not None
    return found


def values(text: str, *names: str) -> list[object]:
    facts = facts_of(text)
    return [facts.get(name).value if facts.get(name).known else "?" for name in names]


@pytest.mark.parametrize("name", KNOWN)
def test_a_report_tells_these_facts_and_no_other(name: str) -> None:
    """A real one of a machine without GPU, one of two GPUs on Linux, and Windows as quoted in an issue."""
    text = report(name)
    asked = [*FACT_NAMES, *KNOWN[name], "package.triton", "package.flash-attn", "env.CUDA_VISIBLE_DEVICES"]
    for lines in (text, text.replace("\n", "\r\n")):
        facts = facts_of(lines)
        known = {each: facts.get(each).value for each in asked if facts.get(each).known}
        assert known == KNOWN[name]
    assert [gpu.index for gpu in facts.gpus] == list(range(KNOWN[name]["gpu.count"]))


def test_what_lscpu_and_nvcc_add_and_its_form_as_json() -> None:
    cpu = "\nModel name:   Intel(R) Xeon(R) Gold 6248\nFlags:   fpu sse4_2 avx avx2 avx512f\n"
    more = (
        report("linux-gpu")
        .replace("\nCPU:\n", f"\nCPU:{cpu}")
        .replace("CUDA runtime version: Could not collect", "CUDA runtime version: 12.1.105")
    )
    found = values(more, "cpu.model", "cpu.vectors", "library.nvcc")
    assert found == ["Intel(R) Xeon(R) Gold 6248", "sse4_2 avx avx2 avx512f", "12.1.105"]
    data = facts_of(more).as_json()
    follows_schema(data, "machine/machine.schema.json")
    assert data["origin"] == "report"


@pytest.mark.parametrize(
    ("changes", "name", "value"),
    [
        (
            {
                "CUDA used to build PyTorch: 12.1": "CUDA used to build PyTorch: N/A",
                "ROCM used to build PyTorch: N/A": "ROCM used to build PyTorch: 6.0.32830-d62f6a171",
            },
            "torch.rocm",
            "yes",
        ),
        ({"CUDA used to build PyTorch: 12.1": "CUDA used to build PyTorch: None"}, "torch.cuda", None),
        (
            {
                "PyTorch version: 2.3.1+cu121": "PyTorch version: N/A",
                "CUDA used to build PyTorch: 12.1": "CUDA used to build PyTorch: N/A",
            },
            "torch.cuda",
            "?",
        ),
        ({"PyTorch version: 2.3.1+cu121": "PyTorch version: N/A"}, "torch.version", "?"),
        ({"PyTorch version: 2.3.1+cu121": "PyTorch version: main"}, "package.triton", "?"),
        ({"Nvidia driver version: 470.223.02": "Nvidia driver version: 611.03"}, "driver.cuda", "?"),
        ({"Nvidia driver version: 470.223.02": "Nvidia driver version: 580.65.06"}, "driver.cuda", "13.0"),
        ({"GPU 1: NVIDIA GeForce RTX 3090": "GPU 1: NVIDIA A100-SXM4-40GB"}, "gpu.name", "?"),
        (
            {"GCC version: (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0": "GCC version: Could not collect"},
            "compiler",
            "no",
        ),
        ({"OS: Ubuntu 22.04.4 LTS (x86_64)": "OS: macOS 14.5 (arm64)"}, "platform", "macos"),
        # A driver that does not answer is not a machine without GPUs.
        (
            {
                "GPU 0: NVIDIA GeForce RTX 3090\n": "",
                "GPU 1: NVIDIA GeForce RTX 3090\n": "",
                "configuration: \n": "configuration: Could not collect\n",
            },
            "gpu.count",
            "?",
        ),
    ],
)
def test_variants(changes: dict[str, str], name: str, value: object) -> None:
    text = report("linux-gpu")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert values(text, name) == [value]


def test_what_is_no_report() -> None:
    for text in (
        "",
        "PyTorch version: 2.1",
        "PyTorch version:\n" * 50,
        "my PyTorch version: 2.3.1 and CUDA used to build PyTorch: 12.1",
        "pip install torch",
    ):
        assert collect_env.facts_in(text) is None
        assert collect_env.strip_reports(text) == text


def test_a_report_that_was_cut_short() -> None:
    text = (
        "\n".join(report("linux-gpu").splitlines()[:13])
        + "\n\nIt fails with CUDA error: invalid device ordinal"
    )
    assert values(text, "torch.version", "python.version", "gpu.count") == ["2.3.1+cu121", "3.10.14", "?"]
    assert collect_env.strip_reports(text).strip().endswith("invalid device ordinal")


@pytest.mark.parametrize("name", ["this-machine", "linux-gpu", "windows-gpu"])
def test_the_question_is_what_is_left(name: str) -> None:
    before, after = (
        "My training stops:\n\nRuntimeError: CUDA error: invalid device ordinal",
        "What should I do?",
    )
    left = collect_env.strip_reports(f"{before}\n\n{report(name)}\n{after}")
    kept = [line for line in left.split("\n") if line.strip()]
    assert kept[0] == "My training stops:" and kept[-1] == after
    assert len(kept) == 3


def test_its_facts_are_used_instead_of_this_machines(assistant: Assistant) -> None:
    here = Facts("machine", {}, interpreter="here")
    answer = assistant.ask(f"{report('linux-gpu')}\n\n{TOO_OLD}", facts=here)
    assert answer.match.id == "driver-too-old" and answer.facts.origin == "report"
    reason = next(reason for reason in answer.match.why if reason.kind == "fact")
    assert (reason.speaks, reason.origin, reason.values) == (
        "for",
        "report",
        (("driver.cuda", "11.4"), ("torch.cuda", "12.1")),
    )
    assert "(driver.cuda = 11.4, torch.cuda = 12.1)" in reason.text_in("zh") and "驱动" in reason.text_in(
        "zh"
    )
    assert assistant.ask(TOO_OLD, facts=here).facts is here
    assert assistant.ask(TOO_OLD).facts is None
    # A batch keeps each text's own facts.
    batch = assistant.ask_many([TOO_OLD, f"{report('windows-gpu')}\n{TOO_OLD}"])
    assert [answer.facts and answer.facts.get("platform").value for answer in batch] == [None, "windows"]


def test_a_report_does_not_change_the_ranking(assistant: Assistant) -> None:
    for name in ("this-machine", "linux-gpu", "windows-gpu"):
        with_report = assistant.ask(f"{TOO_OLD}\n\n{report(name)}")
        assert [item.id for item in with_report.candidates[:1]] == ["driver-too-old"]


def test_on_the_command_line(torchwhy: Run, tmp_path: Path) -> None:
    text = f"{report('linux-gpu')}\n{TOO_OLD}\n"
    done = torchwhy("--full", stdin=text)
    assert done.returncode == 0
    assert (
        "- the pasted report: the driver's CUDA is below 12, the build needs 12 or later (`driver.cuda = 11.4`, `torch.cuda = 12.1`)"
        in done.stdout
    )
    assert "torch.utils.collect_env, torch 2.3.1+cu121" in done.stdout
    assert "- 粘贴的环境报告：" in torchwhy("--full", "--lang", "zh", stdin=text).stdout
    data = json.loads(torchwhy("--json", stdin=text).stdout)
    assert (
        data["machine"] == {"origin": "report", "interpreter": None, "torch": "2.3.1+cu121"}
        and data["torch"] == "2.3.1+cu121"
    )
    fact = next(reason for reason in data["match"]["why"] if reason["kind"] == "fact")
    assert fact["facts"] == {"driver.cuda": "11.4", "torch.cuda": "12.1"} and fact["text"].endswith(
        "(driver.cuda = 11.4, torch.cuda = 12.1)"
    )
    (tmp_path / "report.txt").write_text(report("windows-gpu"))
    page = torchwhy("machine", "--report", "report.txt").stdout
    assert (
        page.startswith("# The machine of the report")
        and "NVIDIA GeForce GTX 1050 Ti" in page
        and "shm.total" in page.splitlines()[-1]
    )
    data = json.loads(torchwhy("machine", "--report", "-", "--json", stdin=report("windows-gpu")).stdout)
    assert data["origin"] == "report" and set(FACT_NAMES) <= set(data["facts"])
    assert "no report of" in torchwhy("machine", "--report", "-", stdin="hello").stderr


def test_a_report_alone_asks_for_the_error(torchwhy: Run) -> None:
    done = torchwhy("--full", stdin=report("linux-gpu"))
    assert done.returncode == 1 and "paste the error as well" in done.stdout


def test_a_report_as_the_installed_torch_writes_it(tmp_path: Path) -> None:
    """The layout of the very torch that is installed here, whatever it becomes."""
    import torch

    done = subprocess.run(
        [sys.executable, "-m", "torch.utils.collect_env"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    facts = facts_of(done.stdout)
    assert facts.get("torch.version").value == torch.__version__
    assert facts.get("torch.cuda").known and facts.get("torch.cuda").value == torch.version.cuda
    assert facts.get("python.version").value == sys.version.split()[0]


def test_a_hostile_report_is_harmless() -> None:
    text = report("linux-gpu").replace("NVIDIA GeForce RTX 3090", "`x`\x1b[31m | [a](b)")
    assert facts_of(text).get("gpu.name").value == "`x` | [a](b)"
    spaces = " " * 200_000
    lines = [
        "PyTorch version: 1",
        "Is debug build: x",
        f"GPU 0: {spaces}x",
        f"OS:{spaces}x",
        *[""] * 20_000,
        *["PyTorch version: 1"] * 20_000,
        "RuntimeError: x",
    ]
    started = time.monotonic()
    assert facts_of("\n".join(lines)).get("torch.version").value == "1"
    assert collect_env.strip_reports("\n".join(lines)).strip() == "RuntimeError: x"
    assert time.monotonic() - started < 5
