"""Where an entry's or a family's page stands on the documentation site, where the setting names one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from torchwhy.errors import UsageError
from torchwhy.runtime import settings
from torchwhy.runtime.locations import shipped
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.plain import escaped

from .files import FAMILIES_FOLDER

if TYPE_CHECKING:
    from .entry import Pitfall
    from .family import Family

ID = lazy_compile(r"[\w-]+")


def page_of_entry(entry: Pitfall, lang: str) -> str | None:
    """The address of an entry's page; None where no site is set, and for an entry of a user's own knowledge.

    Raises UsageError where the setting is no web address.
    """
    own = not Path(entry.folder).resolve().is_relative_to(shipped("kb").resolve())
    return None if own else _page(f"p/{entry.id}/", lang)


def page_of_id(id: str, lang: str) -> str | None:
    """The address of the page of the shipped entry or family of that name, as `page_of_entry`."""
    if not settings.SITE.read() or not ID.fullmatch(id):
        return None
    if (shipped("kb") / FAMILIES_FOLDER / f"{id}.yaml").is_file():
        return _page(f"f/{id}/", lang)
    known = next(shipped("kb").glob(f"*/{id}/pitfall.yaml"), None)
    return _page(f"p/{id}/", lang) if known else None


def page_of_family(family: Family, lang: str) -> str | None:
    """The address of a family's page, as `page_of_entry`."""
    own = not (shipped("kb") / FAMILIES_FOLDER / f"{family.id}.yaml").is_file()
    return None if own else _page(f"f/{family.id}/", lang)


def _page(path: str, lang: str) -> str | None:
    site = settings.SITE.read()
    if not site:
        return None
    if not site.startswith(("https://", "http://")) or any(character.isspace() for character in site):
        raise UsageError(
            f"{settings.SITE.name}={escaped(site)}: wanted an address such as https://docs.example.org/"
        )
    return f"{escaped(site).rstrip('/')}/{'zh/' if lang == 'zh' else ''}{path}"
