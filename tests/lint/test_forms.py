"""Correct code that looks like one of these mistakes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tests.conftest import KB
from torchwhy.lint.check import findings_of
from torchwhy.lint.rule import load_rule, rule_files
from torchwhy.source.module import CELL_END
from torchwhy.source.project import parse

RULES = {path.parent.name: load_rule(path) for path in rule_files([KB])}


def reported(id: str, text: str, path: str = "train.py") -> list[int]:
    """The lines that one rule calls wrong."""
    said: list[str] = []
    found = findings_of(parse(path, text), [RULES[id]], say=said.append)
    assert not said
    return [each.line for each in found if each.sure == "wrong"]


REDUCED = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
loss_fn = nn.MSELoss(reduction="{reduction}")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (x, y) in enumerate(loader):
    loss = loss_fn(model(x), y)
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
"""

LOOP = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0
for step, (x, y) in enumerate(loader):
    loss = (model(x) - y).square().mean()
    {before}
    loss.backward()
    if (step + 1) % 4 == 0:
        {scale}
        optimizer.step()
        optimizer.zero_grad()
        {behind}
"""
BARRIER = """\
import torch.distributed as dist

def first(rank, cached):
    if {test}:
        dist.barrier()
    load()
    if rank == 0 and not cached:
        dist.barrier()
"""
CALLED = """\
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

model = DistributedDataParallel(nn.Sequential({layers}))
if rank == 0:
    with torch.no_grad():
        seen = model(sample)
"""
AUTOCAST = """\
import torch

def one_epoch(model, loader, optimizer, {given}):
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = (model(x) - y).square().mean()
        optimizer.zero_grad()
        {backward}
        optimizer.step()
"""
WORKERS = """\
import random
import torch
from torch.utils.data import DataLoader

torch.manual_seed(0)

class Blur:
    def __call__(self, image):
        return image * random.random()

loader = DataLoader(data(Blur()), num_workers={workers})
"""
EVALUATOR = """\
import torch
from torch import nn

class Evaluator:
    def __init__(self, model):
        self.model = model

    def accuracy(self):
        self.model.eval()
        return self.model(x)

model = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
evaluator = Evaluator(model)
for epoch in range(3):
    {train}
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
    evaluator.accuracy()
"""
SPEECH = """\
from torch import nn
import torch.nn.functional as F

class Prenet(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5){comment}
"""
DECODER = """\
import torch
from torch import nn

class Decoder({base}):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def inference(self, x):
        for _ in range(9):
            x = self.layer(x)
        return x
"""
ONE_OF = """\
import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            {when}x = x.relu()
        return x

F.cross_entropy(Net()(torch.rand(2, 4)), torch.tensor([0, 1])).backward()
"""
UNFREEZE = """\
from torch.utils.data import DataLoader

for epoch in range(9):
    if {test}:
        loader = DataLoader(data, num_workers=2, persistent_workers=True)
"""
OWN_PART = """\
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

model = DistributedDataParallel(net)
index = every.split(size){part}
loader = DataLoader(index, shuffle=True)
"""
BRANCHES = """\
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

model = DistributedDataParallel(net)
if world > 1:
    sampler = {sampler}
    sampler.set_epoch(0)
    loader = DataLoader(data, sampler=sampler)
else:
    loader = DataLoader(data, shuffle=True)
"""
NUMBERS = """\
import torch

seen = set()
for line in open("labels.txt"):
    seen.add({value})
index = {{each: at for at, each in enumerate(seen)}}
torch.save(index, "index.pt")
"""
TABLE = """\
import torch

known = torch.log(torch.sigmoid({x}))
loss.backward()
"""
AVERAGE = """\
from torch import nn
from monitor import Average

model, losses = nn.Linear(4, 1), {kept}
for x in loader:
    loss = model(x).mean()
    loss.backward()
    losses.append(loss)
"""
LEAVES = """\
import torch.nn.functional as F

def measure(model, x, y, given):
    if given:
        if given > 1:
            x = F.sigmoid(x)
        {leave}
    return F.binary_cross_entropy_with_logits(x, y)
"""
OTHER = """\
import torch.nn.functional as F

