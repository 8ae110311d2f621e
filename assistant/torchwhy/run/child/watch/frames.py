"""Whose frame it is: the program's, a library's, or the watch's own."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import sys
from functools import partial
from types import FunctionType, MethodType

from torchwhy_crash_context import is_library

# How the names of the watch's own files and of the guards begin; a program's warnings take the first for the
# import system's.
OWN_FILES = ("<frozen importlib._bootstrap: torchwhy ", "<torchwhy watch ")
OWN_MODULES = ("torchwhy_watch", "torchwhy_guard", "torchwhy_crash_context")
MAX_CHAINED = 100  # of an exception and what it came from
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
        frame, known = sys._getframe(1), self.known.get  # asked in each step: without calls where it can be
        while frame is not None and known(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is None or known(frame.f_code.co_filename) is None:
            frame = self.frame()
        return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("?", 0)


def without_watch(value):
    """Takes the frames of the watch out of an exception's tracebacks: what the program prints of it is as
    without the watch.
    """
    seen = []
    while value is not None and id(value) not in seen and len(seen) < MAX_CHAINED:
        seen.append(id(value))
        step = value.__traceback__
        while step is not None:
            after = step.tb_next
            while after is not None and after.tb_frame.f_code.co_filename.startswith(OWN_FILES):
                after = after.tb_next
            if after is not step.tb_next:
                step.tb_next = after
            step = after
        value = value.__cause__ or value.__context__


def from_a_handler(error):
    """Whether a handler of the program's for a signal raised it, which came while something was looked at:
    that is how a program is told to stop (`sys.exit` at SIGTERM), and is the program's to hear.
    """
    codes = [_code_of(_signal.getsignal(number)) for number in _signal.valid_signals()]
    trace = error.__traceback__
    while trace is not None:
        if any(trace.tb_frame.f_code is code for code in codes):
            return True
        trace = trace.tb_next
    return False


def _code_of(handler):
    """The code of a function, a method, a partial or an object that can be called."""
    while type(handler) is partial:
        handler = handler.func
    if type(handler) is MethodType:
        handler = handler.__func__
    if type(handler) is not FunctionType:
        kinds = type(handler).__mro__
        handler = next((kind.__dict__["__call__"] for kind in kinds if "__call__" in kind.__dict__), None)
    return handler.__code__ if type(handler) is FunctionType else None
