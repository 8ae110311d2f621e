"""This machine's facts: read from a made-up /proc, real environments and the real machine."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import venv
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT, Run, follows_schema
from tests.support.start_up import HEAVY, modules_after
from torchwhy import Assistant
from torchwhy.errors import ConfirmError, UsageError
from torchwhy.knowledge.facts import Fact, Facts, Gpu
from torchwhy.knowledge.vocabulary import FACT_NAMES, is_version, shown
from torchwhy.lint import sources
from torchwhy.machine import gpus, installed, interpreters, linux, machine_facts, sandbox_paths, toolchain

GIB = 2**30


def tree(root: Path, **files: str) -> Path:
    """Files under root; `__` in a name without `/` stands for one."""
    for name, text in files.items():
        path = root / (name if "/" in name else name.replace("__", "/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


MEMINFO = "MemTotal:       65860000 kB\nMemFree:         1000000 kB\nMemAvailable:   32930000 kB\n"


# --- Linux ---------------------------------------------------------------------------------------------------------------


CASES = yaml.safe_load(Path(__file__).with_name("linux.yaml").read_text("utf-8"))
XIDS = "6,1,0,-;usb 1-1: new device\n3,2,5,-;NVRM: Xid (PCI:0000:3b:00): 31, pid=123, name=python, Ch 00000008\n3,3,9,-;NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_what_linux_tells(tmp_path: Path, case: dict) -> None:
    for name, text in case["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text({"{MEMINFO}": MEMINFO, "{XIDS}": XIDS}.get(text, text))
    found = {**linux.memory_facts(tmp_path), **linux.system_facts(tmp_path, case.get("env", {}))}
    found |= machine_facts.gpu_facts(ABSENT, False, tmp_path)
    for name, wanted in case["facts"].items():
        fact = found[name]
        if isinstance(wanted, dict):
            assert (fact.unknown, fact.value) == (wanted["unknown"], None), name
            continue
        value, how = wanted if isinstance(wanted, list) else (wanted, "")
        assert fact.known and fact.value == value and how in fact.how, (name, fact)


def test_cores_by_affinity_and_quota(tmp_path: Path) -> None:
    root = tree(tmp_path, proc__self__cgroup="0::/\n", **{"sys__fs__cgroup__cpu.max": "max 100000\n"})
    assert linux.cores(root).value == len(os.sched_getaffinity(0))
    (root / "sys/fs/cgroup/cpu.max").write_text("20000 100000\n")
    fact = linux.cores(root)
    if len(os.sched_getaffinity(0)) > 1:
        assert (fact.value, fact.how) == (1, "cgroup quota 20000/100000 us")


def test_limits_of_a_process() -> None:
    """As the shell that sets them tells them."""
    code = "from torchwhy.knowledge import vocabulary as facts\nfrom torchwhy.machine import linux\nfor name in sorted(linux.LIMITS):\n    print(name, facts.shown(name, linux.limits()[name].value))"
    command = f'ulimit -Sn 512; ulimit -Sl 64; ulimit -Su 4000; ulimit -Sv unlimited; exec "{sys.executable}" -c "$1"'
    done = subprocess.run(
        ["bash", "-c", command, "bash", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "assistant")},
        check=True,
    )
    assert done.stdout.split("\n")[:4] == [
        "limit.address_space unlimited",
        "limit.locked_memory 64 KiB",
        "limit.open_files 512",
        "limit.processes 4000",
    ]


def test_what_extensions_are_built_with(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    env = {"PATH": str(programs)}
    assert {name: fact.value for name, fact in toolchain.compiler(env).items()} == {
        "compiler": "no",
        "compiler.version": None,
    }
    assert toolchain.toolkit(env, tmp_path) == Fact(None, "CUDA_HOME, PATH, /usr/local/cuda")
    for name, said in (
        ("g++", "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"),
        ("nvcc", "nvcc: NVIDIA\nBuilt on Tue_2024\nCuda compilation tools, release 12.4, V12.4.131"),
    ):
        (programs / name).write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\n")
        (programs / name).chmod(0o755)
    env["PATH"] += os.pathsep + os.environ["PATH"]
    assert {name: fact.value for name, fact in toolchain.compiler(env).items()} == {
        "compiler": "yes",
        "compiler.version": "12.2.0",
    }
    assert toolchain.toolkit(env, tmp_path) == Fact("12.4", "nvcc")
    home = tmp_path / "cuda-11.8"
    home.mkdir()
    assert (
        toolchain.toolkit({**env, "CUDA_HOME": str(home)}, tmp_path).value is None
    )  # it is believed, although nothing is there
    (home / "version.json").write_text(
        '{"cuda": {"name": "CUDA SDK", "version": "11.8.20220929"}, "nvcc": {"version": "11.8.89"}}'
    )
    assert toolchain.toolkit({**env, "CUDA_HOME": str(home)}, tmp_path) == Fact("11.8.20220929", "CUDA_HOME")
    broken = {**env, "CXX": str(tmp_path / "bin" / "broken")}
    Path(broken["CXX"]).write_text("#!/bin/sh\nexit 1\n")
    Path(broken["CXX"]).chmod(0o755)
    assert not toolchain.compiler(broken)["compiler.version"].known


def test_the_real_kernel_log_ends(tmp_path: Path) -> None:
    if not os.access("/dev/kmsg", os.R_OK):
        pytest.skip("/dev/kmsg is root's alone here")
    assert linux.newest_xid(Path("/")).how == "/dev/kmsg"


# --- the driver ----------------------------------------------------------------------------------------------------------


ABSENT = gpus.Driver(error="NVML: NVML Shared Library Not Found", missing=True)
BROKEN = gpus.Driver(error="NVML: Driver/library version mismatch")
H100 = Gpu(1, "NVIDIA H100", 80 * GIB, 78 * GIB, GIB, 0, "exclusive", "9.0")
TWO = gpus.Driver(
    (Gpu(0, "NVIDIA A100", 40 * GIB, 2 * GIB, 37 * GIB, 2, "default", "8.0"), H100), "550.54.15", "12.4"
)


def test_the_gpu_with_most_free_memory(tmp_path: Path) -> None:
    found = machine_facts.gpu_facts(TWO, False, tmp_path)
    assert {name: fact.value for name, fact in found.items() if fact.known} == {
        "gpu.count": 2,
        "gpu.name": "NVIDIA H100",
        "gpu.capability": "9.0",
        "gpu.memory_total": 80 * GIB,
        "gpu.memory_free": 78 * GIB,
        "gpu.memory_others": GIB,
        "gpu.compute_mode": "exclusive",
        "gpu.processes": 0,
        "driver.version": "550.54.15",
        "driver.cuda": "12.4",
    }
    assert found["gpu.memory_free"].how == "NVML, GPU 1"
    assert found["gpu.supported"].unknown == "fact_full"


def test_no_processes_in_a_container_means_nothing(tmp_path: Path) -> None:
    assert machine_facts.gpu_facts(TWO, True, tmp_path)["gpu.processes"].unknown == "fact_container_processes"
    busy = replace(TWO, gpus=(replace(H100, processes=1),))
    assert machine_facts.gpu_facts(busy, True, tmp_path)["gpu.processes"].value == 1


def test_what_the_driver_refuses_is_unknown(tmp_path: Path) -> None:
    silent = replace(TWO, gpus=(Gpu(0, "NVIDIA A100"),))
    found = machine_facts.gpu_facts(silent, False, tmp_path)
    assert found["gpu.count"].value == 1
    assert {found[name].unknown for name in ("gpu.memory_free", "gpu.compute_mode")} == {"fact_driver_silent"}


def test_a_broken_driver_is_unknown(tmp_path: Path) -> None:
    found = machine_facts.gpu_facts(BROKEN, False, tmp_path)
    assert not found["gpu.count"].known and "mismatch" in found["gpu.count"].detail
    # The kernel shows cards all the same: then they are counted.
    (tmp_path / "proc/driver/nvidia/gpus/0000:3b:00.0").mkdir(parents=True)
    found = machine_facts.gpu_facts(BROKEN, False, tmp_path)
    assert found["gpu.count"].value == 1 and not found["gpu.memory_free"].known


@pytest.mark.parametrize(
    ("capability", "archs", "fits"),
    [
        ("8.6", "sm_50 sm_80 sm_90", True),
        ("8.0", "sm_86 sm_90", False),
        ("9.0", "sm_80 compute_80", True),
        ("12.0", "sm_80 sm_90", False),
        ("12.0", "sm_80 compute_90", True),
        ("6.1", "sm_70 sm_75 sm_80", False),
        ("9.0", "sm_90a", True),
        ("10.0", "sm_90a compute_90a", False),
        ("10.3", "sm_100f", True),
        ("12.1", "sm_120", True),
    ],
)
def test_code_for_a_capability(capability: str, archs: str, fits: bool) -> None:
    assert gpus.has_code_for(capability, archs) is fits


# --- an environment ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real environment with what a CUDA build of torch leaves on the disk, and two copies of Intel's OpenMP."""
    root = tmp_path_factory.mktemp("made") / "my env"
    venv.create(root, with_pip=False, symlinks=True)
    site = next(root.glob("lib/python3*/site-packages"))
    tree(
        site,
        **{
            "torch/version.py": "from typing import Optional\n__version__ = '2.3.1+cu121'\ndebug = False\ncuda: Optional[str] = '12.1'\nhip: Optional[str] = None\n",
            "torch/__init__.py": "raise ImportError('libcudart.so.12: cannot open shared object file')\n",
            "torch/lib/libgomp-a34b3233.so.1": "",
            "torch/lib/libiomp5.so": "",
            "scikit_learn.libs/libgomp-e985bcbb.so.1.0.0": "",
            "torch-2.3.1.dist-info/METADATA": "",
            "nvidia_cudnn_cu12-8.9.2.26.dist-info/METADATA": "",
            "Some_Package-1.5-py3.10.egg-info/PKG-INFO": "",
        },
    )
    tree(root / "lib", **{"libiomp5.so": ""})
    return root


