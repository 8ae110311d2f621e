"""A stand-in for torch is installed as 2.0+cu1; installing a package that wants "<2" replaces it without asking. With the installed
release as a constraint pip refuses instead, and the build stays."""

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ALONE = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
ALONE["PIP_CONFIG_FILE"] = os.devnull  # no pip.conf of the machine, the user or the environment


def wheel(folder, name, version, requires=""):
    info = f"{name}-{version}.dist-info"
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + (f"Requires-Dist: {requires}\n" if requires else "")
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", f"version = {version!r}\n")
        archive.writestr(f"{info}/METADATA", text)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: repro\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


def install_extra(*options):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel(folder, "standin_torch", "2.0+cu1")
        wheel(folder, "standin_torch", "1.9")
        wheel(folder, "standin_extra", "1.0", "standin_torch<2")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
        python = next(path for path in (folder / "env/bin/python", folder / "env/Scripts/python.exe") if path.exists())
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--disable-pip-version-check", "--no-index", "--find-links", name]
        subprocess.run([*pip, "standin_torch==2.0+cu1"], env=ALONE, check=True)
        (folder / "constraints.txt").write_text("standin_torch==2.0+cu1\n")
        options = [option.replace("FOLDER", name) for option in options]
        status = subprocess.run([*pip, "standin_extra", *options], env=ALONE, capture_output=True).returncode
        after = subprocess.run([python, "-c", "import standin_torch; print(standin_torch.version)"], capture_output=True, text=True)
    after = after.stdout.strip()
    print(json.dumps({"before": "2.0+cu1", "after": after, "pip_status": status}))
    if after != "2.0+cu1":
        sys.exit(f"symptom: pip ended with status {status} and put {after} in the place of 2.0+cu1")


def broken():
    install_extra()


def fixed():
    install_extra("-c", "FOLDER/constraints.txt")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
