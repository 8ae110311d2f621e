"""What helps where nothing fits: what kind of failure it is, the line to search for, and where its project
takes reports.
"""

from __future__ import annotations

import re

from torchwhy.paste.foreign import OF_TORCH
from torchwhy.paste.libraries import TRACKERS
from torchwhy.paste.paste import Found
from torchwhy.paste.place import is_cut_off
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.markup import quoted, span
from torchwhy.text.phrases import phrase

from .answer import Answer, Section

MAX_SEARCHED_CHARS = 120  # of the line to search for
MAX_READ_CHARS = 4 * MAX_SEARCHED_CHARS  # of the message, from which it is taken
CLOSES = {")": "(", "]": "[", "}": "{", "'": "'", '"': '"', "`": "`"}
SIGNS = " ,:;.=-"
INNER_APOSTROPHE = lazy_compile(r"(?<=\w)'(?=\w)")
# Which kind of failure a message is of; the first that matches.
KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, lazy_compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "build",
            r"building wheel|subprocess-exited|setup\.py|ninja|nvcc|compil(?:e|er|ation) (?:error|failed)|CMake",
        ),
        (
            "import",
            r"^(?:Import|ModuleNotFound)Error|cannot import name|undefined symbol|shared object file|DLL load",
        ),
        (
            "killed",
            r"\bkilled\b|sigkill|signal \d|segmentation fault|bus error|core dumped|exitcode|已杀死|段错误",
        ),
        ("cuda", r"\bCUDA\b|\bcudnn|cublas|NCCL|device-side|\bHIP\b|\bMPS\b"),
    )
)
VARIABLE = lazy_compile(
    r"0x[0-9a-f]+|(?:[A-Za-z]:)?(?:[/\\\\][\w.@~+-]+){2,}|\b\d[\d.,]*\b|(?<!\w)'(?![\w.]+')[^']{40,}'(?!\w)",
    re.IGNORECASE,
)


def unknown_words(answer: Answer) -> str:
    """The first sentence where nothing fits: that the last line is missing, what else it looks like, or that."""
    if is_cut_off(answer.paste):
        return phrase("unknown_cut_off", answer.lang)
    # of a text that names torch as well nobody knows that it is not about it
    names = "" if OF_TORCH.search(answer.paste.text) else ", ".join(answer.paste.foreign)
    return phrase("unknown_foreign", answer.lang, names=names) if names else phrase("unknown", answer.lang)


def failure_kind(root: Found) -> str:
    """build, import, killed, cuda, library or own: what kind of failure a message is of."""
    text = f"{root.exception}: {root.message}" if root.exception else root.message
    for name, pattern in KINDS:
        if pattern.search(text):
            return name
    return "library" if package_of(root) else "own"


def package_of(root: Found) -> str | None:
    """The installed package that raised it; None where the innermost frame is in no package."""
    owner = root.frames[-1].owner if root.frames else ""
    return owner if owner not in ("", "python") else None


def search_line(root: Found) -> str:
    """The line to search for: the message's first, without what is of this run alone (paths, numbers,
    addresses), as whole words.
    """
    first = next((line for line in root.message.splitlines() if line.strip()), "")
    text = (f"{root.name}: {first}" if root.exception else first)[:MAX_READ_CHARS]
    parts = [_whole(part) for part in VARIABLE.split(text)]
    longest = max(parts, key=len, default="")
    chosen = longest if len(parts) > 1 and len(longest) >= len(text) / 3 else text
    if len(chosen) > MAX_SEARCHED_CHARS:
        head = chosen[:MAX_SEARCHED_CHARS]
        sentence = head.rpartition(". ")[0]
        chosen = sentence if len(sentence) > MAX_SEARCHED_CHARS / 2 else head.rpartition(" ")[0] or head
    return _whole(chosen)


def _whole(words: str) -> str:
    """The words without a bracket or a quotation whose other half was cut off, nor signs at either end."""
    start = 0
    opened: list[int] = []
    for number, letter in enumerate(INNER_APOSTROPHE.sub("_", words)):
        if letter in CLOSES and opened and words[opened[-1]] == CLOSES[letter]:
            opened.pop()
        elif letter in CLOSES.values():
            opened.append(number)
        elif letter in CLOSES:
            start, opened = number + 1, []
    if opened:
        before, after = words[start : opened[0]], words[opened[0] + 1 :]
        return before.strip(SIGNS) if len(before) >= len(after) else _whole(after)
    return words[start:].strip(SIGNS)


def help_sections(answer: Answer) -> tuple[Section, ...]:
    """Where to go on from an error that nothing known explains; nothing for a text without one."""
    root, lang = answer.root, answer.lang
    if root is None or not (root.message or root.exception):
        return ()
    package = package_of(root)
    lines = [f"- {phrase(f'kind_{failure_kind(root)}', lang)}"]
    if package is not None:
        lines.append(f"- {phrase('raised_by', lang, package=quoted(package))}")
    lines.append(f"- {phrase('search_for', lang)}: {span(search_line(root))}")
    tracker = TRACKERS.get((package or "").lower())
    if tracker is not None:
        lines.append(f"- {phrase('takes_issues', lang)}: https://github.com/{tracker}/issues")
    lines.append(f"- {phrase('report_ready', lang)}")
    return (Section("onward", phrase("onward", lang), "\n".join(lines)),)