def measure(x, y, given):
    if given:
        x = F.sigmoid(x)
        print(x)
    {other}:
        return F.binary_cross_entropy_with_logits(x, y)
"""
BEST = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())

def one_epoch():
    model(x).mean().backward()
    optimizer.step()

def load():
    best = torch.load("best.pt")
    {mode}
    model.load_state_dict(best["model"])
    print(best["epoch"])
"""
GRID = """\
import torch

x = torch.rand(5)
column = torch.rand(5, 1)
pairs = {column} - x
"""
GIVEN = """\
import torch
from torch import nn

class Stop(nn.Module):
    def __init__(self, embed):
        super().__init__()
        self.operations = {{"embed": {embed}}}

stop = Stop(nn.Linear(4, 4))
"""
SMOOTH = """\
from torch import nn

class Smooth(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.mean = {layer}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [Smooth(size) for size in (3, 5)]
"""
CHILDREN = """\
import os
import torch
import torch.multiprocessing as mp

def main():
    os.environ["OMP_NUM_THREADS"] = "2"
    {start}
"""
SAMPLING = """\
import torch.nn.functional as F
from torch import nn

class Diffusion(nn.Module):
    def {name}(self, x, share):
        return F.dropout(x, p=share)
"""
RATE = """\
import torch

optimizer = torch.optim.Adam(model.parameters(), lr=1.0)
{schedule}
loss.backward()
"""
PIXELS = """\
import torch

optimizer = torch.optim.Adam({given}, lr=10.0)
loss.backward()
"""
ADAPTER = """\
from peft import PeftModel
from transformers import Trainer

trainer = Trainer(model)
{before}
loaded = PeftModel.from_pretrained(base, "adapter")
{behind}
"""
OFFLOAD = """\
import torch

def forward(ctx, run, x):
    copy = x.to("cpu", non_blocking=True)
    {use}
    return run(x)
"""


STOPWATCH = """\
import time
import torch
from torch import nn

model = nn.Linear(4, 3).to("cuda")

def predict(x, names):
    start = time.time()
    scores = torch.softmax(model(x), dim=1)
    {read}
    return names, time.time() - start
"""
EACH_PASS = """\
from torch import nn

model, copy = nn.Linear(4, 1), nn.Linear(4, 1)
if __name__ == "__main__":
    for step in range(9):
        {when}params = model.state_dict()
        train(model)
    copy.load_state_dict(params)
"""
FROM_FILE = """\
import torch
from torch import nn

models = [nn.Linear(4, 1), nn.Linear(4, 1)]
for path, model in zip(paths, models):
    if path:
        weights = model.state_dict()
        {between}
        model.load_state_dict(weights)
"""
PREPARED = """\
from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

class Training:
    def __init__(self, data, model):
        loader = DataLoader(data, batch_size=4, shuffle=True)
        self.model = DistributedDataParallel(model)
        self.loader = loader
        self.loader = {loader}
"""
LIMIT = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler()
for x in loader:
    optimizer.zero_grad()
    scaler.scale(model(x).mean()).backward()
    nn.utils.clip_grad_norm_(model.parameters(), {limit})
    scaler.step(optimizer)
    scaler.update()
"""
CHOSEN = """\
import torch

def choose(scores, loss):
    loss.backward()
    p = torch.softmax(scores, dim=-1)
    return p[0].log(){read}
"""
MADE_DATA = """\
import torch
from torch import nn

system, model = None, nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with torch.no_grad():
    system = nn.Linear(4, 1)
    truth = system(points)
for x in loader:
    optimizer.zero_grad()
    loss = model({x}).mean()
    loss.backward()
    optimizer.step()
"""
RATES = """\
import torch

class Rate(torch.nn.Module):
    def __init__(self, like, rate):
        super().__init__()
        self.rate = rate * torch.ones_like(like, requires_grad=True)
        {then}
"""
CONTEXT_VECTOR = """\
import torch

class Policy(torch.nn.Module):
    def __init__(self, device):
        super().__init__()
        self.context = torch.zeros(4, requires_grad=True).to(device)

    def reset(self):
        {reset}
