"""Python is started in a folder that holds the Python files of torch and a folder torch/_C, as PyTorch's source tree does: that is
what `import torch` finds. Started elsewhere, it finds the installed one."""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path


def source_tree(folder):
    """The files of torch, but for the compiled part, which the source has as a folder of type stubs."""
    installed = Path(importlib.util.find_spec("torch").origin).parent
    (folder / "torch" / "_C").mkdir(parents=True)
    for item in installed.iterdir():
        if not item.name.startswith("_C"):
            (folder / "torch" / item.name).symlink_to(item)


def start(where):
    with tempfile.TemporaryDirectory() as folder:
        source_tree(Path(folder))
        done = subprocess.run([sys.executable, "-c", "import torch; print(torch.ones(2))"], cwd=where(folder), check=False)
    sys.exit(done.returncode)


def broken():
    start(lambda folder: folder)


def fixed():
    start(lambda folder: None)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
