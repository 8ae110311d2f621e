"""An old huggingface_hub is found first on the path (as its metadata, in a temporary folder): transformers refuses to be imported.
With the release that it was installed with, the same import works."""

import importlib
import sys
import tempfile
from pathlib import Path


def put_in_front(name, version):
    """What an installation of another release leaves: a dist-info folder in a directory that stands earlier on sys.path."""
    folder = Path(tempfile.mkdtemp())
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    sys.path.insert(0, str(folder))


def broken():
    put_in_front("huggingface_hub", "0.10.0")
    importlib.import_module("transformers")


def fixed():
    print(importlib.import_module("transformers").__version__)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
