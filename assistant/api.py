"""`Assistant`: everything put together. Heavy parts (vectors, torch) are loaded when a question needs them, or never."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import answer as answering
from . import locations
from .answer import Answer, Match
from .errors import AssistantError, ModelError, StoreError, UsageError
from .language import choose
from .match import Matcher, Ranking
from .paste import Paste, parse
from .store import Store
from .types import Pitfall

if TYPE_CHECKING:
    from .confirm_types import Confirmation
    from .conversation import Conversation
    from .facts import Facts
    from .model import Model
    from .rewrite import Rewritten
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
        from . import adapter
        from .model import find_model

        try:
            model = find_model(self._model_name)
            adapter.key(model)  # checks every file against its pinned hash
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

    def ask(self, text: str | BaseException, *, lang: str | None = None, facts: Facts | None = None) -> Answer:
        """Answer a text, or an exception object (its traceback is read; no reference to its frames is kept).

        `facts` (from `machine()`) speak for or against the first candidates; a report of torch.utils.collect_env in the
        text takes their place, since it describes the machine that failed.
        """
        return self.ask_many([text], lang=lang, facts=facts)[0]

    def machine(self, *, python: str | None = None, paste: str | None = None, full: bool = False) -> Facts:
        """This machine's facts (0.1 s; `full` imports torch in the user's Python). Raises ConfirmError."""
        from .machine import gather

        return gather(python=python, paste=paste, full=full)

    def ask_many(self, texts: Sequence[str | BaseException], *, lang: str | None = None, facts: Facts | None = None) -> list[Answer]:
        """Answer several texts; their vectors are made in batches."""
        read = [_text_and_facts(_text_of(text)) for text in texts]
        pastes = [_with_release(parse(text), reported) for text, reported in read]
        ranked = self.matcher.rank_many(pastes)
        notes = tuple(self.notes)
        answers = [
            answering.build(one, paste, choose(lang or self.lang, paste.text[:20000]), self.store.pitfall, notes if not one.settled else (), self.calibrated)
            for one, paste in zip(ranked, pastes, strict=True)
        ]
        known = [reported or facts for _, reported in read]
        return [answering.with_facts(answer, its) if its else answer for answer, its in zip(answers, known, strict=True)]

    @property
    def calibrated(self) -> bool:
        """Whether the ranking was fitted on this knowledge; the model is compared where it was needed."""
        from . import adapter

        fitted = self.matcher.ranking.fitted_on
        return fitted.get("knowledge") == self.store.content and (self._vectors is None or fitted.get("model") == adapter.key(self._vectors.model))

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

    def conversation(self, *, facts: Facts | None = None) -> Conversation:
        """A thread that understands follow-ups: `.say(text) -> Answer`. `facts` bear on each of its diagnoses, as in `ask`."""
        from .conversation import Conversation

        return Conversation(self, facts)

    def rewrite(self, answer: Answer, question: str = "", *, cancelled: Callable[[], bool] | None = None) -> Rewritten:
        """The answer in the words of the model that TORCHWHY_LLM_URL and TORCHWHY_LLM_MODEL name (README: In a model's words).

        It is given the entry's passages and the redacted text. Raises UsageError where none is configured, RewriteError
        where its words cannot be used.
        """
        from .rewrite import rewrite

        return rewrite(answer, question, cancelled=cancelled)

    def confirm(
        self,
        match: Match | str,
        paste: str | None = None,
        *,
        python: str | None = None,
        seconds: float | None = None,
        on_event: Callable[[str, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        edited: bool = False,
    ) -> Confirmation:
        """Run the entry's repro here, both legs; a shipped script that was changed only if `edited`.

        Raises UsageError for an unknown id, ConfirmError without a Python or for a changed script.
        """
        from .confirm import confirm
        from .hashes import refuse_edited

        entry = self.pitfall(match if isinstance(match, str) else match.id)
        if not edited:
            refuse_edited(entry)
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


def _text_and_facts(text: str) -> tuple[str, Facts | None]:
    """What the text asks, and the facts of a report of torch.utils.collect_env in it."""
    if "PyTorch version:" not in text:
        return text, None
    from . import collect_env

    facts = collect_env.facts_in(text)
    return (collect_env.without(text), facts) if facts else (text, None)


def _with_release(paste: Paste, reported: Facts | None) -> Paste:
    """The paste with the torch release that its report names."""
    release = reported.get("torch.version").value if reported else None
    return replace(paste, torch=str(release)) if release else paste


def ranking() -> Ranking:
    """The fitted ranking that ships."""
    return Ranking.load()


def warn(text: str) -> None:
    print(f"torchwhy: {text}", file=sys.stderr)


__all__ = ["Assistant", "StoreError"]