"""
LOSSES = """\
from torch import nn

class Model(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.losses = {{"a": nn.SmoothL1Loss(reduction="none"), "b": nn.CrossEntropyLoss({weight})}}
"""
META = """\
import higher
import torch

def train(model, tasks):
    outer = torch.optim.Adam(model.parameters())
    outer.zero_grad()
    for task in tasks:
        with higher.innerloop_ctx(model, inner) as (copy, diffopt):
            diffopt.step({given})
            loss = copy(task).mean()
            loss.backward()
    outer.step()
"""
SHORT = """\
import torch

{check} max(torch.{made}) > 0
"""
MASK = """\
import torch

def mask(n, x):
    row, other = torch.zeros(8), torch.ones(8)
    column = {of}.unsqueeze(-1)
    return row > column - 3
"""
BESIDE = """\
import random
import torch

def _test_{name}():
    torch.manual_seed(0)

{call}
first = random.randint(1, 9)
"""
OWN_TEST = """\
import torch
from torch import nn

def test_net():
    net = nn.Linear(4, 1)
    for n in range(9):
        y = net(torch.rand(n, 4))
        {check}
"""
PIPELINE = """\
import time
from diffusers import DiffusionPipeline
from torch import nn

model = {made}.to("cuda")
start = time.time()
model("a house")
took = time.time() - start
"""
DRAWN_SEED = """\
import random
import torch

torch.manual_seed({seed})
first = random.randint(1, 9)
"""

RECORDING = """\
import random
import torch

torch.manual_seed(0)
{name} = {text}random.randint(1, 9)
"""
CHUNKS = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    losses = []
    for part, target in zip(x.chunk(4), y.chunk(4)):
        loss = nn.functional.mse_loss(model(part), target)
        losses.append(loss)
        loss.backward()
        {within}
    {behind}
"""
FOUND_DEVICE = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.device = torch.device("cpu")
        self.inner = nn.Linear(4, 4)
        {then}

    def forward(self, x):
        return self.inner(x.to(self.device))

net = Net().to("cuda")
"""
FLATTENED = """\
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 4)
        self.flat = []
        self.flat.append({layer})
"""
CHOICE = """\
from torch import nn

class Net(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.nets = {{"a": nn.Linear(4, 4), "b": nn.Linear(4, 8)}}
        self.net = self.pick(name)

    def pick(self, name):
        net = {found}
        return net
"""
PADDED = """\
import torch
from torch import nn

x = {layer}(torch.rand(2, 4))
print(x.numpy())
"""
STATISTICS = """\
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)
        {freeze}

    def forward(self, x):
        return self.net(x)

def evaluate(loader):
    net, found = Features(), []
    for x in loader:
        found.append(net(x))
"""
OWN_SCALER = """\
import torch
from torch import nn

class Scaler:
    def {scale}(self, loss):
        return loss

    def step(self, optimizer):
        optimizer.step()

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = Scaler()
for x, y in loader:
    optimizer.zero_grad()
    scaler.scale(nn.functional.mse_loss(model(x), y)).backward()
    scaler.step(optimizer)
"""

BRANCH = """\
import os
import torch

def choose(gpu):
    if gpu:
        assert torch.cuda.is_available()
    {other}
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

choose(True)
"""
SAVED = """\
import torch
from torch import nn

def train(path, keeps):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    state = torch.load(path)
    optimizer.load_state_dict(state)
    for step in range(9):
        optimizer.step()
        if keeps:
            state = optimizer.state_dict()
        save(state)
    {then}
"""
CLEARED = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def learn(x, y):
    step(x, y)

def step(x, y):
    {clear}
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()

for x, y in loader:
    learn(x, y)
"""
OWN_PARAMETERS = """\
from torch import nn

class Critics(nn.Module):
    def __init__(self):
        super().__init__()
        self.critics = [nn.Linear(4, 1) for _ in range(3)]

    def {name}(self):
        return [each for critic in self.critics for each in critic.parameters()]
"""
PSEUDO_LABELS = """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Dropout())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, strong in loader:
    optimizer.zero_grad()
    with torch.no_grad():
        guess = model(x)
    labels = {labels}.argmax(1)
    loss = nn.functional.cross_entropy(model(strong), labels)
    loss.backward()
    optimizer.step()
"""
ADVERSARY = """\
import torch
from torch import nn

class DomainLoss(nn.Module):
    def __init__(self, discriminator):
        super().__init__()
        self.discriminator = {held}

    def forward(self, x):
        return x.mean()

domain_loss, model = DomainLoss(discriminator), nn.Linear(4, 1)
for x in loader:
    loss = domain_loss(model(x).detach())
    loss.backward()
"""


