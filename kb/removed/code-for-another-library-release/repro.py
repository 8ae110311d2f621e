"""A project was written for release 1 of a library, whose layer took `attn_implementation`; release 2 is installed and does not. With the
release of the project's time it runs. Both releases are made in a temporary folder."""

import subprocess
import sys
import tempfile
from pathlib import Path

RELEASES = {
    "1.0": "class Attention:\n    def __init__(self, width, attn_implementation='eager'):\n        self.width = width\n",
    "2.0": "class Attention:\n    def __init__(self, width, *, kernel='sdpa'):\n        self.width = width\n",
}
PROJECT = "from toylib import Attention\nprint(Attention(64, attn_implementation='eager').width)\n"


def run(release):
    with tempfile.TemporaryDirectory() as folder:
        packages = Path(folder) / "site-packages"
        packages.mkdir()
        (packages / "toylib.py").write_text(RELEASES[release])
        (Path(folder) / "project.py").write_text(f"import sys\nsys.path.insert(0, {str(packages)!r})\n" + PROJECT)
        done = subprocess.run([sys.executable, str(Path(folder) / "project.py")], check=False)
    if done.returncode:
        sys.exit(1)


def broken():
    run("2.0")


def fixed():
    run("1.0")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
