"""What extensions and inductor would be built with: the C++ compiler and the CUDA toolkit, each where torch
looks for it.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from torchwhy.knowledge.facts import Fact
from torchwhy.runtime.system import program
from torchwhy.text.plain import plain
from torchwhy.text.whereabouts import shorten

from . import linux


def compiler(env: Mapping[str, str]) -> dict[str, Fact]:
    """A C++ compiler where inductor and the extension builder look: CXX, then the usual names on PATH; and
    its release.
    """
    for name in filter(None, (env.get("CXX", "").split(" ")[0], "g++", "clang++", "cl")):
        path = program(name, env.get("PATH"))
        if path:
            told = _first_version(path, "--version") if name != "cl" else None
            number = (
                Fact(told, shorten(path)) if told else Fact(unknown="fact_unreadable", detail=shorten(path))
            )
            return {"compiler": Fact("yes", shorten(path)), "compiler.version": number}
    return {"compiler": Fact("no", "PATH"), "compiler.version": Fact(None, "PATH")}


def toolkit(env: Mapping[str, str], root: Path) -> Fact:
    """The CUDA toolkit where torch's extension builder looks: CUDA_HOME, CUDA_PATH, nvcc on PATH,
    /usr/local/cuda.
    """
    nvcc = program("nvcc", env.get("PATH"))
    homes = [
        (env.get("CUDA_HOME") or env.get("CUDA_PATH"), "CUDA_HOME"),
        (str(Path(nvcc).parent.parent) if nvcc else None, "nvcc"),
    ]
    for home, how in (*homes, (str(root / "usr/local/cuda"), "/usr/local/cuda")):
        if not home:
            continue
        text = (linux.read(Path(home, "version.json")) or "") + (linux.read(Path(home, "version.txt")) or "")
        found = re.search(r'"cuda"\s*:\s*\{[^}]*?"version"\s*:\s*"([\d.]+)|CUDA Version ([\d.]+)', text)
        number = (
            found[1] or found[2]
            if found
            else _first_version(str(Path(home, "bin", "nvcc")), "--version", r"release ([\d.]+)")
            if os.path.isabs(home)  # what lies in the current folder is not started
            else None
        )
        if number:
            return Fact(number, how)
        if how == "CUDA_HOME":
            return Fact(None, f"CUDA_HOME={shorten(plain(home))}")  # it is believed, whatever lies there
    return Fact(None, "CUDA_HOME, PATH, /usr/local/cuda")


def _first_version(program: str, word: str, pattern: str = r"(?:^|[\s(])(\d+\.\d+(?:\.\d+)*)") -> str | None:
    """The release that a compiler tells of itself; None where it cannot be asked."""
    try:
        done = subprocess.run(
            [program, word],
            capture_output=True,
            timeout=5,
            check=False,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = re.findall(pattern, done.stdout)
    return said[0] if said else None