@pytest.mark.parametrize(
    ("id", "text", "right", "mistaken"),
    [
        ("cuda-visible-devices-too-late", BRANCH, {"other": "else:"}, {"other": "if torch.cuda.is_available():"}),
        ("best-state-dict-not-copied", SAVED, {"then": "log(step)"}, {"then": "optimizer.load_state_dict(state)"}),
        ("zero-grad-forgotten", CLEARED, {"clear": "drop_grads_none(optimizer)"}, {"clear": "print(optimizer)"}),
        ("submodule-in-python-list", OWN_PARAMETERS, {"name": "parameters"}, {"name": "weights"}),
        ("train-eval-mode", PSEUDO_LABELS, {"labels": "guess"}, {"labels": "strong"}),
        ("no-grad-fn", ADVERSARY, {"held": "discriminator"}, {"held": "None"}),
        ("random-seeds", RECORDING, {"name": "name", "text": '"clip_%05d" % '}, {"name": "name", "text": "3 % "}),
        ("random-seeds", RECORDING, {"name": "master_port", "text": ""}, {"name": "support", "text": ""}),
        ("loss-tensor-accumulated", CHUNKS, {"behind": "optimizer.step()"}, {"within": "optimizer.step()"}),
        ("stale-device-attribute", FOUND_DEVICE, {"then": "self.device = pick()"}, {"then": "pass"}),
        ("submodule-in-python-list", FLATTENED, {"layer": "self.rnn"}, {"layer": "nn.GRU(4, 4)"}),
        ("submodule-in-python-list", CHOICE, {"found": "self.nets[name]"}, {"found": "self.other[name]"}),
        ("numpy-on-requires-grad", PADDED, {"layer": "nn.ConstantPad1d(2, 0.0)"}, {"layer": "nn.Linear(4, 4)"}),
        ("validation-without-no-grad", STATISTICS, {"freeze": "self.net.requires_grad_(False)"}, {"freeze": "self.a = 1"}),
        ("amp-fp16-overflow", OWN_SCALER, {"scale": "scale"}, {"scale": "times"}),
        ("gradient-accumulation", LOOP, {"scale": "scale_grads(model, 1 / count)"}, {"scale": "log(step)"}),
        ("gradient-accumulation", REDUCED, {"reduction": "sum"}, {"reduction": "mean"}),
        ("gradient-accumulation", LOOP, {"before": "loss = loss_of(model, x, y).sum()"}, {"before": "log(step)"}),
        ("loss-tensor-accumulated", LOOP, {"before": "total += loss", "behind": "total = 0"}, {"before": "total += loss"}),
        ("collective-on-one-rank-only", BARRIER, {"test": "rank not in [-1, 0] and not cached"}, {"test": "cached"}),
        ("collective-on-one-rank-only", CALLED, {"layers": "nn.Linear(4, 4)"}, {"layers": "nn.BatchNorm1d(4)"}),
        ("amp-fp16-overflow", AUTOCAST, {"given": "accelerator", "backward": "accelerator.backward(loss)"}, {"given": "log", "backward": "loss.backward()"}),
        ("random-seeds", WORKERS, {"workers": "4"}, {"workers": "0"}),
        ("train-eval-mode", EVALUATOR, {"train": "model.train()"}, {"train": "print(epoch)"}),
        ("train-eval-mode", SPEECH, {"comment": "  # always applied"}, {"comment": ""}),
        ("validation-without-no-grad", DECODER, {"base": "nn.Module"}, {"base": "Plain"}),
        ("output-activation-limits-range", ONE_OF, {"when": "if i == 0: "}, {"when": ""}),
        ("dataloader-workers-slow", UNFREEZE, {"test": "epoch >= 5 and frozen"}, {"test": "epoch % 2 == 0"}),
        ("distributed-sampler-missing", OWN_PART, {"part": "[rank]"}, {"part": "[0]"}),
        ("distributed-sampler-missing", BRANCHES, {"sampler": "DistributedSampler(data)"}, {"sampler": "RandomOrder(data)"}),
        ("label-order-differs", NUMBERS, {"value": "int(line)"}, {"value": "line"}),
        ("log-of-zero", TABLE, {"x": "torch.arange(-6, 6, 0.1)"}, {"x": "score"}),
        ("loss-tensor-accumulated", AVERAGE, {"kept": "Average()"}, {"kept": "[]"}),
        ("nll-vs-cross-entropy", LEAVES, {"leave": "return x"}, {"leave": "y = y.float()\n    x = F.sigmoid(x)"}),
        ("nll-vs-cross-entropy", OTHER, {"other": "else"}, {"other": "if not given"}),
        ("resume-loss-jumps", BEST, {"mode": "model.eval()"}, {"mode": "model.train()"}),
        ("silent-broadcast", GRID, {"column": "x[:, None]"}, {"column": "column"}),
        ("submodule-in-python-list", GIVEN, {"embed": "embed"}, {"embed": "nn.Linear(4, 4)"}),
        ("submodule-in-python-list", SMOOTH, {"layer": "nn.AvgPool1d(size)"}, {"layer": "nn.Linear(size, 1)"}),
        ("thread-env-too-late", CHILDREN, {"start": "mp.spawn(run, nprocs=2)"}, {"start": "run()"}),
        ("train-eval-mode", SAMPLING, {"name": "sample"}, {"name": "forward"}),
        ("learning-rate-out-of-range", RATE, {"schedule": "torch.optim.lr_scheduler.LambdaLR(optimizer, rate)"}, {"schedule": ""}),
        ("learning-rate-out-of-range", PIXELS, {"given": "[picture]"}, {"given": "model.parameters()"}),
        ("lora-nothing-trainable", ADAPTER, {"before": "trainer.train()"}, {"behind": "trainer.train()"}),
        ("non-blocking-copy", OFFLOAD, {"use": "ctx.save_for_backward(copy)"}, {"use": "print(copy)"}),
        ("thread-env-too-late", CHILDREN, {"start": "torch.set_num_threads(2)"}, {"start": "run()"}),
        ("asynchronous-timing", STOPWATCH, {"read": "names = {name: float(scores[0][i]) for i, name in enumerate(names)}"}, {"read": "names = {name: i for i, name in enumerate(names)}"}),
        ("asynchronous-timing", STOPWATCH, {"read": 'scores = scores.to("cpu")'}, {"read": "scores = scores.to(x.device)"}),
        ("asynchronous-timing", STOPWATCH, {"read": "if scores.max() > 0.5:\n        names = []"}, {"read": "if names:\n        names = []"}),
        ("best-state-dict-not-copied", EACH_PASS, {"when": ""}, {"when": "if step == 3: "}),
        ("best-state-dict-not-copied", FROM_FILE, {"between": "weights.update(torch.load(path))"}, {"between": "optimizer.step()"}),
        ("distributed-sampler-missing", PREPARED, {"loader": "Accelerator().prepare(self.loader)"}, {"loader": "iter(self.loader)"}),
        ("gradient-clipping", LIMIT, {"limit": "1.0 * scaler.get_scale()"}, {"limit": "1.0"}),
        ("log-of-zero", CHOSEN, {"read": ".item()"}, {"read": ".mean()"}),
        ("no-grad-keeps-requires-grad", MADE_DATA, {"x": "x"}, {"x": "system(x)"}),
        ("non-leaf-parameter", RATES, {"then": "self.rate = torch.nn.Parameter(self.rate)"}, {"then": "print(self.rate)"}),
        ("non-leaf-parameter", CONTEXT_VECTOR, {"reset": "self.context[:] = 0"}, {"reset": "print(self.context[:])"}),
        ("submodule-in-python-list", LOSSES, {"weight": "reduction='none'"}, {"weight": "weight"}),
        ("zero-grad-forgotten", META, {"given": "loss"}, {"given": ""}),
        ("python-sum-on-tensor", SHORT, {"check": "found =", "made": "tensor([2, 3, 1])"}, {"check": "found =", "made": "tensor(rows)"}),
        ("random-seeds", DRAWN_SEED, {"seed": "random.randint(1, 20000)"}, {"seed": "3"}),
        ("silent-broadcast", MASK, {"of": "row"}, {"of": "other"}),
        ("validation-without-no-grad", OWN_TEST, {"check": "assert len(y) == n"}, {"check": "print(y)"}),
        ("asynchronous-timing", PIPELINE, {"made": "DiffusionPipeline.from_pretrained('a')"}, {"made": "nn.Linear(4, 4)"}),
        ("random-seeds", BESIDE, {"name": "net", "call": ""}, {"name": "net", "call": "torch.manual_seed(1)"}),
    ],
)  # fmt: skip
def test_correct_code_is_left_alone(
    id: str, text: str, right: dict[str, str], mistaken: dict[str, str]
) -> None:
    """The two differ in one place, and the rule sees the one that is wrong."""
    none = dict.fromkeys(re.findall(r"\{(\w+)\}", text), "pass")
    assert reported(id, text.format(**none | right)) == []
    assert len(reported(id, text.format(**none | mistaken))) == 1


