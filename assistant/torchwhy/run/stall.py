"""A run that stands still: in each of several looks its Python processes are at the same lines."""

from __future__ import annotations

import time

from .stacks import Stack, stacks

LOOKS = 8  # that must show the same


class StallWatch:
    """Called now and then while a command runs; `stands` gives the stacks once it has stood still for `seconds`.

    What it prints tells nothing: a program may say every minute that it lives, and do nothing else.
    """

    def __init__(self, root: int, seconds: float) -> None:
        self.root, self.seconds = root, seconds
        self.blind = False  # it has run for so long, and no process could be looked into
        self._since = self._looked = time.monotonic()
        self._places: frozenset[object] = frozenset()
        self._told = False

    def stands(self) -> list[Stack]:
        """The stacks, once for each time that it turns out to stand still; else none."""
        now = time.monotonic()
        if now - self._looked < self.seconds / LOOKS:
            return []
        found = stacks(self.root)
        self._looked = now = time.monotonic()
        places = frozenset((stack.pid, stack.places()) for stack in found if stack.places())
        if places != self._places:
            self._since, self._places, self._told = now, places, False
        over = now - self._since >= self.seconds
        self.blind = over and not found
        if not over or self._told or not places:
            return []
        self._told = True
        return found
