"""The one place that knows where things are: the knowledge base, the documents, the cache. Never the current
directory.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from . import settings

PACKAGE = Path(__file__).resolve().parent.parent
IN_CHECKOUT = {"kb": "kb", "data": "data/shipped"}  # the rest of a checkout's data/ is for maintainers


class HomeError(OSError):
    """A path begins with `~`, and whose home that is nobody knows; the message says what to do."""


def is_checkout() -> bool:
    """Whether this package lies in its own source tree (a checkout or an editable install), not where a wheel
    put it.
    """
    return _is_source_tree(PACKAGE.parent.parent)


@lru_cache(maxsize=8)
def _is_source_tree(root: Path) -> bool:
    try:
        return (root / "kb").is_dir() and 'name = "torchwhy"' in (root / "pyproject.toml").read_text("utf-8")
    except OSError:
        return False


def shipped(name: str) -> Path:
    """`kb` or `data` as shipped: the checkout's `kb/` or `data/shipped/`, else what the wheel carries inside
    the package.

    hatchling's force-include copies once and an editable install does not see it, hence this order.
    """
    return PACKAGE.parent.parent / IN_CHECKOUT[name] if is_checkout() else PACKAGE / "_shipped" / name


def is_installation(folder: Path) -> bool:
    """Whether a folder is a part of an installed torchwhy or of any package, or of a checkout that this user
    may only read: no place to write to.
    """
    installed = {"site-packages", "dist-packages"} & set(folder.parts)
    kb = shipped("kb").resolve()
    return bool(installed) or folder.is_relative_to(PACKAGE) or (folder == kb and not os.access(kb, os.W_OK))


def compiled_knowledge() -> Path:
    """Where the build of a wheel, or of an editable install, puts the compiled form of the shipped
    knowledge.
    """
    return PACKAGE / "_shipped" / "knowledge"


def documents() -> Path:
    return shipped("data") / "documents.yaml"


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can look into; torchwhy's own is closed to others. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix" and folder.name == "torchwhy" and folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def expanded(named: str) -> Path:
    """A path as it was named, `~` and `~user` written out. Raises HomeError for a user that nobody is."""
    try:
        return Path(named).expanduser()
    except RuntimeError as error:
        raise HomeError(f"{named}: no home folder is known for it; write the path out") from error


def cache_folder() -> Path:
    """The user's cache folder for everything that is built; TORCHWHY_CACHE moves it."""
    named = settings.CACHE.read()
    if named:
        return expanded(named)
    import platformdirs

    return _users_own(platformdirs.user_cache_dir, ".cache")


def data_folder() -> Path:
    """The user's data folder (history, evidence of this machine); TORCHWHY_DATA moves it."""
    named = settings.DATA.read()
    if named:
        return expanded(named)
    import platformdirs

    return _users_own(platformdirs.user_data_dir, ".local/share")


def _users_own(find: Callable[..., str], in_home: str) -> Path:
    """The folder that `find` of platformdirs names; one of the home as the system knows it (`/` for a user
    that it does not know) where that would lie in the current folder: by a relative variable or home, and
    for a user without either. A repository could bring such a folder along, with a yes to its scripts.
    """
    try:
        found = Path(find("torchwhy", appauthor=False))
        if found.is_absolute():
            return found
    except RuntimeError:  # no home is known
        pass
    try:
        import pwd

        home = pwd.getpwuid(os.geteuid()).pw_dir
    except (ImportError, KeyError):
        home = ""
    return Path(home if os.path.isabs(home) else os.sep, in_home, "torchwhy")
