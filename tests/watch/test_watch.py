"""`torchwhy run --watch` and `torchwhy.watch()`: what they print, write and leave as it was."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import torchwhy
from torchwhy.run.child.hooks import load_own
from torchwhy.run.watch_page import html_page
from torchwhy.run.watched import Watched, WatchFinding

from .watching import CPU_AS_ACCELERATOR, ROOT, guards, watch_program

BROKEN = """
import torch, sys
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(6):
    loss = torch.nn.functional.mse_loss(net(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print("out")
print("err", file=sys.stderr)
"""
MODELS = {
    "mlp": "nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 3))",
    "convolution": "nn.Sequential(nn.Unflatten(1, (1, 3, 4)), nn.Conv2d(1, 4, 2), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(24, 3))",
    "attention": "nn.Sequential(nn.Unflatten(1, (3, 4)), nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), nn.Flatten(), nn.Linear(12, 3))",
    "norms": "nn.Sequential(nn.LayerNorm(12), nn.Linear(12, 16), nn.GELU(), nn.BatchNorm1d(16), nn.Linear(16, 3))",
    "bilinear": "nn.Sequential(nn.utils.weight_norm(nn.Linear(12, 8)), nn.Tanh(), nn.Linear(8, 3), nn.Hardtanh())",
}
TRAIN = """
import hashlib, torch, warnings
from torch import nn
warnings.simplefilter("ignore")
torch.manual_seed(3)
net = {model}
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
for _ in range(12):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(16, 12)), torch.randint(0, 3, (16,))).backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
with open({out!r}, "w") as file:
    values = b"".join(one.numpy().tobytes() for one in net.state_dict().values())
    file.write(hashlib.sha256(values + torch.get_rng_state().numpy().tobytes()).hexdigest())
