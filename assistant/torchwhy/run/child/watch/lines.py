"""Which line of the program made a node of the graph: asked by a guard, known of the next step's graph."""

from __future__ import annotations

import re

import torch
from torchwhy_watch_looking import AGAIN_STEPS

FRAME = re.compile(r'File "(.+)", line (\d+)')


class NodeLines:
    """The part of a watch that lets torch note where each node is made: for one step, since that is slow."""

    def ask_lines(self, at):
        """Until the next backward of the line `at`, nodes know their lines."""
        self.lines_until = None if self.compiled else at
        self.look(AGAIN_STEPS)

    def note_lines(self, on):
        """Torch's own anomaly mode without its look for nan: off while a backward runs."""
        on = on and self.lines_until is not None
        if on != self.noting and (self.noting or not torch.is_anomaly_enabled()):
            torch.set_anomaly_enabled(on, False)
            self.noting = on

    def line_of(self, node):
        """(path, line) of the program where a node was made; None where that was not noted."""
        for frame in reversed(node.metadata.get("traceback_") or ()):
            found = FRAME.search(frame)
            if found and not self.where.library(found.group(1)):
                return found.group(1), int(found.group(2))
        return None
