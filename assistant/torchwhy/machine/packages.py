"""Which packages an environment holds, by its files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

SITE = ("lib*/python*/site-packages", "Lib/site-packages")
MAX_PTH_FILES, MAX_PTH_BYTES = 50, 4000


def has_package(root: Path, name: str) -> bool:
    """Whether a folder of packages of this environment holds this one, or one that its .pth files add."""
    parts = (name, f"{name}.py", f"{name}-*.dist-info", f"{name}.egg-link")
    sites = [site for each in SITE for site in root.glob(each)]
    sites += [added for site in sites for added in _added(site)]
    return any(any(site.glob(part)) for site in sites for part in parts)


def _added(site: Path) -> Iterator[Path]:
    """The folders that the .pth files of a folder of packages add to the path."""
    for file in islice(site.glob("*.pth"), MAX_PTH_FILES):
        lines = file.read_bytes()[:MAX_PTH_BYTES].decode(errors="replace").splitlines()
        yield from (site / line for line in lines if line.strip() and not line.startswith(("import", "#")))
