"""Items that a model is evaluated on are among those it is trained on."""

from time import thread_time

from torchwhy_watch import Watching, on_cpu, plain, tensors_in

MESSAGES = {
    "shared": (
        "{shared} of {count} items of {dataset}, which is evaluated here, are in the data that are trained on as well",
        "{dataset} 在此处用于评估，抽查的 {count} 个样本中有 {shared} 个也在训练数据里",
    ),
    "before": (
        "{shared} of {count} samples that {model} is evaluated on here were trained on before, and are held out since: the split was drawn anew, and the model was not",
        "{model} 在此处用于评估的 {count} 个样本中，有 {shared} 个之前训练过，现在才被留出：重新划分了数据，却没有重新创建模型",
    ),
}
SURE = 12  # rows of an evaluation that so many looked at would have had, were they still trained on
LOOKED, MOST, MAX_S = 64, 20_000, 3.0
LEAST, LEAST_SHARE, LEAST_NUMBERS = 3, 0.05, 4


class Guard(Watching):
    def begin(self):
        self.phases = {}

    def on_call(self, call, module, args, kwargs):
        rows = rows_in(args)
        if not rows or len(self.phases) > MOST:
            return
        phase = self.phases.setdefault(call.counted, Phase())
        if call.training and call.grad:
            phase.trains(module, rows)
        else:
            shared = phase.evaluates(module, rows)
            if shared:
                told = {"shared": shared, "count": len(rows), "model": call.counted.name}
                self.report("before", call.at, **told)

    def on_load(self, args, kwargs, at):
        for counted in [one for one in self.phases if one.ref() is args[0]]:
            del self.phases[counted]

    def on_items(self, items):
        if not items.evaluated or items.trained is None:
            return
        until = thread_time() + MAX_S
        looked = self._inputs(items, items.dataset, LOOKED, until)
        if len(set(looked)) < 0.9 * len(looked):
            return  # few different items are possible
        trained = set(self._inputs(items, items.trained, MOST, until))
        shared = sum(one in trained for one in looked)
        everything = shared == len(looked) and len(items.trained) == len(items.dataset)
        if shared >= max(LEAST, LEAST_SHARE * len(looked)) and not everything:
            told = {"shared": shared, "count": len(looked), "dataset": type(items.dataset).__name__}
            self.report("shared", items.at, **told)

    def _inputs(self, items, dataset, most, until):
        """The numbers of the first large enough tensor of so many items, spread over all of them."""
        found, size = [], len(dataset)
        for place in range(0, size, max(size // most, 1)):
            parts = items.read(place, seed=0, dataset=dataset) if thread_time() < until else []
            first = next((one for one in parts if one.numel() >= LEAST_NUMBERS), None)
            found += [hash(first.contiguous().numpy().tobytes())] if first is not None else []
        return found


class Phase:
    """Which samples a model was trained on since its last evaluation, and before that."""

    def __init__(self):
        self.now, self.before, self.weight = set(), set(), None

    def trains(self, module, rows):
        if self.weight is not None:
            begun_anew = self.weight != weight_of(module)
            self.before = set() if begun_anew else self.before | self.now
            self.now, self.weight = set(), None
        if len(self.now) + len(self.before) < MOST:
            self.now |= rows

    def evaluates(self, module, rows):
        """How many of these were trained on before the last evaluation, where none is any more."""
        self.weight = weight_of(module)
        shared = len(rows & (self.before - self.now))
        expected = len(self.now) * shared / max(len(self.before), 1)
        enough = shared >= max(LEAST, LEAST_SHARE * len(rows)) and expected >= SURE
        return shared if enough and not rows & self.now else 0


def weight_of(module):
    first = next((one for one in module.parameters() if one.numel() and plain(one)), None)
    return float(first.detach().sum()) if first is not None and on_cpu(first) else None


def rows_in(args):
    """What tells the samples apart that a model is called with; none where they are too alike."""
    known = filter(plain, tensors_in(args))
    given = next((one for one in known if one.dim() > 1 and len(one) >= LEAST), None)
    if given is None or not on_cpu(given) or given[0].numel() < LEAST_NUMBERS:
        return set()
    if str(given.dtype) == "torch.bfloat16":
        return set()
    told = [hash(row.tobytes()) for row in given.detach()[:1024].contiguous().numpy()]
    return set(told) if len(set(told)) >= 0.9 * len(told) else set()