@pytest.mark.parametrize("imports", [("import pytest", []), ("from unittest import TestCase", []), ("", [5])])
def test_a_test_draws_as_it_likes(imports: tuple[str, Sequence[int]]) -> None:
    text = f"import random\nimport torch\n{imports[0]}\ntorch.manual_seed(0)\nshift = random.randint(1, 9)\n"
    assert reported("random-seeds", text) == imports[1]


@pytest.mark.parametrize(
    ("path", "lines"), [("tests/net_test.py", []), ("net_test.py", [5]), ("tests/net.py", [5])]
)
def test_a_test_is_known_by_its_file(path: str, lines: Sequence[int]) -> None:
    text = "import random\nimport torch\ntorch.manual_seed(0)\ndef test_draws():\n    return random.randint(1, 9)\n"
    assert reported("random-seeds", text, path) == lines


NOTEBOOK = """\
import random
import torch
torch.manual_seed(0)
shown = random.sample(paths, k=3)
for path in shown:
    {use}
"""


def test_a_notebook_draws_what_it_shows() -> None:
    for path, use, lines in (
        ("a.ipynb", "plt.imshow(Image.open(path))", []),
        ("a.ipynb", "loss = criterion(model(path))", [4]),
        ("train.py", "plt.imshow(Image.open(path))", [4]),
    ):
        assert reported("random-seeds", NOTEBOOK.format(use=use), path) == lines


def test_a_notebook_shows_a_tensor() -> None:
    for method, behind, lines in (
        ("cpu", CELL_END, []),
        ("cpu", f"\n\n{CELL_END}", []),
        ("cpu", f"\nprint(x){CELL_END}", [3]),
        ("cuda", CELL_END, [3]),
    ):
        text = f"import torch\nx = torch.rand(3)\nx.{method}(){behind}\nprint(x)\n"
        assert reported("tensor-cuda-not-inplace", text, "a.ipynb") == lines


def test_a_comparison_with_nan_is_told_what_it_gives() -> None:
    for sign, said in (("==", "never"), ("!=", "always")):
        module = parse("train.py", f'print(x {sign} float("nan"))\n')
        (found,) = findings_of(module, [RULES["nan-compare"]], say=print)
        assert f"is {said} true" in found.message["en"]


def test_a_count_of_gpus_does_not_start_cuda() -> None:
    text = 'import os\nimport torch\n{}\nos.environ["CUDA_VISIBLE_DEVICES"] = "0"\n'
    assert reported("cuda-visible-devices-too-late", text.format("print(torch.cuda.device_count())")) == []
    assert reported("cuda-visible-devices-too-late", text.format("print(torch.cuda.is_available())")) == [4]
