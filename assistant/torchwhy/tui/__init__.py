"""The chat on a terminal: a Textual app around `Conversation`. Imported by `torchwhy chat` alone."""
