"""Every error that torchwhy raises on purpose. The hierarchy is this file.

One place (`torchwhy.cli.main`) turns an `AssistantError` into one line on stderr and an exit status, so each
message says what was wrong and what to do about it.
"""


class AssistantError(Exception):
    """Base of all errors raised on purpose; the message is meant for the user."""


class UsageError(AssistantError):
    """The request itself is wrong: an unknown id, an unreadable file, options that exclude one another."""


class KnowledgeError(AssistantError):
    """The knowledge base cannot be used at all (a single broken entry is skipped, not raised)."""


class StoreError(AssistantError):
    """The index cannot be built or read."""


class ModelError(AssistantError):
    """The embedding model is missing, altered, or cannot run; answers go on without vectors."""


class ConfirmError(AssistantError):
    """A repro could not be started at all (no such interpreter, no repro for this entry)."""


class UntrustedScriptError(ConfirmError):
    """A script that did not come with torchwhy, and that the user has not said yes to."""


class NotShutInError(UntrustedScriptError):
    """A script that did not come with torchwhy, and that nothing here can shut in: a yes does not help."""


class RewriteError(AssistantError):
    """The model's words cannot be used; the plain answer stands."""
