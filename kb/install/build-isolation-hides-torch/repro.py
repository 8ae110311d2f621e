"""A throw-away package whose build backend imports torch, as setup.py of a CUDA extension does: pip runs it in an empty environment and
torch is not there. Without build isolation it is."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ALONE = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
ALONE["PIP_CONFIG_FILE"] = os.devnull  # no pip.conf of the machine, the user or the environment
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
BACKEND = '''
from pathlib import Path


def get_requires_for_build_wheel(config_settings=None):
    import torch  # what setup.py does with torch.utils.cpp_extension

    return []


def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = Path(folder) / "extension-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\\nName: extension\\nVersion: 1.0\\n")
    (info / "WHEEL").write_text("Wheel-Version: 1.0\\nGenerator: repro\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    return info.name
'''


def install(*options):
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        print("this interpreter has no pip", file=sys.stderr)
        sys.exit(125)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pyproject.toml").write_text(PROJECT)
        (Path(folder) / "backend.py").write_text(BACKEND)
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--no-deps", *options, folder]
        sys.exit(subprocess.run(command, env=ALONE, check=False).returncode)


def broken():
    install()


def fixed():
    install("--no-build-isolation")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
