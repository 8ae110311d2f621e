"""The same answer in other places: a script's own excepthook, a notebook, pytest."""
