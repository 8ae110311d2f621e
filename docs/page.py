"""What a page is before it is written: its address, language, title and content."""

from __future__ import annotations

from dataclasses import dataclass

LANGS = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    `path` is its address below the root of its language, such as `p/ID/` ("" for the first page); `both` says
    whether the other language has it as well; `script` names a module of assets/ that it loads.
    """

    path: str
    lang: str
    title: str
    description: str
    content: str
    both: bool = True
    script: str = ""

    @property
    def address(self) -> str:
        """Below the site's root, language included."""
        return address(self.path, self.lang)


def address(path: str, lang: str) -> str:
    """The address of a page below the site's root, where Chinese stands below `zh/`."""
    return f"zh/{path}" if lang == "zh" else path


def up(place: str) -> str:
    """The way from a page's address to the site's root, as a relative address ("./" from the root itself)."""
    return "../" * place.count("/") or "./"
