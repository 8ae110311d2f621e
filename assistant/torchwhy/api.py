"""`Assistant`: everything put together. Heavy parts (vectors, torch) are loaded when a question needs them,
or never.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from torchwhy.answers.answer import Answer, Match
from torchwhy.answers.build import build
from torchwhy.answers.evidence import Evidence, Question, evidence_of, read_question
from torchwhy.answers.further import bears_on_machine, file_to_check
from torchwhy.errors import AssistantError, ConfirmError, ModelError, UsageError
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.paste.place import LACKING, says_no_module
from torchwhy.retrieval.calibration import MAX_CALIBRATED_DISTANCE, distance
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.matcher import Matcher
from torchwhy.retrieval.store import Store
from torchwhy.runtime import locations
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.language import choose
from torchwhy.text.plain import escaped

if TYPE_CHECKING:
    from torchwhy.answers.answer import Rewritten
    from torchwhy.answers.evidence import CodeFinding
    from torchwhy.answers.missing_package import MissingPackage
    from torchwhy.chat.conversation import Conversation
    from torchwhy.embedding.model import Model
    from torchwhy.knowledge.facts import Facts
    from torchwhy.llm.choose import Chosen
    from torchwhy.paste.paste import Paste
    from torchwhy.proof.confirmation import Confirmation
    from torchwhy.retrieval.matcher import Ranked
    from torchwhy.retrieval.vectors import Vectors


Progress = Callable[[str, int, int], None]
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


class Assistant:
    """Opens the index (building what is missing) and answers.

    kb: a knowledge-base folder to use beside the shipped one (default: TORCHWHY_KB). model: a
    sentence-transformers name or folder (default: TORCHWHY_MODEL, else the shipped one). device: where
    passages, and batches, are embedded; the shipped model, and questions to it, need no other device than the
    CPU, and no torch. lang: `auto` follows the text, then the locale. vectors: False answers from signatures
    and words alone. progress(what, done, total) hears of a build. Raises KnowledgeError, StoreError.
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
        # compiling takes some two seconds: said on a terminal, nothing that a log should be full of
        self.store = open_store(knowledge_roots(kb), progress if sys.stderr.isatty() else None)
        self.notes: list[str] = []
        self.matcher = Matcher(self.store, self._open_vectors)
        self._vectors: Vectors | None = None
        self._tried = False

    @cached_property
    def model(self) -> Model | None:
        """The embedding model, or None (with a note) where it is missing or altered."""
        from torchwhy.embedding import adapter
        from torchwhy.embedding.model import find_model

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
            from torchwhy.retrieval.build_vectors import open_vectors

            self._vectors = open_vectors(self.store, self.model, device=self._device, progress=self._progress)
            if self._device and not (self.model.shipped and self._device == "cpu"):
                from torchwhy.embedding.encoders import TorchEncoder

                self._vectors.encoder = TorchEncoder(self.model, self._device)
            self._vectors.encoder  # noqa: B018 (a broken one shows here, not in the middle of an answer)
        except (AssistantError, ImportError, OSError, RuntimeError) as error:
            self._vectors = None
            self.notes.append(f"answered without the embedding model: {str(error)[:300]}")
        return self._vectors

    def load_vectors(self) -> bool:
        """Open the vectors now, not with the first question that needs them; False where answers do
        without.
        """
        return self.matcher.open_vectors() is not None

    def build(self) -> Mapping[str, object]:
        """Build what is missing and return the index's meta.json. Raises ModelError, StoreError."""
        from torchwhy.embedding.model import find_model
        from torchwhy.retrieval.build_vectors import open_vectors

        model = find_model(self._model_name)
        opened = open_vectors(self.store, model, device=self._device, progress=self._progress)
        from torchwhy.retrieval import build_vectors, vectors
        from torchwhy.runtime import cache

        folder = locations.cache_folder() / build_vectors.index_name(self.store, model)
        return {
            **(cache.read_meta(folder, vectors.FORMAT) or {}),
            "folder": str(folder),
            "entries": self.store.count,
            "rows": opened.count,
        }

    def ask(
        self,
        text: str | BaseException | Question,
        *,
        lang: str | None = None,
        facts: Facts | None = None,
        source: bool | None = None,
        code: Paths | None = None,
        operands: Sequence[JSONObject] = (),
        python: str = "",
    ) -> Answer:
        """Answer a text, or an exception object (its traceback is read; no reference to its frames is kept).

        A `Question` is a text that was read before; it is not parsed again.

        `facts` (from `machine()`) speak for or against the first candidates; a report of
        torch.utils.collect_env in the text takes their place, since it describes the machine that failed.

        `source`: whether the text is of this machine, whose files may be read: then the change is shown as an
        edit of the user's line, `check` looks at that file where the entry has a rule, and the machine's
        facts are looked at where they decide. None says yes for an exception, which is this process's own,
        and no for a text, which may be anybody's.

        `operands`: of the failing line, and `python`: of the program, as `torchwhy run` records them.

        `code`: files and folders of the user's, read and never run: what `check` finds there is evidence for
        a symptom that is told in words. Raises UsageError for a path that is missing.
        """
        evidence = _evidence(text, facts, source, operands, python)
        ranked = self.matcher.rank_many([evidence.paste])[0]
        answer = self._built(ranked, evidence, lang)
        if evidence.source and bears_on_machine(answer):
            evidence = evidence._replace(facts=self.machine())
            answer = self._built(ranked, evidence, lang)
        if code is not None:
            findings, notes = _findings(code)
            return self._built(ranked, evidence._replace(code=findings), lang, notes)
        file = file_to_check(answer, crashed=bool(operands)) if evidence.source else None
        with suppress(AssistantError):
            if file is not None:
                return self._built(ranked, evidence._replace(code=_findings([file])[0]), lang)
        return answer

    def _built(
        self, ranked: Ranked, evidence: Evidence, lang: str | None, notes: tuple[str, ...] = ()
    ) -> Answer:
        return build(
            ranked,
            evidence,
            choose(lang or self.lang, evidence.paste.text[:20000]),
            self.store,
            calibrated=self.calibrated,
            notes=(*(() if ranked.settled else self.notes), *notes),
        )

    def machine(self, *, python: str | None = None, paste: str | None = None, full: bool = False) -> Facts:
        """This machine's facts (0.1 s; `full` imports torch in the user's Python). Raises ConfirmError.

        Of `paste` nothing is taken: a Python that only a text names is started by `confirm` alone.
        """
        from torchwhy.machine.machine_facts import machine_facts

        return machine_facts(python=python, full=full)

    def last_failure(self) -> str:
        """The error of the last `torchwhy run` that failed, as a text; "" where none is kept."""
        from torchwhy.run import last

        kept = last.read()
        if kept is None or kept.failure is None:
            return ""
        error, here = kept.answer.get("error"), kept.answer.get("here")
        if not isinstance(error, dict):
            return ""
        place = (
            f'  File "{here["file"]}", line {here["line"]}\n    {here["code"]}\n'
            if isinstance(here, dict)
            else ""
        )
        return f"Traceback (most recent call last):\n{place}{error['exception']}: {error['message']}"

    def ask_many(
        self,
        texts: Sequence[str | BaseException | Question],
        *,
        lang: str | None = None,
        facts: Facts | None = None,
        source: bool | None = None,
        operands: Sequence[JSONObject] = (),
    ) -> list[Answer]:
        """Answer several texts; their vectors are made in batches. The rest as in `ask`."""
        gathered = [_evidence(text, facts, source, operands) for text in texts]
        ranked = self.matcher.rank_many([evidence.paste for evidence in gathered])
        return [self._built(one, evidence, lang) for one, evidence in zip(ranked, gathered, strict=True)]

    @cached_property
    def _knowledge_is_calibrated(self) -> bool:
        fitted = self.matcher.ranking.fitted_on.get("entries", {})
        return distance(fitted, self.store.digests()) <= MAX_CALIBRATED_DISTANCE

    @property
    def calibrated(self) -> bool:
        """Whether the ranking was fitted on knowledge like this; the model is compared where it was
        needed.
        """
        if self._vectors is None:
            return self._knowledge_is_calibrated
        from torchwhy.embedding import adapter

        fitted_model = self.matcher.ranking.fitted_on.get("model")
        return self._knowledge_is_calibrated and fitted_model == adapter.key(self._vectors.model)

    @cached_property
    def pitfalls(self) -> Mapping[str, Pitfall]:
        """Every entry by id."""
        return _Pitfalls(self.store)

    def pitfall(self, id: str) -> Pitfall:
        """The entry of this id, renamed ids included. Raises UsageError with the nearest ids."""
        known = self.store.resolve(id)
        if known is None:
            import difflib

            near = (
                difflib.get_close_matches(id, self.store.ids(), 3, 0.5)
                or [name for name in self.store.ids() if id in name][:3]
            )
            raise UsageError(
                f"{escaped(id)}: no such entry"
                + (f"; did you mean {', '.join(near)}?" if near else "; `torchwhy list` shows all")
            )
        return self.store.pitfall(known)

    def conversation(self, *, facts: Facts | None = None, source: bool = False) -> Conversation:
        """A thread that understands follow-ups: `.say(text) -> Answer`. `facts` and `source` bear on each of
        its diagnoses, as in `ask`.
        """
        from torchwhy.chat.conversation import Conversation

        return Conversation(self, facts, source=source)

    def rewrite(
        self, answer: Answer, question: str = "", *, cancelled: Callable[[], bool] | None = None
    ) -> Rewritten:
        """The answer in the words of the model that TORCHWHY_LLM_URL and TORCHWHY_LLM_MODEL name.

        It is given the entry's passages and the redacted text. Raises UsageError where none is configured,
        RewriteError where its words cannot be used.
        """
        from torchwhy.llm.rewrite import rewrite

        return rewrite(answer, question, cancelled=cancelled)

    def ask_model(self, answer: Answer, *, cancelled: Callable[[], bool] | None = None) -> Chosen | None:
        """A language model's choice among the answer's ten best candidates; the answer stays as it is. None,
        and nothing is sent, where the message is known as an entry's own or there is no candidate.

        Raises UsageError where no endpoint is configured, RewriteError where its reply cannot be used.
        """
        from torchwhy.llm.choose import choice

        return choice(answer, cancelled=cancelled)

    def is_trusted(self, id: str) -> bool:
        """Whether the entry's script may run without a further yes. Raises UsageError."""
        from torchwhy.proof.trust import is_trusted

        try:
            return is_trusted(self.pitfall(id))
        except OSError:
            return False

    def confirm(  # noqa: PLR0913 (all but two go by their names, and each is a choice of its own)
        self,
        match: Match | str,
        paste: str | None = None,
        *,
        python: str | None = None,
        failed: str | None = None,
        seconds: float | None = None,
        on_event: Callable[[str, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        edited: bool = False,
        trust: bool = False,
        mine: bool = False,
        shown: str | None = None,
    ) -> Confirmation:
        """Run the entry's repro here, both legs; a shipped script that was changed only if `edited`.

        With `python`; else the Python of the environment that the paste's paths name; else `failed`, the one
        of a run that failed so; else that of the active environment; else this one.

        A script that did not come with torchwhy runs only in bubblewrap, or by TORCHWHY_RUNNER, and only with
        `trust`, which is remembered for that script in that folder; with `mine`, of whoever wrote it, as a
        shipped one. `shown` is the SHA-256 of the script that the user saw, where that is known: no other is
        run. Raises UsageError for an unknown id, UntrustedScriptError where it may not run, ConfirmError
        without a Python or for a changed script.
        """
        from torchwhy.proof.confirm import confirm
        from torchwhy.proof.trust import Consent, permitted

        entry = self.pitfall(match if isinstance(match, str) else match.id)
        try:
            permit = permitted(entry, Consent(edited, trust, mine, shown))
        except OSError as error:
            raise ConfirmError(f"the script of {entry.id} cannot be read: {escaped(str(error))}") from error
        result = confirm(
            entry,
            python=python,
            failed=failed,
            paste=paste,
            seconds=seconds,
            permit=permit,
            on_event=on_event,
            cancelled=cancelled,
        )
        if result.verdict == "different-failure" and result.legs:
            from dataclasses import replace

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


def _findings(code: Paths) -> tuple[tuple[CodeFinding, ...], tuple[str, ...]]:
    """What `check` finds in the user's code, and what it could not read. Raises UsageError."""
    from torchwhy.lint.api import check

    said: list[str] = []
    return tuple(check(code, strict=True, say=said.append)), tuple(said)


def _evidence(
    text: str | BaseException | Question,
    facts: Facts | None,
    source: bool | None,
    operands: Sequence[JSONObject],
    python: str = "",
) -> Evidence:
    """What a text gives before it is ranked; the arguments are those of `Assistant.ask`."""
    question = text if isinstance(text, Question) else read_question(_text_of(text))
    here = isinstance(text, BaseException) if source is None else source
    if isinstance(text, BaseException):
        python = sys.executable
    evidence = evidence_of(question.paste, source=here, facts=question.reported or facts, operands=operands)
    root = question.paste.root
    if here and root is not None and root.name in LACKING:
        from torchwhy.answers.required import required

        evidence = evidence._replace(required=required(question.paste))
    if not here or not says_no_module(question.paste):
        return evidence
    return evidence._replace(missing=_missing(python, question.paste))


def _missing(recorded: str, paste: Paste) -> MissingPackage | None:
    """What this machine's files tell of a package that a Python does not have; None where none is missing."""
    from torchwhy.answers.missing_package import MissingPackage, missing_package, program_of
    from torchwhy.machine.environments import failed_python, install_command, python_with

    name, program = missing_package(paste), program_of(paste)
    if name is None:
        return None
    python = failed_python(recorded, paste.text)
    elsewhere = python_with(name, python, os.path.dirname(program) or os.curdir)
    return MissingPackage(name, python, install_command(python) if python else "", elsewhere, program)


def _text_of(text: str | BaseException) -> str:
    from torchwhy.paste.reading import shortened

    if isinstance(text, BaseException):
        from torchwhy.paste.raised import raised_text

        text = raised_text(text)
    if not isinstance(text, str):
        raise UsageError(f"ask() takes a str or an exception, not {type(text).__name__}")
    return shortened(text)
