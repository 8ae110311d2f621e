"""What the functions of the entries' edit.py make of a program, and what is refused of such a file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import KB
from tests.support.edits import after, changed, frame
from torchwhy.answers.change import change_of, with_derived
from torchwhy.authoring.edit_rules import check_edits
from torchwhy.knowledge.entry import ChangeTemplate, EditTemplate, Pitfall
from torchwhy.knowledge.load import load_knowledge
from torchwhy.knowledge.witness import digest_of_change
from torchwhy.paste.place import UserFrame
from torchwhy.source.edits import FailingLine
from torchwhy.text.language import Bilingual

NET = """class Net(nn.Module):
    def __init__(self, classes):
        self.body = nn.Linear(3, 2048)
        self.head = nn.Linear(32 * 8 * 8, classes)

    def forward(self, x):
        return self.head(x)
"""
MATMUL = "shapes/matmul-shape-mismatch"


@pytest.mark.parametrize(
    ("written", "to"),
    [
        ("32 * 8 * 8", "1568, classes)  # 32 * 7 * 7"),
        ("2048", "1568, classes)"),
        ("width", "1568, classes)"),  # a size that is a name, where no other could be meant
        ("0x" + "f" * 5000, "1568, classes)"),  # more digits than Python writes
        ("2047", None),  # another layer
    ],
)
def test_the_line_that_made_the_layer_is_edited(tmp_path: Path, written: str, to: str | None) -> None:
    here = frame(tmp_path, NET.replace("32 * 8 * 8", written), 7)
    wanted = (4, f"self.head = nn.Linear({to}") if to else (None, None)
    assert after("width", here, {"want": "2048", "got": "1568"}, MATMUL) == wanted


@pytest.mark.parametrize(
    "text",
    [
        NET + "\n    def more(self):\n        self.head = nn.Linear(2048, 1)\n",
        NET.replace("self.head = ", "self.other = "),
        NET.replace("self.head(x)", "self.head(x.transpose(1, 2))"),  # which may be the mistake
        NET.replace("self.head(x)", "self.head(x.T)"),
    ],
)
def test_no_layer_is_edited_where_it_does_not_follow(tmp_path: Path, text: str) -> None:
    here = frame(tmp_path, text, 7, text.splitlines()[6].strip().removeprefix("return "))
    found = changed("width", here, {"want": "2048", "got": "5"}, MATMUL)
    assert found is not None and not found.before and found.code == "fixed" and found.usual


@pytest.mark.parametrize(("argument", "twice"), [("cfg.hidden", "2 * cfg.hidden"), ("a + b", "2 * (a + b)")])
def test_the_argument_that_stands_there_is_kept(tmp_path: Path, argument: str, twice: str) -> None:
    text = NET.replace("32 * 8 * 8", argument)
    values = with_derived({"want": "40", "got": "80"})
    assert after("both_directions", frame(tmp_path, text, 7), values, MATMUL) == (None, None)
    here = frame(tmp_path, text + "bidirectional = True\n", 7)
    wanted = (4, f"self.head = nn.Linear({twice}, classes)")
    assert after("both_directions", here, values, MATMUL) == wanted


BLOCKS = """class Block(nn.Module):
    def __init__(self, depth, width):
        self.conv = nn.Conv2d(width, width, 3)

    def forward(self, x):
        return self.conv(x)

class Net(nn.Module):
    def __init__(self):
        self.first = Block(1, 16)
        self.second = Block(1, width=32)

    def forward(self, x):
        return self.second(self.first(x))
