"""How long and where a program waits for an accelerator."""

from __future__ import annotations

import sys
from threading import get_ident
from time import perf_counter

import torch
import torchwhy_watch_values as values
from torchwhy_watch_frames import OWN_FILES, PASSES_ON

# Methods that give Python a value of a tensor, or whose result's size depends on values: on an accelerator
# the program waits in them until all that was asked for before is done.
SYNCS = (
    "item tolist cpu numpy nonzero __bool__ __int__ __float__ __index__ __repr__ __format__ "
    "to equal allclose unique masked_select"
).split()
SYNC_FUNCTIONS = ("nonzero", "equal", "allclose", "unique", "masked_select")
MAX_SYNC_LINES = 500


class Waits:
    """The part of a watch that counts what an accelerator is waited for."""

    def _watch_syncs(self):
        """From the first model that is called with tensors of an accelerator on: a program on the CPU has
        none of these, and calls such methods without end.
        """
        self.syncs_seen = True
        if self.compiled:
            return  # a compiler reads these calls in the program's source
        for name in SYNCS:
            self.replace(torch.Tensor, name, self._make_sync(name), inner=True)
        for name in SYNC_FUNCTIONS:
            self.replace(torch, name, self._make_sync(name), inner=True)
        owners = [(torch.cuda, "cuda"), (getattr(torch, "accelerator", None), "accelerator")]
        for owner, name in owners:
            if owner is not None:
                make = self._make_sync("%s.synchronize" % name, tensors=False)
                self.replace(owner, "synchronize", make, inner=True)

    def _make_sync(self, name, tensors=True):
        watch = self

        def make(original):
            def waited(*args, **kwargs):
                if not watch.live or watch.waiting or values.listened():
                    return original(*args, **kwargs)
                if tensors and not (
                    args and isinstance(args[0], torch.Tensor) and values.on_accelerator(args[0])
                ):
                    return original(*args, **kwargs)
                asked_by = sys._getframe(1).f_code.co_filename
                by_watch = asked_by.startswith(OWN_FILES) and asked_by != PASSES_ON
                if by_watch or get_ident() != watch.thread:
                    return original(*args, **kwargs)
                watch.waiting, begun = True, perf_counter()
                try:
                    result = original(*args, **kwargs)
                finally:
                    watch.waiting, seconds = False, perf_counter() - begun
                watch.unheard(watch.add_sync, name, result, kwargs, seconds)
                return result

            return waited

        return make

    def add_sync(self, name, result, kwargs, seconds):
        here = name != "to" or (result.device.type == "cpu" and not values.on_accelerator(result))
        if not here or kwargs.get("non_blocking"):
            return
        key = (self.where(), name)
        if key not in self.syncs and len(self.syncs) >= MAX_SYNC_LINES:
            return
        counted = self.syncs.setdefault(key, [0, 0.0])
        counted[0] += 1
        counted[1] += seconds
        self.sync_count += 1
        self.sync_s += seconds
