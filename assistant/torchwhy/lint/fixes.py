"""The changes that cannot be wrong, written into the files."""

from __future__ import annotations

from collections.abc import Sequence

from torchwhy.source.rewrite import exchange, rewritten

from .finding import Finding


def apply_fixes(findings: Sequence[Finding]) -> list[Finding]:
    """Write the edits of these findings; the findings that are fixed now. A file that cannot be rewritten as
    `rewritten` says is left as it is. Raises OSError.
    """
    fixed: list[Finding] = []
    for path in dict.fromkeys(each.path for each in findings if each.edit and each.sure == "wrong"):
        its = [each for each in findings if each.path == path and each.edit and each.sure == "wrong"]
        content = rewritten(path, [each.edit for each in its if each.edit])
        if content is not None:
            exchange(path, content)
            fixed += its
    return fixed
