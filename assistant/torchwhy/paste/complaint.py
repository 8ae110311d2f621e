"""Whether lines of a program speak of a failure, though none of them is read as an error."""

from __future__ import annotations

import re

from torchwhy.text.lazy_re import lazy_compile

MAX_SEARCHED_CHARS = 20_000

FAILURE = lazy_compile(
    r"error|exception|traceback|fail|crash|abort|killed|segfault|\bfault|invalid|illegal|mismatch|missing|corrupt|unsupported|"
    r"\b(?:nan|inf|oom|hang|hung|slow\w*)\b|overflow|out of memory|leak|stuck|deadlock|timeout|timed out|not (?:found|available|"
    r"supported|implemented)|cannot|can't|unable|错|失败|崩|异常|溢出|卡住|变慢|找不到",
    re.IGNORECASE,
)
# Failures that did not happen, and what reports say of what they did not look for.
HARMLESS = lazy_compile(
    r"\b0 (?:errors?|corrupt|failed|failures|missing)|\b(?:overflow|errors?|failed|missing|skipped)(?: \w+)?[:= ]{1,2}0\b|"
    r"\bVulnerability [\w ]{1,40}: [^\n]{0,200}|Could not collect|\[not set\]|No device found|if (?:it|they) fail|"
    r"on failure|not found, using \w+",
    re.IGNORECASE,
)


def tells_failure(text: str) -> bool:
    """Whether a program's lines speak of a failure."""
    return bool(FAILURE.search(HARMLESS.sub("", text[:MAX_SEARCHED_CHARS])))
