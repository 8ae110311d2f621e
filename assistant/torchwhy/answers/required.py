"""What a package's own metadata, installed beside it, says of another one that its code asks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from torchwhy.paste.out_of_step import out_of_step
from torchwhy.paste.owner import INSTALLED
from torchwhy.paste.paste import Paste
from torchwhy.paste.place import is_far
from torchwhy.text.phrases import phrase


class Required(NamedTuple):
    """Two packages and their releases; `wants`: what the first requires of the second, "" for any."""

    asker: str
    release: str
    lacker: str
    installed: str
    wants: str

    def words(self, lang: str) -> str:
        """Whether they fit by their own word, in a sentence."""
        from packaging.specifiers import SpecifierSet

        fits = SpecifierSet(self.wants).contains(self.installed, prereleases=True)
        return phrase("required_fits" if fits else "required", lang, **self._asdict())


def required(paste: Paste) -> Required | None:
    """What is installed where the traceback's line lies, on this machine; None where nothing is known."""
    step = out_of_step(paste)
    place = INSTALLED.search(step.file) if step is not None else None
    if step is None or place is None or not step.lacker or step.lacker == step.asker or is_far(step.file):
        return None
    from importlib.metadata import distributions

    folder = step.file[: place.start(1)]
    asker = next(iter(distributions(name=step.asker, path=[folder])), None)
    lacker = next(iter(distributions(name=step.lacker, path=[folder])), None)
    if asker is None or lacker is None or not _is_release(lacker.version):
        return None
    wants = _wants(asker.requires or (), step.lacker)
    return Required(step.asker, asker.version, step.lacker, lacker.version, wants)


def _is_release(version: str) -> bool:
    """Whether it can be compared: a package's metadata may hold anything."""
    from packaging.version import InvalidVersion, Version

    try:
        Version(version)
    except InvalidVersion:
        return False
    return True


def _wants(requirements: Iterable[str], name: str) -> str:
    """The releases of that package in a list of requirements, without those of extras; "" for any."""
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    for text in requirements:
        try:
            each = Requirement(text)
        except InvalidRequirement:
            continue
        meant = each.marker is None or each.marker.evaluate({"extra": ""})
        if meant and canonicalize_name(each.name) == canonicalize_name(name):
            return str(each.specifier)
    return ""