def test_an_environment_is_read_without_importing_torch(made: Path) -> None:
    found = installed.read_environment(str(made / "bin/python"))
    facts = machine_facts.software_facts(found)
    assert (facts["torch.version"].value, facts["torch.cuda"].value, facts["torch.cudnn"].value) == (
        "2.3.1+cu121",
        "12.1",
        "8.9.2.26",
    )
    assert facts["torch.rocm"].value == "no" and facts["python.version"].value == platform.python_version()
    assert facts["package.some-package"].value == "1.5"
    assert (
        machine_facts.library_facts(found, {})["library.openmp"].value == 3
    )  # two of Intel's, and libgomp once


def test_torch_that_is_missing_or_broken(made: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=False, symlinks=True)
    facts = machine_facts.machine_facts(python=str(tmp_path / "empty/bin/python"))
    assert facts.get("torch.version").known and facts.get("torch.version").value is None
    assert facts.get("torch.cuda").unknown == "fact_no_torch"  # no torch is no CPU build
    assert facts.get("package.numpy") == facts.get("package.NumPy") and facts.get("package.numpy").known
    full = machine_facts.machine_facts(python=str(made / "bin/python"), full=True)
    assert full.notes and full.notes[0][0] == "note_import" and "libcudart" in full.notes[0][1]
    assert full.get("torch.version").value == "2.3.1+cu121"
    (tmp_path / "empty/bin/broken").symlink_to("/bin/false")
    facts = machine_facts.machine_facts(python=str(tmp_path / "empty/bin/broken"))
    assert facts.get("torch.version").unknown == "fact_no_python" and facts.notes[0][0] == "note_error"
    assert not facts.get("package.numpy").known
    with pytest.raises(ConfirmError, match="no such program"):
        machine_facts.machine_facts(python="/no/such/python")


