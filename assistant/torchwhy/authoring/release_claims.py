"""The law of releases: "since X" was seen, or stands somewhere.

What changed says since when, and a release that nobody looked up is a guess. Such a claim about torch is
supported by a recorded run of that release (the shipped evidence, `printed.yaml`), by a signature's
`releases` that names it, by what the entry needs, or by a source whose title or address names the release.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.recorded_proofs import GOOD, files, shipped_folder
from torchwhy.knowledge.texts import file_of, texts_of

from .example_records import read_records

RELEASE = r"(?:PyTorch |torch |Torch )?v?([0-2]\.\d{1,2}(?:\.\d)?)(?![\d.]*\d)"
SINCE = (
    re.compile(rf"\b[Ss]ince (?:the release )?{RELEASE}"),
    re.compile(rf"\b[Ff]rom {RELEASE}(?:\.0)? on(?:wards)?\b"),
    re.compile(rf"(?:自|从)?(?<!learn)\s?(?<!learn )(?<!transformers ){RELEASE} ?(?:起|开始)"),
)


def check_release_claims(entry: Pitfall) -> Iterator[Problem]:
    """Claims of the form "since 2.6" with nothing that supports the release."""
    supported: set[str] | None = None
    for field, text in texts_of(entry):
        for lang in ("en", "zh"):
            for found in (found for pattern in SINCE for found in pattern.finditer(text[lang])):
                supported = releases_on_record(entry) if supported is None else supported
                if minor(found[1]) not in supported:
                    yield Problem(
                        file_of(entry),
                        f"{field}.{lang}",
                        f"{found[0]!r} with nothing to support it",
                        f"a source whose title or address names {minor(found[1])} (release notes, "
                        "a pull request, the documentation of that release), a record in "
                        "printed.yaml, or `releases` of a signature",
                    )


def releases_on_record(entry: Pitfall) -> set[str]:
    """The releases, as 2.6, that something beside the text names."""
    import yaml

    texts = [signature.releases or "" for signature in entry.signatures]
    texts += [entry.needs.torch or ""]
    texts += [f"{source.url} {source.title}" for source in entry.sources]
    try:
        texts += [
            " ".join(record.get(form, "") for form in ("repro", "torch", "source"))
            for record in read_records(entry)
        ]
    except (
        yaml.YAMLError,
        ValueError,
        OSError,
    ):  # a printed.yaml that cannot be read is told by its own rule
        pass
    texts += confirmed_releases().get(entry.id, ())
    return {
        minor(found) for text in texts for found in re.findall(r"(?<![\d.])\d\.\d{1,2}(?:\.\d)?(?!\d)", text)
    }


@lru_cache(maxsize=1)
def confirmed_releases() -> dict[str, tuple[str, ...]]:
    """Under which releases of torch the shipped evidence confirmed each entry."""
    found: dict[str, tuple[str, ...]] = {}
    for _, data in files(shipped_folder()):
        for id, row in data["entries"].items():
            if row["verdict"] in GOOD:
                found[id] = (*found.get(id, ()), str(data["torch"]).split("+")[0])
    return found


def minor(release: str) -> str:
    """2.6.1 as 2.6."""
    return ".".join(release.split(".")[:2])
