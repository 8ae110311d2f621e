"""Building the site into a folder: every page, its assets, the search tables, llms.txt."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.knowledge.load import Knowledge, load_documents, load_knowledge
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.text.plain import escaped

from .guides import guide_pages, start_pages
from .index_pages import index_pages
from .knowledge_pages import entry_pages, family_pages
from .reference import reference_pages
from .render import Page, filled, whole
from .search_tables import tables

ASSETS = Path(__file__).parent / "assets"
OWN_MARK = ".torchwhy-site"  # in a folder that a build made, and may empty


def shipped_knowledge() -> Knowledge:
    """The shipped knowledge base. Raises KnowledgeError."""
    from torchwhy.runtime import locations

    return load_knowledge(
        [knowledge_roots(None)[0]], load_documents(locations.shipped("data") / "documents.yaml")
    )


def pages(knowledge: Knowledge) -> Iterator[Page]:
    """Every page of the site."""
    yield from start_pages(knowledge)
    yield from entry_pages(knowledge)
    yield from family_pages(knowledge)
    yield from index_pages(knowledge)
    yield from guide_pages()
    yield from reference_pages()


def build(folder: Path) -> int:
    """Write the site; what an earlier build left in the folder goes. The number of pages.

    Raises UsageError for a folder that holds something else, or that cannot be written.
    """
    try:
        _emptied(folder)
        shutil.copytree(ASSETS, folder / "assets")
        knowledge = shipped_knowledge()
        count = 0
        for page in pages(knowledge):
            _write(folder / page.address / "index.html", whole(page))
            count += 1
        table = json.dumps(tables(knowledge), ensure_ascii=False, separators=(",", ":"))
        _write(folder / "assets" / "tables.json", table)
        _write(folder / "llms.txt", llms_text(knowledge))
    except OSError as error:
        raise UsageError(f"{escaped(folder)}: cannot be written ({error.strerror})") from error
    return count


def llms_text(knowledge: Knowledge) -> str:
    """What torchwhy is and where its pages are, for programs that read rather than look."""
    families, entries = knowledge.families.values(), list(knowledge.pitfalls.values())
    return str(filled("llms", "en", families=families, entries=entries))


def _emptied(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        if not (folder / OWN_MARK).exists():
            raise UsageError(
                f"{escaped(folder)}: holds something that is no site; name an empty or a new folder"
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / OWN_MARK).touch()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