def test_another_libcudnn_first(made: Path, tmp_path: Path) -> None:
    found = installed.read_environment(str(made / "bin/python"))
    own = next(made.glob("lib/python3*/site-packages")) / "nvidia/cudnn/lib"
    tree(own, **{"libcudnn.so.8": ""})
    tree(tmp_path / "cuda/lib64", **{"libcudnn.so.9.1.0": "", "libcudnn_ops.so.9": ""})
    one, other = str(own), str(tmp_path / "cuda/lib64")
    assert machine_facts.library_facts(found, {})["library.cudnn_found"].value is None
    assert str(
        machine_facts.library_facts(found, {"LD_LIBRARY_PATH": f"/no/where::{other}"})[
            "library.cudnn_found"
        ].value
    ).endswith("cuda/lib64/libcudnn.so.9.1.0")
    assert (
        machine_facts.library_facts(found, {"LD_LIBRARY_PATH": f"{one}:{other}"})["library.cudnn_found"].value
        is None
    )


def test_full_asks_a_running_torch() -> None:
    found = machine_facts.machine_facts(full=True).facts
    import torch

    assert (
        found["torch.version"].value == torch.__version__
        and found["torch.version"].how == "torch.__version__"
    )
    assert [machine_facts.cudnn_release(number) for number in (90100, 8902, 8500)] == [
        "9.1.0",
        "8.9.2",
        "8.5.0",
    ]


