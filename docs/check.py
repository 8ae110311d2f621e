"""Looking at a built site: every link leads to a page and a place on it, ids stand once, nothing is fetched
from elsewhere, no page is heavy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

MAX_PAGE_BYTES = 200_000  # of a page with all that it loads by itself
LOADED = {"script": "src", "img": "src", "link": "href", "source": "src", "iframe": "src"}
# elements of `link` that a browser does not fetch
UNFETCHED = ("alternate", "canonical")


@dataclass
class Parsed(HTMLParser):
    """What a page names: ids, addresses of links and of what it loads; its language, headings of level
    one.
    """

    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    lang: str = ""
    titles: int = 0

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        if "id" in named:
            self.ids.append(named["id"])
        if tag == "html":
            self.lang = named.get("lang", "")
        self.titles += tag == "h1"
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag == "form":
            self.links.append(named["action"])
        if tag in LOADED and LOADED[tag] in named:
            fetched = named.get("rel") not in UNFETCHED
            (self.loads if fetched else self.links).append(named[LOADED[tag]])


def parsed(path: Path) -> Parsed:
    """One built page."""
    found = Parsed()
    found.feed(path.read_text("utf-8"))
    return found


def problems(folder: Path) -> list[str]:
    """What is wrong with a built site, one line each."""
    found = {path.relative_to(folder).as_posix(): parsed(path) for path in sorted(folder.rglob("*.html"))}
    return [f"{name}: {problem}" for name in found for problem in _problems(folder, name, found)]


def _problems(folder: Path, name: str, pages: dict[str, Parsed]) -> Iterator[str]:
    page = pages[name]
    yield from (f"the id {id} stands twice" for id, count in Counter(page.ids).items() if count > 1)
    if page.titles != 1:
        yield f"{page.titles} headings of level one"
    wanted = "zh-Hans" if name.startswith("zh/") else "en"
    if page.lang != wanted:
        yield f"its language is {page.lang}, wanted {wanted}"
    size = (folder / name).stat().st_size
    for address in page.loads:
        place = _file(name, address)
        if place is None or not (folder / place).is_file():
            yield f"loads {address}, which is no file of this site"
        else:
            size += (folder / place).stat().st_size
    if size > MAX_PAGE_BYTES:
        yield f"{size:,} bytes with all that it loads, more than {MAX_PAGE_BYTES:,}"
    for address in dict.fromkeys(page.links):
        place = _file(name, address)
        if place is None:
            if urlsplit(address).scheme != "https" and urlsplit(address).scheme != "http":
                yield f"leads to {address}"
            continue
        anchor = unquote(urlsplit(address).fragment)
        if place not in pages:
            if not (folder / place).is_file():
                yield f"leads to {address}, where nothing is"
        elif anchor and anchor not in pages[place].ids:
            yield f"leads to {address}, where no {anchor} is"


def _file(name: str, address: str) -> str | None:
    """The file of this site that an address on a page means; None of another site's."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    place = list(PurePosixPath(name).parent.parts)
    for part in unquote(parts.path).split("/"):
        if part == "..":
            if not place:
                return "../" + address
            place.pop()
        elif part not in ("", "."):
            place.append(part)
    if not parts.path:
        return name
    return "/".join([*place, "index.html"]) if parts.path.endswith("/") else "/".join(place)
