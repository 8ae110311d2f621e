"""What the tools of one server share: an Assistant, opened by the first call that needs it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.errors import ConfirmError, NotShutInError, UntrustedScriptError
from torchwhy.text.phrases import phrase

if TYPE_CHECKING:
    from torchwhy.api import Assistant
    from torchwhy.knowledge.entry import Pitfall


class Script(NamedTuple):
    """A script that may run after a yes: its entry, where it lies, its SHA-256."""

    entry: Pitfall
    path: str
    sha256: str


@dataclass
class Desk:
    """`kb`, `model`, `lang` and `vectors` as of an Assistant. `python` runs proofs and is asked for facts;
    `source`: whether files that a traceback names may be read; `full_text`: whether a log file's text is told
    as it is, but for secrets.
    """

    kb: str | None = None
    model: str | None = None
    lang: str = "auto"
    vectors: bool = True
    python: str | None = None
    source: bool = True
    full_text: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @cached_property
    def _opened(self) -> Assistant:
        from torchwhy.api import Assistant

        return Assistant(self.kb, model=self.model, lang=self.lang, vectors=self.vectors)

    @property
    def assistant(self) -> Assistant:
        """The one Assistant; calls come in threads, and only one of them opens it."""
        with self._lock:
            return self._opened

    def page_lang(self) -> str:
        """The language of what answers no text."""
        from torchwhy.text.language import choose

        return choose(self.lang, "")

    def script(self, id: str) -> Script:
        """The script that the proof of an entry runs. Raises UsageError for an unknown id, ConfirmError where
        it has none or was changed, UntrustedScriptError for one that may not run here.
        """
        from torchwhy.proof.trust import permitted

        entry, lang = self.assistant.pitfall(id), self.page_lang()
        if entry.repro is None:
            why = entry.no_repro[lang] if entry.no_repro else ""
            raise ConfirmError(phrase("agent_no_repro", lang, why=why).rstrip())
        try:
            permit = permitted(entry)
        except NotShutInError:
            raise
        except UntrustedScriptError as error:
            raise UntrustedScriptError(phrase("agent_not_trusted", lang, id=entry.id)) from error
        except OSError as error:
            raise ConfirmError(f"the script of {entry.id} cannot be read: {error.strerror}") from error
        assert permit is not None
        return Script(entry, entry.repro, permit.sha256)
