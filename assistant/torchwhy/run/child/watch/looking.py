"""When the watch looks: the first steps, some later ones, and whatever is new. At rest only a few events are
told, and only to guards that have to hear of each.
"""

from __future__ import annotations

import torch

FIRST_STEPS, AGAIN_STEPS = 8, 2  # steps of an optimizer that are looked at first; and each time later
MAX_TURNS = 4  # steps of all optimizers for each one of each
MIN_REST, MAX_REST = 8, 64  # steps between two looks; it grows by half of the steps so far
TOLD = 8  # times that a call of a model, or a line, is new
MAX_LINES = 4096
# What a training loop does in each step: most guards need not hear of all of it.
SAMPLED = frozenset(
    "on_call on_called on_loss on_backward on_backward_end on_zero_grad on_step on_stepped on_clip".split()
)


class Looking:
    """The part of a watch that knows when to look."""

    def begin_looking(self):
        self.looking, self.seen = True, {}
        self.wanted, self.most = {}, 0  # a look's end: steps of each optimizer, or so many of all
        self.taken, self.next = 0, 0  # steps of all optimizers

    def look(self, steps):
        """Look on for so many steps of each optimizer that steps, of which one may step rarely."""
        if not self.looking:
            self.looking = True
            self.passed.clear()  # other results may lie there by now
            self.settle()
        for key, one in self.optimizers.items():
            if one.steps or steps == FIRST_STEPS:
                self.wanted[key] = max(self.wanted.get(key, 0), one.steps + steps)
        self.most = max(self.most, self.taken + MAX_TURNS * steps * len(self.optimizers))

    def look_on(self):
        """After a step: whether the next one is looked at."""
        self.taken += 1
        steps = ((one.steps, self.wanted.get(key, 0)) for key, one in self.optimizers.items())
        if self.looking and (self.taken >= self.most or all(done >= wanted for done, wanted in steps)):
            self.looking, self.wanted = False, {}
            self.next = self.taken + min(max(self.taken // 2, MIN_REST), MAX_REST)
            self.fire("on_rest")
        elif self.taken >= self.next and not self.looking:
            self.look(AGAIN_STEPS)

    def new(self, *what):
        """Count what the program does; look, where it has not done so often before."""
        times = self.seen[what] = self.seen.get(what, 0) + 1
        if times <= TOLD and self.taken >= FIRST_STEPS:
            self.look(AGAIN_STEPS)
        if len(self.seen) > MAX_LINES:
            self.seen.clear()

    def is_new(self, module):
        """Whether the call of a model is to be told of; of others only evaluations are counted."""
        self.new(self.where(), id(module), module.training, torch.is_grad_enabled())
        if self.looking:
            return True
        self.evaluations += not module.training
        self.bad = False
        return False
