"""What the screens of the chat know of the app, without knowing the app."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from torchwhy.chat.backend import Backend

if TYPE_CHECKING:
    from torchwhy.proof.confirmation import Confirmation

Progress = Callable[[str, int, int], None]
"""(what is being built, how much of it is done, of how much)"""


class ChatBackend(Backend, Protocol):
    """The part of `Assistant` that the chat uses."""

    def confirm(
        self,
        match: str,
        paste: str | None = None,
        *,
        on_event: Callable[[str, str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Confirmation:
        """Run the entry's script here, both legs. Raises UsageError, ConfirmError."""
        ...

    def load_vectors(self) -> bool:
        """Load the embedding model; False where answers do without."""
        ...


OpenBackend = Callable[[Progress], ChatBackend]
"""Opens the knowledge base, building what is missing. Raises AssistantError."""


class OfferedRun(NamedTuple):
    """A run that failed a short while ago: its command, and what it printed."""

    command: str
    text: str


@dataclass(frozen=True)
class ChatOptions:
    """What the command line asked of the chat itself. `piped`: standard input as it came through a pipe."""

    lang: str = "auto"
    piped: BinaryIO | None = None
    machine: bool = False
    """Look at this machine's facts for every diagnosis."""
    source: bool = False
    """Read the files that a traceback names, to show the change as an edit of them."""
    failed: OfferedRun | None = None
    """What an empty screen offers first."""


class ChatState(Protocol):
    """What a screen may ask of the app."""

    options: ChatOptions

    @property
    def backend(self) -> ChatBackend | None:
        """The open knowledge base; None until it is open."""
        ...

    lang: str
    """The language of the labels, `en` or `zh`."""
    status: str
    """Where things stand, for the status line."""

    def tell(self, key: str, **values: str) -> None:
        """A notification in the language of the app."""
        ...

    def say_error(self, error: BaseException) -> None:
        """A notification of what went wrong."""
        ...

    def copy(self, text: str, what: str) -> None:
        """To the clipboard; `what` names it."""
        ...