"""


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("self.second(self.first(x))", (11, "self.second = Block(1, width=16)")),
        ("self.first(x)", (None, None)),  # 16 is not what the message says of this one: nothing is certain
    ],
)
def test_a_size_that_a_class_hands_on_is_edited_where_its_object_is_made(
    tmp_path: Path, expression: str, wanted: tuple[int | None, str | None]
) -> None:
    here = frame(tmp_path, BLOCKS, 6)
    caller = UserFrame(here.file, 14, "return self.second(self.first(x))", "forward", expression)
    values = {"want": "32", "got": "16"}
    assert after("channels", here, values, "shapes/conv-channels-mismatch", (caller,)) == wanted


def test_the_loader_of_the_loop_that_carries_the_state(tmp_path: Path) -> None:
    text = "BATCH = 24\na = DataLoader(x, batch_size=BATCH)\nb = DataLoader(y, batch_size=BATCH)\n"
    carried = text + "for rows in b:\n    out, h = net(rows, h)\n"
    here, entry = frame(tmp_path, carried, 5), "modules/rnn-hidden-size"
    wanted = (3, "b = DataLoader(y, batch_size=BATCH, drop_last=True)")
    assert after("without_the_last_batch", here, {"second": "24"}, entry) == wanted
    assert after("without_the_last_batch", here, {"second": "7"}, entry) == (None, None)
    anew = frame(tmp_path, text + "for rows in b:\n    out, _ = net(rows, h)\n", 5)
    assert after("without_the_last_batch", anew, {"second": "24"}, entry) == (None, None)


def test_a_number_written_into_a_call_of_a_method(tmp_path: Path) -> None:
    text = "N = 8\ndef forward(h):\n    h = h.reshape(N, -1)\n    return h.view(4, -1)\nexport(net)\n"
    entry, values = "export/export-data-dependent-shape", {"value": "8"}
    wanted = (3, "h = h.reshape(h.shape[0], -1)")
    assert after("size_of_the_input", frame(tmp_path, text, 5), values, entry) == wanted
    called = frame(tmp_path, text.replace("h.reshape", "f(h).reshape"), 5)
    assert after("size_of_the_input", called, values, entry) == (None, None)


@pytest.mark.parametrize(
    ("gradients", "index", "wanted"),
    [
        ("gx, x.t() @ g, gb", "1", "return gx, (x.t() @ g).t(), gb"),
        ("gx, gw", "1", "return gx, gw.t()"),
        ("gx", "0", "return gx.t()"),
        ("gx, None", "1", None),
        ("gx, *rest", "0", None),
        ("gx, gw", "2", None),
    ],
)
def test_behind_a_gradient_of_backward(
    tmp_path: Path, gradients: str, index: str, wanted: str | None
) -> None:
    text = f"class Scale(Function):\n    def backward(ctx, g):\n        return {gradients}\n\n\nloss.backward()\n"
    values = {"function": "Scale", "index": index}
    found = after("turned", frame(tmp_path, text, 6), values, "autograd/custom-backward-wrong-shape")
    assert found[1] == wanted


def test_what_forward_takes_is_filled_in(tmp_path: Path) -> None:
    text = "class F(Function):\n    def forward(ctx, x, bits):\n        pass\n\n"
    text += "    def backward(ctx, g):\n        return g\n\n\nloss.backward()\n"
    says = Bilingual("one for each of {parameters}", "{parameters}")
    edits = (EditTemplate(function="its_return"),)
    templates = (
        ChangeTemplate(None, do=says, edits=edits, only_as_edit=True),
        ChangeTemplate(None, code="another"),
    )
    here, folder = frame(tmp_path, text, 9), str(KB / "autograd/custom-backward-wrong-shape")
    from torchwhy.source.own_file import read_source

    for source, shown in ((read_source(here), "one for each of x, bits"), (None, "")):
        found = change_of(templates, {"function": "F"}, "en", here, FailingLine(here, source), None, folder)
        assert found is not None and found.text == shown


PROGRAM = """import torch
loss_fn = nn.BCELoss()
a = torch.from_numpy(array)
up = nn.Upsample(scale_factor=2)
head = nn.Linear(2, 1)
"""


@pytest.mark.parametrize(
    ("entry", "function", "line", "wanted"),
    [
        (
            "shapes/cat-size-mismatch",
            "first_resized",
            "c = torch.cat([up(x), skip], 1)",
            "c = torch.cat([torch.nn.functional.interpolate(up(x), size=skip.shape[2:]), skip], 1)",
        ),
        (
            "shapes/cat-size-mismatch",
            "other_resized",
            "d = torch.cat((skip, x + 1), 1)",
            "d = torch.cat((skip, torch.nn.functional.interpolate(x + 1, size=skip.shape[2:])), 1)",
        ),
        (
            "shapes/cat-size-mismatch",
            "first_resized",
            "e = torch.cat([x, up(x)], 1)",
            None,
        ),  # would run twice
        ("shapes/cat-size-mismatch", "other_resized", "e = torch.cat([x], 1)", None),
        (
            "loss/bce-input-range",
            "class_of_logits",
            "r = loss_fn(a, skip)",
            "loss_fn = nn.BCEWithLogitsLoss()",
        ),
        ("loss/bce-input-range", "class_of_logits", "r = loss_fn(a.sigmoid(), skip)", None),
        (
            "loss/bce-input-range",
            "function_of_logits",
            "r = F.binary_cross_entropy(a, y)",
            "r = F.binary_cross_entropy_with_logits(a, y)",
        ),
        (
            "loss/double-vs-float",
            "where_the_array_came_from",
            "r = loss_fn(a, b)",
            "a = torch.from_numpy(array).float()",
        ),
        ("loss/double-vs-float", "where_the_array_came_from", "r = loss_fn(up, b)", None),
        (
            "data/random-split-lengths",
            "what_the_others_leave",
            "random_split(data, [a, b, 7])",
            "random_split(data, [a, b, len(data) - a - b])",
        ),
        ("data/random-split-lengths", "what_the_others_leave", "random_split(data, [a, g(b), 7])", None),
        ("data/random-split-lengths", "what_the_others_leave", "random_split(data, lengths)", None),
    ],
)
def test_what_a_function_makes_of_a_line(
    tmp_path: Path, entry: str, function: str, line: str, wanted: str | None
) -> None:
    here = frame(tmp_path, PROGRAM + line + "\n", PROGRAM.count("\n") + 1)
    assert after(function, here, {"number": "1"}, entry)[1] == wanted


@pytest.mark.parametrize(
    ("methods", "wanted"),
    [
        (("farward(self, x)",), "def forward(self, x):"),
        (("farward(self, x)", "help(self, x)"), None),  # either could be meant
        (("forward(self, x)", "other(self, x)"), None),
        (("reset(self)",), None),  # takes nothing
    ],
)
def test_a_method_gets_the_name_that_is_missing(
    tmp_path: Path, methods: tuple[str, ...], wanted: str | None
) -> None:
    body = "".join(f"    def {each}:\n        pass\n" for each in methods)
    text = f"class Net(nn.Module):\n{body}net = Net()\nsecond = Net()\nnet(x)\n"
    here = frame(tmp_path, text, text.count("\n"))
    assert after("renamed", here, {"name": "Net"}, "modules/forward-not-implemented")[1] == wanted


def own_base(folder: Path, python: str, function: str = "width") -> Pitfall:
    """An entry of somebody's own, with this edit.py."""
    place = folder / "kb" / "shapes" / "matmul-shape-mismatch"
    shutil.copytree(KB / "shapes" / "matmul-shape-mismatch", place)
    (place / "edit.py").write_text(python)
    entry = load_knowledge([folder / "kb"], {}).pitfalls.get("matmul-shape-mismatch")
    if entry is None:  # its sources are not at hand here
        text = Bilingual("x", "x")
        edits = (EditTemplate(function=function),)
        entry = Pitfall("matmul-shape-mismatch", "shapes", text, "error", "crash", {}, text, text, text, ())
        entry = entry._replace(change=(ChangeTemplate(None, code="x", edits=edits),), folder=str(place))
    return entry


