"""The one place that knows where things are: the knowledge base, the documents, the cache. Never the current directory."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import KnowledgeError

PACKAGE = Path(__file__).resolve().parent


def _is_checkout(root: Path) -> bool:
    """Whether `root` is this project's own source tree (a checkout or an editable install)."""
    try:
        return 'name = "torchwhy"' in (root / "pyproject.toml").read_text(encoding="utf-8") and (root / "kb").is_dir()
    except OSError:
        return False


def shipped(name: str) -> Path:
    """`kb` or `data` as shipped: the checkout's, else what the wheel carries inside the package.

    hatchling's force-include copies once and an editable install does not see it, hence this order.
    """
    root = PACKAGE.parent
    return root / name if _is_checkout(root) else PACKAGE / "_shipped" / name


def knowledge_roots(extra: str | os.PathLike[str] | None = None) -> list[Path]:
    """The shipped knowledge base, then the folders of `extra` or TORCHWHY_KB (several: separated like PATH).

    Raises KnowledgeError where a folder does not exist.
    """
    roots = [shipped("kb")]
    named = os.fspath(extra) if extra is not None else os.environ.get("TORCHWHY_KB", "")
    for part in named.split(os.pathsep):
        if part:
            folder = Path(part).expanduser().resolve()
            if not folder.is_dir():
                raise KnowledgeError(f"{part}: no such knowledge base folder (from --kb or TORCHWHY_KB)")
            if folder not in roots:
                roots.append(folder)
    return roots


def documents() -> Path:
    return shipped("data") / "documents.yaml"


def cache_folder() -> Path:
    """The user's cache folder for everything that is built; TORCHWHY_CACHE moves it."""
    named = os.environ.get("TORCHWHY_CACHE")
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("torchwhy", appauthor=False))


def data_folder() -> Path:
    """The user's data folder (history, evidence of this machine); TORCHWHY_DATA moves it."""
    named = os.environ.get("TORCHWHY_DATA")
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("torchwhy", appauthor=False))
