"""Which knowledge bases are read: the shipped one and the user's own."""

from __future__ import annotations

import os
from pathlib import Path

from torchwhy.errors import KnowledgeError
from torchwhy.runtime import settings
from torchwhy.runtime.locations import expanded, shipped
from torchwhy.text.plain import escaped


def knowledge_roots(extra: str | os.PathLike[str] | None = None) -> list[Path]:
    """The shipped knowledge base, then the folders of `extra` or TORCHWHY_KB (several: separated like PATH).

    Raises KnowledgeError where a folder does not exist.
    """
    roots = [shipped("kb")]
    named = os.fspath(extra) if extra is not None else settings.KB.read()
    for part in named.split(os.pathsep):
        if part:
            folder = expanded(part).resolve()
            if not folder.is_dir():
                raise KnowledgeError(
                    f"{escaped(part)}: no such knowledge base folder (from --kb or TORCHWHY_KB)"
                )
            if folder not in roots:
                roots.append(folder)
    return roots
