"""What MkDocs is given: the pages as Markdown, the search's tables, llms.txt. All texts are CommonMark."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from xml.etree import ElementTree

import jinja2
from markdown import Markdown
from markdown.extensions import Extension
from markdown_it import MarkdownIt
from mkdocs.commands import build as mkdocs
from mkdocs.config.base import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as Written
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from torchwhy.errors import UsageError
from torchwhy.knowledge.load import Knowledge, load_documents, load_knowledge
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.runtime import locations
from torchwhy.text.plain import escaped
from torchwhy.version import __version__

from .guides import DOCUMENTS, guide_pages, start_pages
from .index_pages import index_pages
from .knowledge_pages import entry_pages, family_pages
from .pages import HERE, page, root, say
from .record import ROOT
from .reference import reference_pages
from .search_tables import tables

OWN_MARK = ".torchwhy-site"  # in a folder that a build made, and may empty
LINK = re.compile(r"!?\[([^\[\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def shipped_knowledge() -> Knowledge:
    """The shipped knowledge base. Raises KnowledgeError."""
    documents = load_documents(locations.shipped("data") / "documents.yaml")
    return load_knowledge([knowledge_roots(None)[0]], documents)


def build(folder: Path) -> int:
    """Write the site, with every link checked; what an earlier build left goes. The number of pages.

    Raises UsageError for a folder that holds something else or cannot be written, MkDocsException for a
    wrong link.
    """
    try:
        if folder.is_dir() and any(folder.iterdir()) and not (folder / OWN_MARK).exists():
            raise UsageError(
                f"{escaped(folder)}: holds something that is no site; name an empty or a new folder"
            )
        folder.mkdir(parents=True, exist_ok=True)
        (folder / OWN_MARK).touch()
        config = load_config(str(HERE / "mkdocs.yml"), site_dir=str(folder.resolve()))
        config.plugins["torchwhy"] = _Site()
        logging.getLogger("mkdocs").addHandler(logging.StreamHandler())  # which link is wrong
        mkdocs.build(config)
    except OSError as error:
        raise UsageError(f"{escaped(folder)}: cannot be written ({error.strerror})") from error
    return len(list(folder.rglob("index.html")))


def _coloured(code: str, language: str, _: str) -> str:
    return str(highlight(code, get_lexer_by_name(language), HtmlFormatter(nowrap=True))) if language else ""


class CommonMark(Extension):  # type: ignore[misc]  # Markdown has no types
    """The dialect that the texts are written in, in place of Markdown's own; HTML in a text is text."""

    def extendMarkdown(self, md: Markdown) -> None:
        options = {"html": False, "xhtmlOut": True, "highlight": _coloured}
        parser = MarkdownIt("commonmark", options).enable("table")

        def parsed(lines: list[str]) -> ElementTree.ElementTree[ElementTree.Element]:
            html = parser.render("\n".join(lines))
            return ElementTree.ElementTree(ElementTree.fromstring(f"<div>{html}</div>"))  # noqa: S314  # our own

        for name in ("html_block", "normalize_whitespace", "fenced_code_block"):
            md.preprocessors.deregister(name, strict=False)
        md.treeprocessors.deregister("inline")
        md.parser.parseDocument = parsed


class _Site(BasePlugin):  # type: ignore[misc]
    def on_config(self, config: MkDocsConfig) -> None:
        config.markdown_extensions.append(CommonMark())

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """The theme's files, and ours in place of those of guides/."""
        knowledge = shipped_knowledge()
        made = {
            "llms.txt": llms_text(knowledge),
            "assets/tables.json": json.dumps(tables(knowledge), ensure_ascii=False, separators=(",", ":")),
        }
        kinds = (start_pages, entry_pages, family_pages, index_pages, guide_pages, reference_pages)
        for one in (one for kind in kinds for one in kind(knowledge)):
            about = {**one._asdict(), "text": "", "other": one.other}
            head = json.dumps(about, ensure_ascii=False)
            made[root(one.lang) + one.path] = f"---\n{head}\n---\n{one.text}"
        ours = [File.generated(config, path, content=content) for path, content in made.items()]
        return Files([*(file for file in files if not file.is_documentation_page()), *ours])

    def on_page_markdown(self, text: str, *, page: Written, config: MkDocsConfig, files: Files) -> str:
        """In a document of the tree links to files that are no part of the site become text."""
        place = Path("/", page.file.src_uri)

        def kept(found: re.Match[str]) -> str:
            target = (place.parent / found[2]).resolve().relative_to("/").as_posix()
            return found[0] if ":" in found[2] or files.get_file_from_path(target) else found[1]

        if ROOT / page.file.src_uri not in DOCUMENTS:
            return text
        return LINK.sub(kept, re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL))

    def on_env(self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files) -> None:
        env.globals.update(say=say, version=__version__)


def llms_text(knowledge: Knowledge) -> str:
    """What torchwhy is and where its pages are, for programs that read rather than look."""
    families, entries = knowledge.families.values(), list(knowledge.pitfalls.values())
    return page("llms.txt", "llms.txt", "en", "", families=families, entries=entries).text