def test_the_edit_of_a_foreign_entry_is_not_run(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    entry = own_base(
        tmp_path, f"open({str(ran)!r}, 'w')\ndef width(line, values):\n    return line.shown(1, 'x')\n"
    )
    here = frame(tmp_path, NET, 7)
    found = changed("width", here, {}, entry.folder)
    assert found is not None and not found.after and not ran.exists()


@pytest.mark.parametrize(
    ("python", "said"),
    [
        ("def width(line, values):\n    return None\n", ""),
        ("def other(line, values):\n    return None\n", "width: found no such function"),
        ("def width(line):\n    return None\n", "width: found line"),
        ("import os\ndef width(line, values):\n    return None\n", "import: found os"),
        (
            "from torchwhy.sourcery import x\ndef width(line, values):\n    return None\n",
            "import: found torchwhy.so",
        ),
        ("def width(line, values):\n    return open('x')\n", "open: found open"),
        ("def width(line, values):\n    return _a\ndef more(line, values):\n    return 1\n", "no edit names"),
        ("def (", "found SyntaxError"),
    ],
)
def test_what_is_refused_of_an_edit(tmp_path: Path, python: str, said: str) -> None:
    problems = " ".join(map(str, check_edits(own_base(tmp_path, python))))
    assert said in problems and bool(problems) == bool(said)


def test_what_stands_there_is_written_once(tmp_path: Path) -> None:
    entry = own_base(tmp_path, "def width(line, values):\n    return None\n")
    for to, refused in (("{it}.long()", False), ("f({it}, {it})", True)):
        change = ChangeTemplate(None, code="x", edits=(EditTemplate(function="width"), EditTemplate(to=to)))
        problems = check_edits(entry._replace(change=(change,)))
        assert bool(problems) == refused, problems
        assert all("would run twice" in str(problem) for problem in problems)


def test_an_edited_function_has_no_witness(tmp_path: Path) -> None:
    """Its text is a part of what the change does; a change without a function does not depend on it."""
    entry = own_base(tmp_path, "def width(line, values):\n    return None\n")
    change, plain = entry.change[0], ChangeTemplate(None, code="x")
    before = [digest_of_change(each, entry.folder) for each in (change, plain)]
    Path(entry.folder, "edit.py").write_text("def width(line, values):\n    return 1\n")
    now = [digest_of_change(each, entry.folder) for each in (change, plain)]
    assert before[0] != now[0] and before[1] == now[1]
    known = load_knowledge([tmp_path / "kb"], {}).fingerprint
    Path(entry.folder, "edit.py").write_text("def width(line, values):\n    return 2\n")
    assert load_knowledge([tmp_path / "kb"], {}).fingerprint != known


CRITERION = """import torch
from torch import nn
criterion = nn.CrossEntropyLoss(reduction="none")
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
"""
NAMED = """import torch
from torch import nn
class Net(nn.Module):
    def forward(x, mask):
        return x
net = Net()
for x, y in loader:
    out = net(x, y)
    print(y)
"""
SCHEDULE = "from torch.optim.lr_scheduler import OneCycleLR\nepochs, loader = 3, [1, 2]\ns = OneCycleLR(o, 0.1, total_steps=epochs)\nfor e in range(epochs):\n    for x in loader:\n        s.step()\n"
OPTIMIZER = """import torch
from torch import nn
a, b = nn.Linear(1, 1), nn.Linear(1, 1)
optimizer = torch.optim.Adam(WHAT, lr=0.1)
"""
GROUPS = '[{"params": m.parameters()}, {"params": m.head.parameters()}]'


@pytest.mark.parametrize(
    ("entry", "function", "text", "line", "values", "wanted"),
    [
        ("autograd/backward-non-scalar", "averaged", CRITERION, 6, {}, (3, 'criterion = nn.CrossEntropyLoss(reduction="mean")')),
        ("autograd/backward-non-scalar", "averaged", CRITERION.replace("y)\n", "y) * y\n"), 6, {}, None),
        ("autograd/backward-non-scalar", "averaged", CRITERION.replace("criterion(model(x), y)", "(x - y) ** 2"), 6, {}, (5, "loss = ((x - y) ** 2).mean()")),
        ("modules/forward-argument-count", "with_self", NAMED, 8, {"where": "Net", "got": "3"}, (4, "def forward(self, x, mask):")),
        ("modules/forward-argument-count", "with_self", NAMED, 8, {"where": "Net", "got": "4"}, None),
        ("modules/forward-argument-count", "without_what_it_does_not_take", NAMED.replace("x, mask", "self, x"), 8, {"where": "Net", "want": "2"}, (8, "out = net(x)")),
        # what is read nowhere else was made for this call
        ("modules/forward-argument-count", "without_what_it_does_not_take", NAMED.replace("x, mask", "self, x").replace("    print(y)\n", ""), 8, {"where": "Net", "want": "2"}, None),
        ("modules/forward-argument-count", "with_what_was_bound_for_it", "for x, y in loader:\n    criterion(net(x))\n", 2, {"names": "'target'", "count": "1"}, (2, "criterion(net(x), y)")),
        ("modules/forward-argument-count", "under_its_name", "net(input=x)\n", 1, {"where": "Net", "name": "input"}, (1, "net(x)")),
        ("optim/optimizer-over-several-models", "as_tensors", OPTIMIZER.replace("WHAT", "[a.parameters(), w]"), 4, {}, (4, "optimizer = torch.optim.Adam([*a.parameters(), w], lr=0.1)")),
        ("optim/optimizer-over-several-models", "as_tensors", OPTIMIZER.replace("WHAT", "a.state_dict()"), 4, {}, (4, "optimizer = torch.optim.Adam(a.parameters(), lr=0.1)")),
        ("optim/optimizer-over-several-models", "as_tensors", OPTIMIZER.replace("WHAT", "build(a)"), 4, {}, None),
        ("optim/optimizer-over-several-models", "lists_added", OPTIMIZER.replace("WHAT", "a.parameters() + b.parameters()"), 4, {}, (4, "optimizer = torch.optim.Adam(list(a.parameters()) + list(b.parameters()), lr=0.1)")),
        ("optim/per-layer-learning-rate", "without_the_others", OPTIMIZER.replace("WHAT", GROUPS), 4, {}, (4, 'optimizer = torch.optim.Adam([{"params": [p for name, p in m.named_parameters() if not name.startswith("head.")]}, {"params": m.head.parameters()}], lr=0.1)')),
        ("optim/per-layer-learning-rate", "without_the_others", OPTIMIZER.replace("WHAT", GROUPS.replace("m.head", "m")), 4, {}, None),
        ("dtype/numpy-tensor-confused", "converted", "x = (a == b).astype(np.float32)\n", 1, {}, (1, "x = (a == b).float()")),
        ("dtype/numpy-tensor-confused", "converted", "x = a.astype(kind)\n", 1, {}, None),
        ("shapes/ambiguous-bool", "asked_for_none", "def f(x, mask=None):\n    if mask:\n        return x\n", 2, {}, (2, "if mask is not None:")),
        ("shapes/ambiguous-bool", "asked_for_none", "def f(x, mask):\n    if mask:\n        return x\n", 2, {}, None),
        ("shapes/ambiguous-bool", "made_first", "from torch import nn\nloss = nn.MSELoss\nloss(a, b)\n", 3, {}, (2, "loss = nn.MSELoss()")),
        ("device/hard-coded-cuda", "the_device_that_is_there", 'import torch\ndevice = "cuda"\nx.to(device)\n', 3, {}, (2, 'device = "cuda" if torch.cuda.is_available() else "cpu"')),
        ("device/hard-coded-cuda", "the_device_that_is_there", "import torch\nx.cuda()\ntorch.cuda.synchronize()\n", 2, {}, None),
        ("device/hard-coded-cuda", "the_device_that_is_there", "import torch\nif torch.cuda.is_available():\n    x.cuda()\n", 3, {}, None),
        ("data/random-split-lengths", "what_the_others_leave", "n = int(0.8 * len(d))\nm = int(0.2 * len(d))\nrandom_split(d, [n, m])\n", 3, {}, (2, "m = len(d) - n")),
        ("data/random-split-lengths", "what_the_others_leave", "random_split(d, [12, 4])\n", 1, {}, None),
        ("autograd/inplace-modified-variable", "a_new_tensor", "def f(x, y):\n    x += y - 1\n    return x\nloss.backward()\n", 4, {"op": "Sigmoid"}, (2, "x = x + (y - 1)")),
        ("autograd/inplace-modified-variable", "a_new_tensor", "def f(x, y):\n    x += y\n    y.mul_(2)\nloss.backward()\n", 4, {"op": "Sigmoid"}, None),
        ("shapes/list-passed-as-tensor", "one_tensor", "import torch\nrows = [torch.ones(2) for _ in y]\nf(rows)\n", 3, {"name": "input"}, (2, "rows = torch.stack([torch.ones(2) for _ in y])")),
        ("loss/double-vs-float", "the_input", "x = torch.from_numpy(a)\nfor i in n:\n    y = net(x[i].view(-1))\n", 3, {}, (1, "x = torch.from_numpy(a).float()")),
        ("loss/double-vs-float", "the_input", "x = load(a)\ny = net(x)\n", 2, {}, None),
        ("loss/double-vs-float", "the_target", "for x, y in loader:\n    loss = criterion(net(x), y)\n    loss.backward()\n", 3, {}, (2, "y = y.float()\n    loss = criterion(net(x), y)")),
        ("modules/forward-argument-count", "in_the_constructor", "from torch import nn\nc = nn.NLLLoss()\nc(x, y, reduction='sum')\n", 3, {"where": "NLLLoss", "name": "reduction"}, (2, "c = nn.NLLLoss(reduction='sum')")),
        ("modules/forward-argument-count", "in_the_constructor", "from torch import nn\nc = nn.NLLLoss()\nc(x, y, beta=1)\n", 3, {"where": "NLLLoss", "name": "beta"}, None),
        ("shapes/list-passed-as-tensor", "the_places", "p = out.max(1)\nn = (p == y).sum()\n", 2, {}, (1, "_, p = out.max(1)")),
        ("data/lambda-not-picklable", "at_the_top", "def f(d):\n    return Data(d, transform=lambda x: norm(x))\nf(1)\n", 3, {"name": "f.<locals>.<lambda>"}, (2, "return Data(d, transform=norm)")),
        ("data/lambda-not-picklable", "at_the_top", "def f(d):\n    return Data(d, a=lambda x: x, b=lambda x: -x)\nf(1)\n", 3, {"name": "f.<locals>.<lambda>"}, None),
        ("data/lambda-not-picklable", "at_the_top", "def f(self, d):\n    return Data(d, a=lambda x: self.g(x, 1))\nf(1)\n", 3, {"name": "f.<locals>.<lambda>"}, None),
        ("autograd/inference-mode-tensor", "without_recording", "import torch\nwith torch.inference_mode():\n    x = f(y)\nx.mul_(2)\n", 4, {}, (2, "with torch.no_grad():")),
        ("autograd/inference-mode-tensor", "without_recording", "import torch\nwith torch.inference_mode(off):\n    x = f(y)\nx.mul_(2)\n", 4, {}, None),
        ("optim/scheduler-step-misuse", "steps_of_all_batches", SCHEDULE, 6, {}, (3, "s = OneCycleLR(o, 0.1, total_steps=epochs * len(loader))")),
        ("optim/scheduler-step-misuse", "steps_of_all_batches", SCHEDULE.replace("range(epochs)", "range(runs)"), 6, {}, None),
        ("device/invalid-device-string", "cuda_or_cpu", 'import torch\nname = "gpu"\nm.to(name)\n', 3, {"device": "gpu"}, (2, 'name = "cuda" if torch.cuda.is_available() else "cpu"')),
        ("device/invalid-device-string", "cuda_or_cpu", "import torch\nm.to(name)\nx.to(name)\n", 2, {"device": "gpu"}, None),
        ("autograd/no-grad-fn", "connected", "import torch\ndef f(net):\n    net.fc = torch.nn.Linear(2, 1)\n    for p in net.parameters():\n        p.requires_grad = False\nloss.backward()\n", 6, {}, (3, "for p in net.parameters():\n        p.requires_grad = False\n    net.fc = torch.nn.Linear(2, 1)")),
        ("autograd/no-grad-fn", "connected", "import torch\ndef f(net):\n    net.fc = read(2, 1)\n    for p in net.parameters():\n        p.requires_grad = False\nloss.backward()\n", 6, {}, None),
        ("loss/target-dtype-long", "class_numbers", "import torch\ny = torch.tensor(a, dtype=torch.float32)\nloss = f(x, y)\n", 3, {}, (2, "y = torch.tensor(a, dtype=torch.long)")),
        ("loss/target-dtype-long", "class_numbers", "y = read(a)\nloss = f(x, y)\n", 2, {}, None),
        ("data/collate-unequal-size", "with_its_own", "def pad(rows):\n    return stack(rows)\na = DataLoader(d)\nfor x in a:\n    f(x)\n", 4, {}, (3, "a = DataLoader(d, collate_fn=pad)")),
        ("data/collate-unequal-size", "with_its_own", "def pad(rows):\n    return stack(rows)\na = DataLoader(d)\nfor x in a:\n    pad(x)\n", 4, {}, None),
        ("numerics/nan-in-backward", "above_zero", "y = x.sqrt()\ny.sum().backward()\n", 2, {"op": "Sqrt"}, (1, "y = x.clamp(min=1e-12).sqrt()")),
        ("compile/meta-tensor", "with_data", 'a = torch.ones(2, device="meta")\nf(a)\n', 2, {}, (1, 'a = torch.ones(2, device="cpu")')),
        ("shapes/list-passed-as-tensor", "one_tensor", "import torch\nrows = [torch.ones(2)]\nf(rows)\nrows.append(y)\n", 3, {"name": "input"}, (3, "f(torch.stack(rows))")),
        ("shapes/list-passed-as-tensor", "one_tensor", "import torch\nrows = [torch.ones(n) for n in y]\nf(rows)\n", 3, {"name": "input"}, None),
    ],
)  # fmt: skip
def test_a_program_s_own_line(
    tmp_path: Path,
    entry: str,
    function: str,
    text: str,
    line: int,
    values: dict[str, str],
    wanted: tuple[int, str] | None,
) -> None:
    code = text.splitlines()[line - 1].strip()
    marked = code.partition(" = ")[2] or code
    assert after(function, frame(tmp_path, text, line, marked), values, entry) == (wanted or (None, None))