def test_a_torch_in_the_current_directory(tmp_path: Path) -> None:
    assert machine_facts.shadow(tmp_path, True).value == "no"
    (tmp_path / "torch").mkdir()
    assert (
        machine_facts.shadow(tmp_path, True).value == "no"
    )  # a namespace package, which the installed one beats
    assert machine_facts.shadow(tmp_path, False).value == "yes"
    (tmp_path / "torch.py").touch()
    assert (machine_facts.shadow(tmp_path, True).value, machine_facts.shadow(tmp_path, True).how) == (
        "yes",
        "./torch.py",
    )


# --- whose Python --------------------------------------------------------------------------------------------------------


def traceback_through(
    root: object, path: str = "lib/python3.11/site-packages/torch/nn/modules/module.py"
) -> str:
    return f'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n  File "{root}/{path}", line 1501, in _call_impl\nRuntimeError: x'


def test_the_order_of_the_search(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    other = tmp_path / "other"
    shutil.copytree(made, other, symlinks=True)
    third = tmp_path / "third"
    shutil.copytree(made, third, symlinks=True)
    assert interpreters.locate(None, None) == interpreters.Located(sys.executable, "python_own")
    monkeypatch.setenv("CONDA_PREFIX", str(third))
    assert (interpreters.locate(None, "").path, interpreters.locate(None, "").chosen) == (
        str(third / "bin/python"),
        "python_conda_prefix",
    )
    monkeypatch.setenv("VIRTUAL_ENV", str(other))
    assert interpreters.locate(None, "").chosen == "python_virtual_env"
    named = interpreters.locate(None, traceback_through(made))
    assert named.chosen == "python_paste" and Path(named.path).parent == made / "bin"
    assert interpreters.locate(str(third / "bin/python"), traceback_through(made)).chosen == "python_given"
    elsewhere = interpreters.locate(None, traceback_through("/not/here"))
    assert (elsewhere.chosen, elsewhere.missed) == ("python_virtual_env", ("/not/here",))
    failed = str(third / "bin/python")
    assert interpreters.locate(None, "", failed) == interpreters.Located(failed, "python_last")
    assert interpreters.locate(None, traceback_through(made), failed).chosen == "python_paste"
    gone = interpreters.locate(None, "", str(tmp_path / "gone"))
    assert (gone.chosen, gone.missed) == ("python_virtual_env", (str(tmp_path / "gone"),))
    assert interpreters.locate(None, "", "python").chosen == "python_virtual_env"  # no path of a program
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))  # no torch, no Python in it
    assert interpreters.locate(None, None).chosen == "python_conda_prefix"


