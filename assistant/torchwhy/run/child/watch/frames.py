"""Whose frame it is: the program's, a library's, or the watch's own."""

from __future__ import annotations

import sys

from torchwhy_crash_context import is_library

# How the names of the watch's own files and of the guards begin; a program's warnings take the first for the
# import system's.
OWN_FILES = ("<frozen importlib._bootstrap: torchwhy ", "<torchwhy watch ")
OWN_MODULES = ("torchwhy_watch", "torchwhy_guard", "torchwhy_crash_context")
PASSES_ON = OWN_FILES[0] + "passes on>"


class Where:
    """Whose frame it is: the innermost one that is no library's."""

    def __init__(self):
        self.known = {}

    def library(self, path):
        known = self.known.get(path)
        if known is None:
            known = self.known[path] = path.startswith(OWN_FILES) or path == "<string>" or is_library(path)
        return known

    def frame(self):
        frame = sys._getframe(1)
        while frame is not None and self.library(frame.f_code.co_filename):
            frame = frame.f_back
        return frame

    def own_frames(self, frame):
        """From a frame outwards those that are no library's."""
        while frame is not None:
            if not self.library(frame.f_code.co_filename):
                yield frame
            frame = frame.f_back

    def caller(self):
        """The frame that called, of whomever, but none of the watch's own."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(OWN_FILES):
            frame = frame.f_back
        return frame

    def __call__(self):
        frame = self.frame()
        return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("?", 0)
