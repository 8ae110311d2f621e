"""A folder of (empty) wheels stands for the index: torch 1.8.1 was built for Python 3.8 only, 2.2.2 and 2.13.0 for this one too.
pip refuses the pinned old release and takes one that has a wheel for this Python."""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ALONE = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
ALONE["PIP_CONFIG_FILE"] = os.devnull  # no pip.conf of the machine, the user or the environment
THIS = f"cp{sys.version_info.major}{sys.version_info.minor}"


def wheel(folder, release, python):
    tag, info = f"{python}-none-any", f"torch-{release}.dist-info"
    with zipfile.ZipFile(Path(folder, f"torch-{release}-{tag}.whl"), "w") as file:
        file.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {release}\n")
        file.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: repro\nRoot-Is-Purelib: true\nTag: {tag}\n")
        file.writestr(f"{info}/RECORD", "")


def install(release):
    with tempfile.TemporaryDirectory() as index:
        wheel(index, "1.8.1", "cp38")
        wheel(index, "2.2.2", THIS)
        wheel(index, "2.13.0", THIS)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install"]
        options = ["--no-index", "--find-links", index, "--no-deps", "--target", str(Path(index, "site"))]
        done = subprocess.run([*pip, *options, f"torch=={release}"], env=ALONE, check=False)
    sys.exit(done.returncode)


def broken():
    install("1.8.1")


def fixed():
    install("2.2.2")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