ROOTS = {
    "/opt/conda/envs/a b": 'File "{}/lib/python3.10/site-packages/torch/x.py", line 3, in f',
    "/opt/conda": "File {}/lib/python3.10/site-packages/torch/x.py:1501, in Module._call_impl(self)",
    "/opt/c": "{}/lib/python3.8/site-packages/torch/functional.py:504: UserWarning: x",
    "/venv": "ImportError: {}/lib64/python3.11/site-packages/torch/lib/libtorch_cuda.so: undefined symbol",
    "C:\\Users\\me\\envs\\dl": 'File "{}\\lib\\site-packages\\torch\\x.py", line 3, in f',
    "D:\\my code\\venv": 'File "{}\\Lib\\site-packages\\torch\\__init__.py", line 3',
    "/usr/local": 'File "{}/lib/python3.10/dist-packages/torch/x.py", line 3, in f',
}


@pytest.mark.parametrize("root", ROOTS)
def test_roots_in_pastes(root: str) -> None:
    line = "  " * ROOTS[root].startswith('File "') + ROOTS[root].format(root)
    assert [str(path) for path, _ in interpreters.environments_in(line)] == [root]


def test_a_path_of_another_system_is_nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`C:\\x` is a relative path on Linux: a folder of that name in the current directory must not be run."""
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "C:\\x" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.symlink_to(sys.executable)
    found = interpreters.locate(None, '  File "C:\\x\\lib\\site-packages\\torch\\a.py", line 1, in f')
    assert found.chosen != "python_paste" and found.missed[0] == "C:\\x"
    relative = interpreters.locate(
        None, '  File "venv/lib/python3.11/site-packages/torch/a.py", line 1, in f'
    )
    assert relative.chosen != "python_paste"


@pytest.mark.parametrize(
    "root",
    [
        pytest.param("/x\0y", id="NUL"),
        pytest.param("/x\ud800y", id="half a character"),
        pytest.param("/" + "x" * 390, id="a long name"),
        pytest.param("/net/evil.example/x", id="another machine"),
        pytest.param("/opt/../net/evil.example/x", id="another machine, in a roundabout way"),
        pytest.param(f"/proc/self/root{sys.prefix}", id="a process"),
    ],
)
def test_no_path_of_a_text_stops_the_search_for_a_python_or_asks_another_machine(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An automounter that hears of /net/host fetches what that host says is root's."""
    looked = []
    before = interpreters.python_under
    monkeypatch.setattr(
        interpreters, "python_under", lambda root, *more: looked.append(str(root)) or before(root, *more)
    )
    line = f'File "{root}/lib/python3.11/site-packages/torch/x.py", line 3, in f'
    found = interpreters.locate(None, line, failed=f"{root}/bin/python")
    assert not found.chosen.startswith(("python_paste", "python_last"))
    assert found.missed[:2] == (root, f"{root}/bin/python")
    assert not [name for name in looked if "/net/" in name or name.startswith("/proc")]


def test_an_environment_that_is_closed_to_this_user_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of root's container names /root/miniconda3: for others that is a folder that may not be entered."""

    def closed(root: Path, release: str | None = None) -> str | None:
        if str(root) == "/root/miniconda3":
            raise PermissionError(13, "Permission denied", str(root))
        return None

    monkeypatch.setattr(interpreters, "python_under", closed)
    line = 'File "/root/miniconda3/lib/python3.11/site-packages/torch/x.py", line 3, in f'
    assert interpreters.locate(None, line).missed[0] == "/root/miniconda3"


def test_a_text_of_thousands_of_environments_is_not_looked_for_whole() -> None:
    text = "".join(f'File "/x/{number}/lib/python3.11/site-packages/t.py"\n' for number in range(3000))
    missed = interpreters.locate(None, text).missed
    assert len([name for name in missed if name.startswith("/x/")]) == interpreters.MAX_ENVIRONMENTS


