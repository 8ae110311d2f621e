"""Python's own sum() goes through a tensor element by element."""

import linecache
import re

from torchwhy_watch import Watching

MESSAGES = {
    "sum": (
        "Python's sum() takes {count} entries of a tensor one by one: tensor.sum(0) does it in one call",
        "Python 的 sum() 逐个取出张量的 {count} 项：tensor.sum(0) 一次即可完成",
    )
}
LEAST = 100
CALL = re.compile(r"(?<![\w.])sum\s*\(\s*(?!.*\bfor\b)")


class Guard(Watching):
    def on_iterate(self, args, kwargs, at):
        tensor = args[0]
        if tensor.dim() >= 1 and tensor.shape[0] >= LEAST and CALL.search(linecache.getline(*at)):
            self.report("sum", at, count=tensor.shape[0])
