WEIGHTS = """import numpy


def balanced(labels):
    counts = numpy.bincount(labels)
    return torch.from_numpy(len(labels) / (len(counts) * counts))


by_class = torch.nn.CrossEntropyLoss(weight=balanced([0, 0, 0, 1]))
assert by_class(torch.zeros(4, 2), torch.tensor([0, 1, 0, 1])) > 0.6
"""
PARTS = """import numpy

table = numpy.linspace(0.0, 1.0, 24).reshape(8, 3)
x, y = torch.from_numpy(table[:, :2]), torch.from_numpy(table[:, 2:])
line = torch.nn.Linear(2, 1)
for one, other in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=4):
    guess = line(one)
    assert guess.dtype == torch.float32
"""

SERIES = """import numpy

waves = numpy.sin(numpy.linspace(0.0, 9.0, 24)).reshape(3, 8, 1)
x = torch.from_numpy(waves[:2])
reader = torch.nn.{layer}(1, 4, batch_first=True)
out, _ = reader(x)
assert out.shape == (2, 8, 4) and out.dtype == torch.float32
"""
OF_LSTM, OF_GRU = SERIES.format(layer="LSTM"), SERIES.format(layer="GRU")
# A memory of float32 that is filled by its indices.
RING = """import numpy


class Ring:
    def __init__(self, size):
        self.rows = torch.zeros(size, 2)

    def add(self, rows):
        at = torch.arange(len(rows))
        self.rows[at] = rows
        return self.rows


def as_tensor(array):
    return torch.as_tensor(array)


kept = Ring(4).add(as_tensor(numpy.ones((3, 2))))
assert kept.sum() == 6 and kept.dtype == torch.float32
"""
PLACES = """import numpy

kept = torch.zeros(4)
kept[torch.tensor([0, 2])] = torch.from_numpy(numpy.ones(2))
assert kept.sum() == 2 and kept.dtype == torch.float32
"""


def faults(host):
    for text in (WEIGHTS, PARTS, OF_LSTM, OF_GRU, RING, PLACES):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("from_numpy(table).float()", "from_numpy(table)")
    yield from host.with_text("from_numpy(prices).float()", "from_numpy(prices)")
    yield from host.with_text("from_numpy(self.paths[index]).float()", "from_numpy(self.paths[index])")
    yield from host.with_text("(self.waves[index]).float() / 255", "(self.waves[index] / 255)")
    yield from host.with_text(".astype(np.float32)", "")
    yield from host.with_text("torch.tensor([1.0, 2.0])", "torch.tensor([1.0, 2.0], dtype=torch.float64)")
    yield from host.with_text("rows = features[start : start + 10]", "{}.double()")
    yield from host.with_text("state, logs, rewards = torch.randn(4)", "{}.double()")
    if "nn.Embedding" in host.text:
        return  # whose models take ids
    for model in ("net", "encoder", "policy"):
        yield from host.with_argument(model, 0, "{}.double()")
    yield from host.with_argument("bce", 1, "{}.double()")
