"""`Assistant`: everything put together. Heavy parts (vectors, torch) are loaded when a question needs them, or never."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import answer as answering
from . import locations
from .answer import Answer, Match
from .errors import AssistantError, ModelError, StoreError, UsageError
from .language import choose
from .match import Matcher, Ranking
from .paste import parse
from .store import Store
from .types import Pitfall

if TYPE_CHECKING:
    from .confirm_types import Confirmation
    from .model import Model
    from .vectors import Vectors

Progress = Callable[[str, int, int], None]


class Assistant:
    """Opens the index (building what is missing) and answers.

    kb: a knowledge-base folder to use beside the shipped one (default: TORCHWHY_KB). model: a sentence-transformers
    name or folder (default: TORCHWHY_MODEL, else the shipped one). device: where passages, and batches, are embedded.
    lang: `auto` follows the text, then the locale. vectors: False answers from signatures and words alone.
    progress(what, done, total) hears of a build. Raises KnowledgeError, StoreError.
    """

    def __init__(
        self,
        kb: str | os.PathLike[str] | None = None,
        *,
        model: str | None = None,
        device: str | None = None,
        lang: str = "auto",
        vectors: bool = True,
        progress: Progress | None = None,
    ) -> None:
        if lang not in ("auto", "en", "zh"):
            raise UsageError(f"lang={lang!r}: wanted auto, en or zh")
        self.lang = lang
        self._model_name, self._device, self._progress, self._use_vectors = model, device, progress, vectors
        self.store = Store.open(locations.knowledge_roots(kb))
        self.notes: list[str] = []
        self.matcher = Matcher(self.store, self._open_vectors)
        self._vectors: Vectors | None = None
        self._tried = False

    @cached_property
    def model(self) -> Model | None:
        """The embedding model, or None (with a note) where it is missing or altered."""
        from .model import find_model

        try:
            model = find_model(self._model_name)
            model.fingerprint  # noqa: B018 (checks every file against its pinned hash)
            return model
        except ModelError as error:
            self.notes.append(str(error))
            return None

    def _open_vectors(self) -> Vectors | None:
        if self._tried or not self._use_vectors:
            return self._vectors
        self._tried = True
        if self.model is None:
            return None
        try:
            from .vectors import open_vectors

            self._vectors = open_vectors(self.store, self.model, device=self._device, progress=self._progress)
            if self._device:
                from .encoder import TorchEncoder

                self._vectors._encoder = TorchEncoder(self.model, self._device)
            self._vectors.encoder  # noqa: B018 (a broken one shows here, not in the middle of an answer)
        except (AssistantError, ImportError, OSError, RuntimeError) as error:
            self._vectors = None
            self.notes.append(f"answered without the embedding model: {str(error)[:300]}")
        return self._vectors

    def build(self) -> Mapping[str, Any]:
        """Build what is missing and return the index's meta.json. Raises ModelError, StoreError."""
        from .model import find_model
        from .vectors import open_vectors

        model = find_model(self._model_name)
        opened = open_vectors(self.store, model, device=self._device, progress=self._progress)
        from . import cache, vectors

        folder = locations.cache_folder() / vectors.index_name(self.store, model)
        return {**(cache.read_meta(folder, vectors.FORMAT) or {}), "folder": str(folder), "entries": self.store.count, "rows": len(opened.entries)}

    def ask(self, text: str | BaseException, *, lang: str | None = None) -> Answer:
        """Answer a text, or an exception object (its traceback is read; no reference to its frames is kept)."""
        return self.ask_many([text], lang=lang)[0]

    def ask_many(self, texts: Sequence[str | BaseException], *, lang: str | None = None) -> list[Answer]:
        """Answer several texts; their vectors are made in batches."""
        read = [_text_of(text) for text in texts]
        pastes = [parse(text) for text in read]
        ranked = self.matcher.rank_many(pastes)
        notes = tuple(self.notes)
        return [
            answering.build(one, paste, choose(lang or self.lang, paste.text[:20000]), self.store.pitfall, notes if not one.settled else (), self.calibrated)
            for one, paste in zip(ranked, pastes, strict=True)
        ]

    @property
    def calibrated(self) -> bool:
        """Whether the ranking was fitted on this knowledge; the model is compared where it was needed."""
        fitted = self.matcher.ranking.fitted_on
        return fitted.get("knowledge") == self.store.content and (self._vectors is None or fitted.get("model") == self._vectors.model.fingerprint)

    @cached_property
    def pitfalls(self) -> Mapping[str, Pitfall]:
        """Every entry by id."""
        return _Pitfalls(self.store)

    def pitfall(self, id: str) -> Pitfall:
        """The entry of this id, renamed ids included. Raises UsageError with the nearest ids."""
        known = self.store.resolve(id)
        if known is None:
            import difflib

            near = difflib.get_close_matches(id, self.store.ids(), 3, 0.5) or [name for name in self.store.ids() if id in name][:3]
            raise UsageError(f"{id}: no such entry" + (f"; did you mean {', '.join(near)}?" if near else "; `torchwhy list` shows all"))
        return self.store.pitfall(known)

    def confirm(
        self,
        match: Match | str,
        paste: str | None = None,
        *,
        python: str | None = None,
        seconds: float | None = None,
        on_event: Callable[[str, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Confirmation:
        """Run the entry's repro here, both legs. Raises UsageError for an unknown id, ConfirmError without a Python."""
        from dataclasses import replace

        from .confirm import confirm

        entry = self.pitfall(match if isinstance(match, str) else match.id)
        result = confirm(entry, python=python, paste=paste, seconds=seconds, on_event=on_event, cancelled=cancelled)
        if result.verdict == "different-failure" and result.legs:
            result = replace(result, diagnosis=self.ask(result.legs[0].output))
        return result


class _Pitfalls(Mapping[str, Pitfall]):
    def __init__(self, store: Store) -> None:
        self._store = store

    def __getitem__(self, id: str) -> Pitfall:
        known = self._store.resolve(id)
        if known is None:
            raise KeyError(id)
        return self._store.pitfall(known)

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.ids())

    def __len__(self) -> int:
        return self._store.count


def _text_of(text: str | BaseException) -> str:
    if isinstance(text, BaseException):
        return "".join(traceback.format_exception(type(text), text, text.__traceback__))
    if not isinstance(text, str):
        raise UsageError(f"ask() takes a str or an exception, not {type(text).__name__}")
    return text


def ranking() -> Ranking:
    """The fitted ranking that ships."""
    return Ranking.load()


def warn(text: str) -> None:
    print(f"torchwhy: {text}", file=sys.stderr)


__all__ = ["Assistant", "StoreError"]
