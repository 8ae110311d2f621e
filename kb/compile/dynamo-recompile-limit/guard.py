"""A compiled function is compiled anew in one step after the other."""

import sys

from torchwhy_watch import Watching

MESSAGES = {
    "again": (
        "{name} has been compiled {versions} times, in {steps} of the first {total} steps: something that it reads is another constant each time",
        "{name} 已编译 {versions} 次，发生在前 {total} 步中的 {steps} 步：它读取的某个值每次都是不同的常量",
    ),
    "library": (
        "{name} ({where}) has been compiled {versions} times, in {steps} of the first {total} steps: something that it reads is another constant each time",
        "{name}（{where}）已编译 {versions} 次，发生在前 {total} 步中的 {steps} 步：它读取的某个值每次都是不同的常量",
    ),
}
# Training and evaluation, a last batch, a batch of one, with sizes fixed and then free: five in a good program.
LEAST_VERSIONS, LEAST_STEPS = 7, 6


class Guard(Watching):
    always = ("on_stepped",)

    def begin(self):
        self.graphs, self.seen = 0, {}

    def on_stepped(self, stepped, at):
        dynamo = sys.modules.get("torch._dynamo.utils")
        if dynamo is not None and self.watch.compiled:
            before, self.graphs = self.graphs, dynamo.counters["stats"]["unique_graphs"]
            if self.graphs != before:
                self._count(at)

    def _count(self, at):
        from torch._dynamo.convert_frame import input_codes
        from torch._dynamo.eval_frame import _debug_get_cache_entry_list as versions_of

        for reference in list(input_codes.seen):
            code = reference()
            versions = len(versions_of(code)) if code is not None else 0
            if versions:
                seen = self.seen.setdefault(code, {})
                seen.setdefault(versions, self.watch.step)
                steps = len(set(seen.values()))
                if versions >= LEAST_VERSIONS and steps >= LEAST_STEPS:
                    self._tell(code, versions, steps, at)

    def _tell(self, code, versions, steps, at):
        path, line = code.co_filename, code.co_firstlineno
        numbers = {"name": code.co_name, "versions": versions, "steps": steps, "total": self.watch.step}
        if self.watch.where.library(path):
            self.report("library", at, where="%s:%d" % (path.split("/")[-1], line), **numbers)
        else:
            self.report("again", (path, line), **numbers)
