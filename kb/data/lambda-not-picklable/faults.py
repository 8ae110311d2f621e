KEPT = """import pickle


class Samples(torch.utils.data.Dataset):
    def __init__(self, rows, transform):
        self.rows, self.transform = rows, transform

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        return self.transform(self.rows[at])


{function}def samples_of(rows{more}):
    {inner}return Samples(rows, transform={transform})


samples = pickle.loads(pickle.dumps(samples_of(torch.ones(3, 2){given})))
assert samples[0].tolist() == [0.5, 0.5]
"""
AT_TOP = """import pickle

halved = lambda row: row / 2
assert pickle.loads(pickle.dumps({"transform": halved}))["transform"](4) == 2
"""
BY_WORKER = """import pickle

options = {"batch_size": 4, "collate_fn": lambda rows: torch.stack(rows)}
read = pickle.loads(pickle.dumps(options))
assert read["collate_fn"]([torch.ones(2)]).shape == (1, 2)
"""
FUNCTION = "def halved(row):\n    return row / 2\n\n\n"
INNER = "def halved(row):\n        return row / 2\n\n    "
FORMS = (
    {"transform": "lambda row: row / 2"},
    {"function": FUNCTION, "transform": "lambda row: halved(row)"},
    {"more": ", by", "given": ", 2", "transform": "lambda row: row / by"},
    {"inner": INNER, "transform": "halved"},
    {"inner": "mean, spread = rows.mean() - 1, 2\n    ", "transform": "lambda row: (row - mean) / spread"},
)


def faults(host):
    for form in FORMS:
        text = KEPT.format(**{"function": "", "more": "", "inner": "", "given": "", **form})
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for text in (AT_TOP, BY_WORKER):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_argument("save", 0, "[{}, lambda x: x]")
    yield from host.with_argument("save", 0, '{"state": {}, "made": lambda: 3}')
    yield from host.with_argument("save", 0, "[{}, open(__file__)]")
