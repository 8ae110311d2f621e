"""Whose file a path names: the one answer for whatever reads a traceback."""

from __future__ import annotations

import re

from torchwhy.text.lazy_re import lazy_compile

INSTALLED = lazy_compile(r"(?:^|[/\\])(?:site|dist)-packages[/\\](.*)")
# Python's own library, in any installation; a user's folder may be called lib as well, hence the python
# beside it, and the drive where Windows has no such folder below lib.
STANDARD_LIBRARY = lazy_compile(
    r"(?i)[/\\]lib(?:64)?[/\\](?:python|pypy)3|^(?:[a-z]:|~).*[/\\](?:python(?:3\d+|[/\\]3\.\d+)?"
    r"|envs[/\\][^/\\]+|(?:ana|mini)conda\d?|(?:mini|mamba)forge\d?)[/\\]lib[/\\]"  # conda's too
)
# A build of torch from its sources, which lies in no site-packages, in its repository's folder: a user's own
# may be called torch as well.
TORCH_SOURCES = lazy_compile(r"(?:^|[/\\])pytorch[^/\\]*[/\\]torch[/\\]")
NO_FILE = lazy_compile(
    r"^<(?!stdin>|ipython-input)|[/\\]bin[/\\][\w.-]+$|^(?:.*[/\\])?(?:runpy|importlib[/\\]\w+)\.py$"
)
TORCH_PACKAGES = frozenset(["torch", "torchgen", "functorch", "triton", "nvidia"])
EGG = lazy_compile(r"^([\w.]+?)-(\d+(?:\.\w+)+)(?:-py\d[\d.]*)?(?:-[\w-]+)?\.egg$")


def owner_of(file: str) -> str:
    """Whose file it is: "" the user's own, "python" Python's library, "torch", else a package's folder."""
    installed = INSTALLED.search(file)
    if installed:
        folder = re.split(r"[/\\]", installed[1])[0]
        egg = EGG.match(folder)
        name = egg[1] if egg else folder.removesuffix(".py")
        return "torch" if name in TORCH_PACKAGES else name
    if TORCH_SOURCES.search(file):
        return "torch"
    if STANDARD_LIBRARY.search(file) or NO_FILE.search(file):
        return "python"
    return ""
