"""The build of a wheel, and of an editable install: the shipped knowledge is compiled once, so that no first
question waits for it.

The compiled form lies in assistant/torchwhy/_shipped/knowledge, which git ignores; a wheel carries it.
Where a file of kb/ is edited later, torchwhy compiles anew into the cache folder. With TORCHWHY_RELEASE=1 a
wheel is refused whose vectors are not those of its knowledge.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileKnowledge(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the shipped knowledge before files are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "assistant"))
        sys.dont_write_bytecode = True
        try:
            from torchwhy.retrieval.compile import compile_shipped
            from torchwhy.runtime import locations

            folder = locations.compiled_knowledge()
            meta = compile_shipped(folder)
            if os.environ.get("TORCHWHY_RELEASE"):
                self._refuse_stale(folder, meta)
        finally:
            sys.path.remove(str(Path(self.root) / "assistant"))
        if version != "editable":
            target = folder.relative_to(Path(self.root) / "assistant").as_posix()
            for name in ("knowledge.sqlite", "meta.json"):
                build_data["force_include"][str(folder / name)] = f"{target}/{name}"

    def _refuse_stale(self, folder: Path, meta: dict[str, Any]) -> None:
        from torchwhy.embedding.model import shipped
        from torchwhy.retrieval.shipped_vectors import open_shipped
        from torchwhy.retrieval.store import Store

        vectors = open_shipped(shipped())
        if vectors is None or not vectors.fits(Store(folder, meta).passages()):
            raise SystemExit("data/shipped is stale: python -m torchwhy.lab.make_vectors")