def test_a_users_own_packages_belong_to_the_python_on_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = f"{sys.version_info[0]}.{sys.version_info[1]}"
    tree(tmp_path / "home", **{f".local/lib/python{release}/site-packages/torch/version.py": ""})
    tree(tmp_path, **{f"path/python{release}": "#!/bin/sh\n"}).joinpath(f"path/python{release}").chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    found = interpreters.locate(
        None, f"File ~/.local/lib/python{release}/site-packages/torch/x.py:12, in f(x)"
    )
    assert (found.chosen, found.path) == ("python_paste", str(tmp_path / "path" / f"python{release}"))


@pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="giving a folder to another user needs root"
)
def test_a_program_that_somebody_planted_is_not_run(made: Path, tmp_path: Path) -> None:
    planted = tmp_path / "open" / "env"
    shutil.copytree(made, planted, symlinks=True)
    paste = traceback_through(planted)
    assert interpreters.locate(None, paste).chosen == "python_paste"
    os.chown(planted, 12345, 12345)
    (tmp_path / "open").chmod(0o777)
    assert interpreters.locate(None, paste).chosen != "python_paste"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="gives a folder to another user")
def test_an_environment_of_another_user_is_not_run(made: Path) -> None:
    """He alone may write to it, and he wrote the text that names it."""
    paste = traceback_through(made)
    assert interpreters.locate(None, paste).chosen == "python_paste"
    os.chown(made, 12345, 12345)
    try:
        assert interpreters.locate(None, paste).chosen != "python_paste"
    finally:
        os.chown(made, 0, 0)


# --- all together --------------------------------------------------------------------------------------------------------


def test_every_fact_is_known_or_says_why() -> None:
    from torchwhy.text.phrases import is_phrase

    facts = machine_facts.machine_facts()
    for name in FACT_NAMES:
        fact = facts.get(name)
        assert fact.how if fact.known else is_phrase(fact.unknown), name
        assert fact.unknown != "fact_not_looked", name
    assert facts.get("env.NCCL_DEBUG").known and not facts.get("env.AWS_SECRET_ACCESS_KEY").known
    assert facts.get("package.no-such-package").known
    assert (
        is_version("torch.cuda")
        and shown("shm.total", 64 << 20) == "64 MiB"
        and shown("ram.total", int(1.5 * GIB)) == "1.5 GiB"
    )


def test_gathering_is_quick_and_imports_nothing_heavy() -> None:
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        machine_facts.machine_facts()
        best = min(best, time.perf_counter() - start)
    assert best < 0.3
    assert not modules_after(
        "from torchwhy.machine.machine_facts import machine_facts\nmachine_facts()"
    ) & set(HEAVY)


def test_nothing_private_is_printed(torchwhy: Run, tmp_path: Path) -> None:
    home = tmp_path / "zebrahome"
    tree(home / "cuda", **{"libcudnn.so.9": ""})
    env = {
        "HOME": str(home),
        "USER": "zebrauser",
        "LOGNAME": "zebrauser",
        "LD_LIBRARY_PATH": str(home / "cuda"),
        "TORCH_HOME": f"{home}/models",
        "MASTER_ADDR": "node17.zebra.example",
        "NCCL_SOCKET_IFNAME": "eth0",
        "CUDA_VISIBLE_DEVICES": "GPU-8f3c2d1a-1234-5678-9abc-def012345678",
        "TORCH_SERVE_TOKEN": "hunter2hunter2",
        "NCCL_COMM_ID": "10.17.18.19:4711",
        "NCCL_TOPO_FILE": "/data/zebrauser/topo.xml",
        "AWS_SECRET_ACCESS_KEY": "hunter2",
        "PYTORCH_NOTE": "\x1b[31mred /home/zebrafriend/x",
    }
    for words in (["machine"], ["machine", "--json"], ["machine", "--lang", "zh"]):
        done = torchwhy(*words, env=env)
        assert done.returncode == 0, done.stderr
        for secret in ("zebra", "hunter2", "8f3c2d1a", "10.17.18.19", "\x1b", "AWS_"):
            assert secret not in done.stdout, (secret, words)
        host = platform.node().split(".")[0]
        if len(host) >= 4 and host.lower() not in ("localhost", "torch", "work"):
            assert not re.search(rf"(?<![\w.-]){re.escape(host)}(?![\w-])", done.stdout)
    assert (
        "~/cuda/libcudnn.so.9" in done.stdout
        and "~/models" in done.stdout
        and "`set`" in done.stdout
        and "eth0" in done.stdout
    )


