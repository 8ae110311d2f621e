"""A metric that is no mean over samples is computed of each batch, and is another one of all together."""

import sys

from torchwhy_watch import Watching

MESSAGES = {
    "batches": (
        "{metric} of each of {count} batches is {mean} on average, and {whole} of all samples together: it is no mean over batches; collect the predictions, and compute it once",
        "{count} 个 batch 各自的 {metric} 平均为 {mean}，而全部样本一起计算是 {whole}：它不能按 batch 取平均；应先收集全部预测，再算一次",
    ),
}
# What scikit-learn's own metrics call: where the results of interest and the data stand among the arguments.
INNER = {
    ("sklearn.metrics._classification", "precision_recall_fscore_support"): ("F1", 2, 0),
    ("sklearn.metrics._ranking", "_average_binary_score"): ("the ranking metric", None, 1),
}
FEWEST, APART, MOST = 4, 0.02, 4096
MAX_NUMBERS = 1 << 20  # of what is kept of all batches


class Guard(Watching):
    def begin(self):
        self.heard, self.batch, self.calls, self.kept = set(), 0, {}, 0

    def on_loader(self, loader, at):
        self._tell()
        for (module, name), (metric, *places) in INNER.items():
            if module in sys.modules and name not in self.heard:
                self.heard.add(name)
                self.watch.replace(sys.modules[module], name, self._make(metric, *places))

    def on_batch(self, iterator, batch, seconds):
        self.batch += 1

    def on_end(self):
        self._tell()

    def _make(self, metric, result, first):
        def make(original):
            def measured(*args, **options):
                value = original(*args, **options)
                calls = self.calls.setdefault((self.watch.where(), metric, first), [])
                if self.watch.live and len(args) >= first + 2 and len(calls) < MOST and self._is_small(args):
                    wanted = value if result is None else value[result]
                    calls.append((self.batch, args, options, wanted, original, result))
                return value

            return measured

        return make

    def _is_small(self, args):
        """Whether the data of this call may be kept as well."""
        self.kept += sum(map(numbers_in, args))
        return self.kept <= MAX_NUMBERS

    def _tell(self):
        """Of each line that computed it once a batch: the metric of all batches together, if all were kept."""
        calls, self.calls, kept, self.kept = self.calls, {}, self.kept, 0
        if kept > MAX_NUMBERS:
            return
        for (at, metric, first), told in calls.items():
            if len(told) < FEWEST or len({one[0] for one in told}) < len(told):
                continue
            _, args, options, value, original, result = told[0]
            if getattr(value, "ndim", 0) or options.get("sample_weight") is not None:
                continue
            joined = [[x for one in told for x in one[1][place]] for place in (first, first + 1)]
            whole = original(*args[:first], *joined, *args[first + 2 :], **options)
            whole = float(whole if result is None else whole[result])
            mean = sum(float(one[3]) for one in told) / len(told)
            if abs(mean - whole) > APART:
                self.report("batches", at, metric=metric, count=len(told), mean=mean, whole=whole)


def numbers_in(value):
    """How many numbers an array or a list holds."""
    size = getattr(value, "size", None)  # of a tensor it is a method
    return size if type(size) is int else len(value) if hasattr(value, "__len__") else 0