"""


def run(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    program = folder / "train.py"
    program.write_text(source)
    command = [sys.executable, "-m", "torchwhy", "run", *options, "--", sys.executable, str(program)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant"), "TORCHWHY_DATA": str(folder / "data")}
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=False)


def test_a_run_is_told_while_it_trains(tmp_path: Path) -> None:
    written, page = tmp_path / "told.json", tmp_path / "told.html"
    done = run(tmp_path, BROKEN, "--watch", "--lang", "en", "--json", str(written), "--html", str(page))
    assert (done.returncode, done.stdout) == (0, "out\n")
    assert "train.py:7 (step 2): nothing clears the gradients" in done.stderr
    assert done.stderr.count("zero-grad-forgotten") == 1
    assert [line for line in done.stderr.splitlines() if not line.startswith("torchwhy: ")] == ["err"]
    told = json.loads(written.read_text())
    assert (told["schema"], told["status"]) == (1, 0)
    (finding,) = told["watch"]["findings"]
    assert set(finding) == {"id", "path", "line", "step", "message"}
    assert (finding["id"], finding["line"], told["watch"]["off"]) == ("zero-grad-forgotten", 7, {})
    text = page.read_text()
    assert "<svg" in text
    assert "zero-grad-forgotten" in text
    assert "http" not in text


def test_a_foreign_guard_runs_only_for_who_wrote_it(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    guard = tmp_path / "kb/team/own-guard/guard.py"
    guard.parent.mkdir(parents=True)
    guard.write_text(
        f"MESSAGES = {{}}\nopen({str(ran)!r}, 'w')\nclass Guard:\n    def __init__(self, watch): pass\n"
    )
    words = ("--watch", "--lang", "en", "--kb", str(tmp_path / "kb"))
    done = run(tmp_path, "import torch", *words)
    assert f"torchwhy: not run: {guard} did not come with torchwhy" in done.stderr and "--mine" in done.stderr
    assert done.returncode == 0 and not ran.exists()
    done = run(tmp_path, "import torch", *words, "--mine")
    assert "did not come with torchwhy" not in done.stderr
    assert done.returncode == 0 and ran.exists()
    done = run(tmp_path, "import torch", "--watch", "--kb", str(tmp_path / "none"))
    assert done.returncode == 0 and "no such knowledge base" in done.stderr, "the command runs"


def test_html_needs_watch(tmp_path: Path) -> None:
    done = run(tmp_path, "", "--html", str(tmp_path / "x.html"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("name", MODELS)
def test_weights_are_the_same_to_the_bit(name: str, tmp_path: Path) -> None:
    found = []
    for watched in (False, True):
        out = tmp_path / f"{watched}.txt"
        program = tmp_path / "train.py"
        head = CPU_AS_ACCELERATOR if name == "mlp" else ""  # what waits for an accelerator is replaced too
        program.write_text(head + TRAIN.format(model=MODELS[name], out=str(out)))
        told = watch_program(program, chosen=guards()) if watched else _plain(program)
        assert told == []
        found.append(out.read_text())
    assert found[0] == found[1]
    assert len(found[0]) == len(hashlib.sha256().hexdigest())


def _plain(program: Path) -> list[object]:
    subprocess.run([sys.executable, str(program)], check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    return []


def test_a_guard_that_raises_is_switched_off(tmp_path: Path) -> None:
    bad = tmp_path / "kb" / "bad-guard"
    bad.mkdir(parents=True)
    (bad / "guard.py").write_text(
        "MESSAGES = {}\nclass Guard:\n    def __init__(self, watch): pass\n    def on_step(self, *_): [][1]\n"
    )
    program = tmp_path / "train.py"
    program.write_text(BROKEN)
    told = watch_program(program, chosen=[str(bad / "guard.py"), *guards()])
    assert [one["off"] for one in told if "off" in one] == ["bad-guard"]
    assert [one["id"] for one in told if "id" in one] == ["zero-grad-forgotten"]


def test_as_a_context(capsys: pytest.CaptureFixture[str]) -> None:
    import torch

    net = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    before = (
        torch.nn.Module.__call__,
        torch.autograd.backward,
        torch.optim.SGD.step,
        torch.nn.functional.mse_loss,
    )
    own, code = set(vars(torch.Tensor)), torch.nn.functional.mse_loss.__code__
    with torchwhy.watch(lang="zh") as seen:
        assert torch.nn.Module.__call__ is not before[0]
        assert torch.nn.functional.mse_loss is before[3]  # the same object, which does more
        assert torch.nn.functional.mse_loss.__code__ is not code
        with pytest.raises(torchwhy.UsageError):
            torchwhy.watch().__enter__()
        for _ in range(5):
            torch.nn.functional.mse_loss(net(torch.randn(8, 4)), torch.zeros(8, 1)).backward()
            optimizer.step()
    assert before == (
        torch.nn.Module.__call__,
        torch.autograd.backward,
        torch.optim.SGD.step,
        torch.nn.functional.mse_loss,
    )
    assert own == set(vars(torch.Tensor))
    assert torch.nn.functional.mse_loss.__code__ is code
    assert not hasattr(torch.nn.functional.mse_loss, "__wrapped__")
    (finding,) = seen.findings
    assert (finding.id, finding.path) == ("zero-grad-forgotten", __file__)
    assert "没有清零梯度" in capsys.readouterr().err


def test_waiting_is_counted_for_an_accelerator_only(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    inside = load_own("watch")  # type: ignore[no-untyped-call]
    values = sys.modules["torchwhy_watch_values"]
    net, x = torch.nn.Linear(4, 1), torch.randn(8, 4)
    own = set(vars(torch.Tensor))
    assert values.on_accelerator(SimpleNamespace(device=torch.device("cuda")))
    assert not any(map(values.on_accelerator, (x, x.to("meta"))))

    def stand_in() -> None:
        pass

    monkeypatch.setattr(torch.cuda, "synchronize", stand_in)
    for taken, calls in ((False, 0), (True, 6)):
        if taken:
            monkeypatch.setattr(values, "on_accelerator", lambda tensor: tensor.device.type == "cpu")
        on = inside.Watch([], lambda finding: None).start()
        net(x)
        assert set(vars(torch.Tensor)) - own > {"item"} if taken else "item" not in vars(torch.Tensor)
        assert bool(x.sum() < 1000) and f"{x.sum():.3f}" and torch.nonzero(x).numel()
        x.sum().item(), repr(x), torch.cuda.synchronize(), x.to("cpu"), x.to("meta"), x.cpu
        assert (on.sync_count, len(on.syncs)) == (calls, calls)
        assert {path for (path, _), _ in on.syncs} <= {__file__}
        on.stop()
        assert set(vars(torch.Tensor)) == own
        assert torch.cuda.synchronize is stand_in


def test_what_is_kept_on_an_accelerator_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one: tensors of the CPU are said to lie there."""
    import torch

    inside, told = load_own("watch"), []  # type: ignore[no-untyped-call]
    wanted = {"host-memory-grows", "loss-tensor-accumulated"}
    loaded = inside.load_guards([path for path in guards() if Path(path).parent.name in wanted])
    names = dict(loaded)["host-memory-grows"]
    kept, space = [], 1 << 40
    monkeypatch.setattr(sys.modules["torchwhy_watch_held"], "place_of", lambda tensor: "device")
    names["memory_held"] = lambda: {"device": len(kept) << 20}
    names["free_bytes"], names["TIMES_LATER"] = (lambda place: space), 0
    on = inside.Watch(loaded, told.append).start()
    net = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(110):
        net(torch.randn(8, 4)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        kept.append(torch.empty(1 << 18))
    on.stop()
    assert [(one["id"], one["path"]) for one in told] == [("loss-tensor-accumulated", __file__)], told
    assert "kept.append(" in Path(__file__).read_text().splitlines()[told[0]["line"] - 1]
    assert "holds 88 results on the accelerator, 88 MiB, and 1 MiB more" in told[0]["message"]


def test_what_a_program_writes_is_read_with_care(tmp_path: Path) -> None:
    lines = [
        "no json",
        '{"id": "a", "path": "\\u001b[31mx.py", "line": 1, "step": 0, "message": "one\\ntwo"}',
        '{"id": "a", "path": "x.py", "line": 1, "step": 9, "message": "again"}',
        '{"id": "half',
    ]
    (tmp_path / "watch-1.jsonl").write_text("\n".join(lines))
    watched = Watched(str(tmp_path))
    assert watched.news() == ([WatchFinding("a", "x.py", 1, 0, "one two")], [])
    assert watched.news() == ([], [])
    assert "&lt;b&gt;" in html_page(Watched("", [WatchFinding("a", "<b>", 1, 0, "")]), ["x"], "en")


def test_the_page_has_no_secret_of_the_command_and_any_byte_of_it(tmp_path: Path) -> None:
    key = "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH"
    (tmp_path / "train.py").write_text("")
    page = tmp_path / "page.html"
    words = [sys.executable, "-m", "torchwhy", "run", "--watch", "--html", str(page), "--"]
    command: list[str | bytes] = [*words, sys.executable, str(tmp_path / "train.py"), "--token", key, b"\xff"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant"), "TORCHWHY_DATA": str(tmp_path / "data")}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "train.py" in page.read_text("utf-8") and key not in page.read_text("utf-8")


HOSTILE = """
import shutil, os, torch
class Unsaid(Exception):
    def __str__(self): raise RuntimeError("of the program")
class Group(dict):
    def get(self, *_): raise Unsaid
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
if {removed}:
    shutil.rmtree(os.environ["TORCHWHY_RUN_FOLDER"])
else:
    optimizer.param_groups[0] = Group(optimizer.param_groups[0])
for _ in range(6):
    torch.nn.functional.mse_loss(net(torch.randn(8, 4)), torch.zeros(8, 1)).backward()
    optimizer.step()
print("to the end")
"""


@pytest.mark.parametrize("removed", [False, True])
def test_what_fails_in_the_watch_is_not_the_programs(tmp_path: Path, removed: bool) -> None:
    """An error that cannot say what it is; a run's folder that the program removed."""
    done = run(tmp_path, HOSTILE.format(removed=removed), "--watch", "--no-vectors")
    assert (done.returncode, done.stdout) == (0, "to the end\n"), done.stderr


def test_a_buffer_of_the_host_names_its_device() -> None:
    """After `torch.set_default_device("cuda")` one without a device would lie on the GPU, where nothing is pinned."""
    parts = Path(load_own("watch").__file__).parent.glob("*.py")  # type: ignore[no-untyped-call]
    trees = [ast.parse(Path(path).read_text()) for path in (*parts, *guards())]
    calls = [one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Call)]
    pinned = [words for call in calls if "pin_memory" in (words := {word.arg for word in call.keywords})]
    assert pinned and all("device" in words for words in pinned)


SEEN = """
import copy, io, pickle, warnings, torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

HANDLED = {{}}
class Wrapped:
    def __init__(self, value): self.value = value
    @classmethod
    def __torch_function__(cls, function, kinds, args=(), kwargs=None):
        return HANDLED[function](*args) if function in HANDLED else NotImplemented
HANDLED[torch.sqrt] = lambda one: ("sqrt", one.value)
HANDLED[torch.Tensor.div] = lambda one, other: "div"
found = [torch.sqrt(Wrapped(4)), torch.Tensor.div(torch.ones(2), Wrapped(4))]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.act, self.method = nn.Linear(3, 3), torch.sqrt, torch.Tensor.log
    def forward(self, x): return self.method(self.act(self.layer(x).abs() + 1))
torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(3):
    out = net(torch.randn(4, 3))
    loss = (out / (out.detach() + 1) == 0).float().sum() + out.pow(2).mean()
    optimizer.zero_grad(); loss.backward(); optimizer.step()
with open({model!r}, "wb") as file: torch.save(net, file)
class Told(torch.Tensor):
    heard = []
    @classmethod
    def __torch_function__(cls, function, kinds, args=(), kwargs=None):
        cls.heard.append(getattr(function, "__name__", ""))
        return super().__torch_function__(function, kinds, args, kwargs or {{}})
for _ in range(3):
    loss = nn.functional.mse_loss(net(torch.randn(4, 3).as_subclass(Told)), torch.zeros(4, 3))
    optimizer.zero_grad(); loss.backward(); optimizer.step()
found.append(Told.heard)
copy.deepcopy(net); pickle.dumps(torch.sqrt)
out = net(torch.randn(4, 3))
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    torch.save(out, io.BytesIO())
found.append([str(one.message) for one in warned])

class Operations(TorchDispatchMode):
    def __torch_dispatch__(self, function, kinds, args=(), kwargs=None):
        found.append(str(function)); return function(*args, **(kwargs or {{}}))
class Functions(TorchFunctionMode):
    def __torch_function__(self, function, kinds, args=(), kwargs=None):
        found.append(getattr(function, "__name__", "")); return function(*args, **(kwargs or {{}}))
from torch.func import functional_call, grad, vmap
def one(weights, x, y): return nn.functional.mse_loss(functional_call(net.layer, weights, (x,)), y)
weights = dict(net.layer.named_parameters())
weights = {{name: each.detach() for name, each in weights.items()}}
each = vmap(grad(one), in_dims=(None, 0, 0))(weights, torch.ones(4, 3), torch.zeros(4, 3))
found.append(each["weight"].sum().item())
for mode in (Operations(), Functions()):
    with mode: nn.functional.mse_loss(net(torch.ones(4, 3)), torch.zeros(4, 3)).backward()
    with mode: torch.ones(2, 2) == torch.ones(2, 2)
with open({out!r}, "w") as file: file.write(repr((found, loss.item())))
"""


def test_a_program_that_looks_at_torch_itself_sees_no_watch(tmp_path: Path) -> None:
    """Functions as keys and in checkpoints, modes that hear of each operation, warnings."""
    found = []
    for watched in (False, True):
        out, model = tmp_path / f"{watched}.txt", tmp_path / f"{watched}.pt"
        program = tmp_path / "train.py"
        program.write_text(SEEN.format(out=str(out), model=str(model)))
        told = watch_program(program, chosen=guards()) if watched else _plain(program)
        assert [one for one in told if "off" in one] == []
        found.append(out.read_text())
        code = f"import sys; sys.argv = ['']; exec(open({str(program)!r}).read().split('torch.manual_seed')[0])\n"
        load = f"print(torch.load({str(model)!r}, weights_only=False).act is torch.sqrt)"
        done = subprocess.run([sys.executable, "-c", code + load], capture_output=True, text=True, check=True)
        assert done.stdout == "True\n"
    assert found[0] == found[1]


KEPT = """
import functools, inspect, io, pickle, sys, weakref, torch
import torch.nn.functional as F
from torch import nn
found = []
def of(function):
    try: found.append(repr(function()))
    except RecursionError: found.append("RecursionError")
    except Exception as error: found.append("%s: %s" % (type(error).__name__, str(error)[:300]))

class Refuses(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, kinds, args=(), kwargs=None):
        if function is torch.Tensor.dim: raise NotImplementedError("no dim")
        return super().__torch_function__(function, kinds, args, kwargs or {})
of(lambda: (torch.ones(4, 3).as_subclass(Refuses) == torch.ones(4, 3)).shape)

class NoInit(nn.Module):
    def __init__(self): self.x = 1
    def forward(self, x): return x
of(lambda: NoInit()(torch.ones(2)))

class Tree(nn.Module):
    def __init__(self): super().__init__(); self.leaf = nn.Linear(3, 3)
    def forward(self, x, more): return self(x, more - 1) if more else self.leaf(x)
frames = 4 if sys.version_info < (3, 12) else 3  # of a call of a module
deep = (sys.getrecursionlimit() - len(inspect.stack(0)) - 60) // frames
of(lambda: Tree()(torch.ones(2, 3), deep).shape)
of(lambda: Tree()(torch.ones(2, 3), 3000).shape)
of(sys.getrecursionlimit)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.loss, self.act, self.log = nn.Linear(3, 3), F.mse_loss, torch.sqrt, torch.Tensor.log
    def forward(self, x): return self.loss(self.log(self.act(self.layer(x).abs() + 1)), x)
net, smooth = Net(), functools.partial(F.cross_entropy, label_smoothing=0.1)
of(lambda: str(inspect.signature(F.mse_loss)))
of(lambda: inspect.getfullargspec(F.mse_loss))
held = [F.mse_loss, F.dropout, smooth, nn.utils.clip_grad_norm_, torch.autograd.backward]
if torch.distributed.is_available(): held.append(torch.distributed.all_reduce)
def kept():
    for each in held: pickle.loads(pickle.dumps(each))
    torch.save(net, io.BytesIO())
def lets_go():
    net, alive = nn.Sequential(nn.Linear(3, 3)), []
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for step in range(30):
        out = net(torch.ones(2, 3))
        result, loss = weakref.ref(out), out.pow(2).mean()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
        del out, loss
        if result() is not None: alive.append(step)
    return alive
of(lets_go)
of(kept)
of(lambda: net(torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)])))
of(lambda: torch.jit.script(Net())(torch.ones(2, 3)).shape)
of(lambda: torch.compile(net, backend="eager", fullgraph=True)(torch.ones(2, 3)).shape)
of(kept)
with open(sys.argv[1], "w") as file: file.write("\\n".join(found))
"""


def test_what_a_program_keeps_of_torch_is_torchs(tmp_path: Path) -> None:
    """Functions that it stores, pickles, scripts and compiles; results that it lets go of; calls in calls."""
    program, found = tmp_path / "train.py", []
    program.write_text(KEPT)
    for watched in (False, True):
        out = tmp_path / f"{watched}.txt"
        if watched:
            told = watch_program(program, [str(out)], guards())
            assert [one for one in told if "off" in one] == []
        else:
            subprocess.run([sys.executable, str(program), str(out)], check=True)
        found.append(out.read_text().splitlines())
    assert found[0] == found[1]
    assert [line for line in found[0] if line == "None"] == ["None"] * 2  # all could be pickled


def test_at_rest_most_guards_hear_of_what_is_new_alone() -> None:
    """The first steps are told, few later ones, each loss to who has to hear of all, and a new line at once."""
    import torch

    class Hears:
        always = ("on_loss",)

        def __init__(self, watch: object) -> None:
            pass

        def on_called(self, call: SimpleNamespace, output: object) -> None:
            called.append((call.step, call.at[1]))

        def on_loss(self, loss: object) -> None:
            losses.append(loss)

    inside = load_own("watch")  # type: ignore[no-untyped-call]
    called: list[tuple[int, int]] = []
    losses: list[object] = []
    on = inside.Watch([("hears", {"Guard": Hears, "MESSAGES": {}})], lambda finding: None).start()
    net, x, y = torch.nn.Linear(4, 1), torch.randn(8, 4), torch.zeros(8, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for step in range(160):
        torch.nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
        if step == 40:
            net(x)
    on.stop()
    assert len(losses) == 160
    (line, steps), (other, once) = (
        (line, [step for step, at in called if at == line]) for line in dict.fromkeys(at for _, at in called)
    )
    assert steps[:8] == list(range(8)) and 41 in steps and len(steps) < 24, steps
    assert (other - line, once) == (3, [41])


def test_at_rest_layers_run_torchs_own_code() -> None:
    """Only the model's own class has the watch's call then; both have torch's in the end."""
    import torch

    inside = load_own("watch")  # type: ignore[no-untyped-call]
    own = torch.nn.Module.__call__
    on = inside.Watch([], lambda finding: None).start()
    layers = [torch.nn.Linear(32, 32) for _ in range(40)]
    net = torch.nn.Sequential(*layers)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    at_rest = []
    for _ in range(200):
        net(torch.randn(4, 32)).mean().backward()
        optimizer.step()
        at_rest.append(torch.nn.Module.__call__ is own)
        assert ("__call__" in vars(torch.nn.Sequential)) == at_rest[-1]
    on.stop()
    assert not any(at_rest[:7]) and sum(at_rest) > 60, at_rest
    assert torch.nn.Module.__call__ is own and "__call__" not in vars(torch.nn.Sequential)


def test_models_that_are_gone_cost_nothing() -> None:
    """A program that makes modules by the thousand, each called as a model of its own."""
    import torch

    inside = load_own("watch")  # type: ignore[no-untyped-call]
    on = inside.Watch([], lambda finding: None).start()
    try:
        for _ in range(50):
            torch.nn.Linear(2, 2)(torch.ones(1, 2))
        assert len(on.roots) <= 2 and len(on.passed) <= 2
        first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
        between = first(torch.ones(1, 2))
        second(between)
        assert (on.modules[id(first)].feeds, on.modules[id(second)].feeds) == (True, False)
    finally:
        on.stop()


CLOCKS = """
import sys, time, torch
from unittest import mock
model, seen = torch.nn.Linear(4, 2), []
data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randn(64, 2)), 8)
optimizer = torch.optim.SGD(model.parameters(), 0.01)
def steps():
    for x, y in data:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
steps()
for name in ("perf_counter", "time", "thread_time", "monotonic"):
    with mock.patch("time." + name, side_effect=[1.0, 2.0]):
        begun = getattr(time, name)()
        steps()
        seen.append(getattr(time, name)() - begun)
with mock.patch("threading.get_ident", return_value=1) as asked:
    steps()
    seen.append(asked.call_count)
open(sys.argv[1], "w").write(str(seen))
"""


def test_what_a_test_puts_in_the_place_of_a_clock_hears_of_no_watch(tmp_path: Path) -> None:
    program, out = tmp_path / "train.py", tmp_path / "seen"
    program.write_text(CLOCKS)
    assert [one for one in watch_program(program, [str(out)], guards()) if "off" in one] == []
    assert out.read_text() == "[1.0, 1.0, 1.0, 1.0, 0]"


PRINTED = """
import torch
import torch.nn.functional as F
class Net(torch.nn.Module):
    def forward(self, x):
        return F.cross_entropy(x, torch.randn(8, 3))
def fail():
    try:
        Net()(torch.randn(8, 2))
    except RuntimeError as error:
        raise ValueError("chained") from error
class Data(torch.utils.data.Dataset):
    def __len__(self): return 4
    def __getitem__(self, at): return torch.sqrt("a")
try:
    next(iter(torch.utils.data.DataLoader(Data(), num_workers=1)))
except TypeError as error:
    print(str(error).replace("\\n", "|"))
import threading
thread = threading.Thread(target=fail, name="other")
thread.start()
thread.join()
fail()
"""


def test_what_a_program_prints_of_an_error_has_no_frame_of_the_watch(tmp_path: Path) -> None:
    """Of one that it does not catch itself."""
    (tmp_path / "train.py").write_text(PRINTED)
    said = []
    for words in ([], ["-m", "torchwhy", "run", "--watch", "--quiet", "--", sys.executable]):
        command = [sys.executable, *words, "train.py"]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant"), "TORCHWHY_DATA": str(tmp_path / "data")}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        said.append((done.returncode, done.stdout, done.stderr))
    assert said[0] == said[1]