def test_the_report(torchwhy: Run, made: Path) -> None:
    english = torchwhy("machine", "--python", str(made / "bin/python"))
    assert english.returncode == 0 and english.stderr == ""
    assert (
        english.stdout.startswith("# This machine\n")
        and "torch 2.3.1+cu121 (from --python)" in english.stdout
    )
    for heading in (
        "## GPU and driver",
        "## Python, torch and libraries",
        "## Memory and disk",
        "## System and limits",
    ):
        assert heading in english.stdout
    assert "## 内存与磁盘" in torchwhy("machine", "--lang", "zh").stdout
    data = json.loads(torchwhy("machine", "--json").stdout)
    follows_schema(data, "machine/machine.schema.json")
    assert set(FACT_NAMES) <= set(data["facts"]) and data["origin"] == "machine"
    assert all((row["unknown"] is None) or row["value"] is None for row in data["facts"].values())
    assert "驱动列出的 GPU 数量" in torchwhy("kb", "facts", "--lang", "zh").stdout
    for words, said in (
        (["machine", "--python", "/no/such"], "no such program"),
        (["machine", "--report", "/no/such"], "cannot be read"),
        (["--python", "python", "x"], "goes with"),
    ):
        done = torchwhy(*words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1) and said in done.stderr


def test_a_rule_without_its_facts_says_nothing(assistant: Assistant) -> None:
    from torchwhy.answers.weigh import fact_reasons
    from torchwhy.knowledge.facts import Fact

    entry = assistant.pitfall("dataloader-bus-error-shm")

    def said(**values) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
        facts = Facts(
            "machine", {name.replace("_", ".", 1): Fact(value, "test") for name, value in values.items()}
        )
        return [(reason.speaks, reason.values) for reason in fact_reasons(entry, facts)]

    assert said() == []
    assert said(shm_total=64 << 20) == [("for", (("shm.total", "64 MiB"),))]
    assert said(shm_free=16 * GIB, shm_total=16 * GIB) == [("against", (("shm.free", "16 GiB"),))]
    assert said(container="no") == []
    # `== none` asks for what is known to be missing, not for what nobody knows.
    cpu = assistant.pitfall("torch-without-cuda")
    assert fact_reasons(cpu, Facts("machine", {})) == ()
    assert [
        reason.speaks
        for reason in fact_reasons(cpu, Facts("machine", {"torch.cuda": Fact(None, "torch/version.py")}))
    ] == ["for"]


def test_facts_in_an_answer(torchwhy: Run) -> None:
    paste = "RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory."
    plain = torchwhy("--json", paste)
    assert (
        "fact" not in {reason["kind"] for reason in json.loads(plain.stdout)["match"]["why"]}
        and json.loads(plain.stdout)["machine"] is None
    )
    command = (
        f"mount -t tmpfs -o size=64m tmpfs /dev/shm && exec {sys.executable} -m torchwhy --full --machine"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}
    for lang, line in (
        ("en", "- this machine: /dev/shm is small here (`shm.total = 64 MiB`)"),
        ("zh", "- 这台机器：这台机器的 /dev/shm 很小（`shm.total = 64 MiB`）"),
    ):
        done = subprocess.run(
            ["unshare", "-Urm", "bash", "-c", f'{command} --lang {lang} "$0"', paste],
            capture_output=True,
            text=True,
            env=env,
            check=False,
        )
        if "mount" in done.stderr or "unshare" in done.stderr:
            pytest.skip(f"no mount namespaces here: {done.stderr.strip()[:100]}")
        assert line in done.stdout, done.stdout + done.stderr
        assert (
            f"torch {json.loads(torchwhy('machine', '--json').stdout)['facts']['torch.version']['value']}"
            in done.stdout
        )


