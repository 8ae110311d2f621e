FROM_ONE = """class Rows(torch.utils.data.Dataset):
    def __init__(self):
        self.x = torch.ones(12, 2)
        self.y = {labels}

    def __len__(self):
        return 12

    def __getitem__(self, at):
        return self.x[at], self.y[at]


sorter = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.ReLU(), torch.nn.Linear(4, {classes}))
for x, y in torch.utils.data.DataLoader(Rows(), batch_size=12):
    error = torch.nn.functional.cross_entropy(sorter(x), y)
    assert y.min() == 0 and sorter(x).shape[1] == 3
"""
FORMS = (
    ("torch.tensor([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])", "3"),
    ("torch.randint(1, 4, (12,), generator=torch.Generator().manual_seed(0))", "3"),
    ("torch.arange(12) % 3 + 1", "3"),
    ("torch.randint(0, 3, (12,), generator=torch.Generator().manual_seed(0))", "2"),
)
STARS = """import random


class Reviews(torch.utils.data.Dataset):
    def __init__(self, size=40):
        draw = random.Random(0)
        self.rows = []
        for _ in range(size):
            stars = draw.randint(1, 5)
            self.rows.append({"words": [stars / 5.0, 1.0], "stars": stars})

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        return torch.tensor(self.rows[at]["words"]), torch.tensor(self.rows[at]["stars"])


for words, stars in torch.utils.data.DataLoader(Reviews(), batch_size=40):
    torch.nn.functional.cross_entropy(torch.nn.Linear(2, 5)(words), stars)
    assert stars.min() == 0
"""


def faults(host):
    yield from host.with_text("torch.manual_seed(", f"{STARS}torch.manual_seed(")
    for labels, classes in FORMS:
        text = FROM_ONE.format(labels=labels, classes=classes)
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for loss in ("criterion", "loss_fn", "cross_entropy", "nll_loss"):
        yield from host.with_argument(loss, 1, "{} + 1")
        yield from host.with_argument(loss, 1, "{} - 1")
    yield from host.with_text("nn.Linear(24, classes)", "nn.Linear(24, classes - 1)")
    yield from host.with_text("nn.Linear(hidden, classes)", "nn.Linear(hidden, classes - 1)")
    yield from host.with_text("nn.Linear(16, classes)", "nn.Linear(16, 1)")
    yield from host.with_text("CrossEntropyLoss(ignore_index=-100)", "CrossEntropyLoss(ignore_index=-1)")