def test_machine_is_a_command_only_alone() -> None:
    from torchwhy.cli.arguments import parse_line

    assert (
        parse_line(["machine"])[0] == "machine"
        and parse_line(["machine", "--full", "--json"])[0] == "machine"
    )
    assert parse_line(["machine", "freezes", "when", "I", "call", "backward"])[0] == "ask"
    assert parse_line(["--machine", "--python", "python3", "RuntimeError: x"])[1].machine


def test_facts_decide_between_two_that_the_text_leaves_close(assistant: Assistant) -> None:

    from torchwhy.answers.weigh import FACT_ODDS, with_facts
    from torchwhy.knowledge.facts import Fact

    text = "torch.cuda.is_available() returns False"
    plain = assistant.ask(text)
    pick = {item.id: item for item in plain.candidates}
    first, second = pick["torch-without-cuda"], pick["driver-too-old"]
    close = plain._replace(
        candidates=(second._replace(probability=0.4), first._replace(probability=0.38)),
        match=second._replace(probability=0.4),
        none=0.1,
    )
    build_without_cuda = Facts("machine", {"torch.cuda": Fact(None, "torch/version.py")})
    weighed = with_facts(close, build_without_cuda)
    assert [item.id for item in weighed.candidates] == [
        "torch-without-cuda",
        "driver-too-old",
    ] and weighed.match is weighed.candidates[0]
    ratio = weighed.candidates[0].probability / weighed.candidates[1].probability
    assert ratio == pytest.approx(0.38 * FACT_ODDS / 0.4, rel=0.01)
    assert sum(item.probability for item in weighed.candidates) + weighed.none + 0.12 / 1.38 == pytest.approx(
        1, abs=0.01
    )
    # The same facts once more change nothing, and facts that say nothing change nothing.
    assert [item.probability for item in with_facts(weighed, build_without_cuda).candidates] == [
        item.probability for item in weighed.candidates
    ]
    assert [item.probability for item in with_facts(close, Facts("machine", {})).candidates] == [0.4, 0.38]
    # What the text does not answer stays unanswered.
    assert with_facts(close._replace(match=None), build_without_cuda).match is None


@pytest.mark.skipif(os.name != "posix", reason="plants programs of a POSIX shell")
@pytest.mark.parametrize("part", ["", "."])
def test_no_program_of_the_current_folder_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """A PATH with an empty part means the current folder too, which a stranger may have filled."""
    here, real = tmp_path / "here", tmp_path / "real"
    (here / "bin").mkdir(parents=True)
    real.mkdir()
    for name in ("g++", "clang++", "gcc", "nvcc", "bin/nvcc", "git", "python9.9"):
        (here / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (here / name).chmod(0o700)
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", f"{part}{os.pathsep}{real}")
    env = {"PATH": os.environ["PATH"]}
    assert toolchain.compiler(env)["compiler"].value == "no"
    assert toolchain.toolkit(env, tmp_path).value is None
    for name in ("./g++", "bin/../g++"):
        assert toolchain.compiler({**env, "CXX": name})["compiler"].value == "no"
    for name in (".", "bin/.."):
        assert toolchain.toolkit({**env, "CUDA_HOME": name}, tmp_path).value is None
    with pytest.raises(UsageError, match="--diff needs git"):
        sources.changed([], "HEAD")
    assert sandbox_paths.of_environment(env) == []
    (tmp_path / "env/lib/python9.9/site-packages").mkdir(parents=True)
    named = interpreters.locate(None, f'File "{tmp_path}/env/lib/python9.9/site-packages/x.py"')
    assert named.path != "python9.9"
    assert not (tmp_path / "ran").exists()
    (real / "g++").symlink_to(shutil.which("true") or "/bin/true")
    assert toolchain.compiler(env)["compiler"].value == "yes"
