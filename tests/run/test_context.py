"""What a Python program below `torchwhy run` writes of its exceptions, and that it stays as it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from torchwhy.run.child import crash_context
from torchwhy.run.child.hooks import Recorder, load_own
from torchwhy.run.environment import child_environment

pytestmark = pytest.mark.promise(3)

SHAPES = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(400, 120)
        self.head = nn.Sequential(nn.Linear(84, 10))
    def forward(self, x):
        x = self.fc1(x)
        return self.head(x)
Net()(torch.randn(32, 400))
"""


def run_program(
    folder: Path, source: str, *words: str, env: dict[str, str] | None = None
) -> list[dict[str, Any]]:
    """Run a program with the hook and return what it wrote down, oldest first."""
    records = folder / "records"
    records.mkdir()
    (folder / "program.py").write_text(source)
    subprocess.run(
        [*(words or (sys.executable,)), "program.py"],
        cwd=folder,
        env=child_environment({**os.environ, **(env or {})}, str(records)),
        capture_output=True,
        timeout=120,
        check=False,
    )
    found = [json.loads(path.read_text()) for path in records.glob("crash-*.json")]
    return sorted(found, key=lambda record: record["time"])


def by_name(error: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in error["operands"]}


def test_operands_of_a_layer(tmp_path: Path) -> None:
    (record,) = run_program(tmp_path, SHAPES)
    error = record["errors"][0]
    assert record["how"] == "uncaught"
    assert (error["frames"][error["here"]]["line"], error["exception"]) == (11, "RuntimeError")
    operands = by_name(error)
    assert (operands["x"]["dtype"], operands["x"]["shape"]) == ("float32", [32, 120])
    assert operands["x"]["grad_fn"] == "AddmmBackward0"
    assert operands["self.head[0].weight"]["shape"] == [10, 84]
    assert operands["self.head"]["class"] == "Sequential"
    assert operands["x"]["into"] == "self.head[0]"


def test_a_library_is_known_by_where_python_imports_it_from(tmp_path: Path) -> None:
    """A folder of the program may have the name of a library's; one of libraries any name, as a build of torch."""
    folder = tmp_path / "lib" / "python3-course" / "importlib"
    installed = tmp_path / "packages" / "site-packages"
    for each in (folder, installed):
        each.mkdir(parents=True)
    (installed / "other.py").write_text("def use(x): return x @ x\n")
    source = (
        "import other, torch\ndef run(): torch.nn.Sequential(other.use)(torch.ones(2, 3))\nexec('run()')\n"
    )
    (record,) = run_program(folder, source, env={"PYTHONPATH": str(installed)})
    frames = record["errors"][0]["frames"]
    own = [frame["line"] for frame in frames if not frame["library"] and frame["file"].endswith("program.py")]
    assert own == [3, 2]
    assert frames[record["errors"][0]["here"]]["line"] == 2
    assert all(frame["library"] for frame in frames if frame["file"].endswith(("other.py", "module.py")))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="positions are known from Python 3.11 on")
def test_the_expression_is_marked(tmp_path: Path) -> None:
    (record,) = run_program(
        tmp_path, "import torch\na, b = torch.ones(2, 3), torch.ones(4)\nc = 1 + (a @ b) * 2\n"
    )
    frame = record["errors"][0]["frames"][0]
    assert frame["expression"] == "a @ b"
    assert frame["code"][slice(*frame["columns"])] == "a @ b"
    assert [item["name"] for item in record["errors"][0]["operands"]] == ["a", "b"]


def test_values_stay_inside(tmp_path: Path) -> None:
    source = (
        "import torch\nsecret = 'hunter2-hunter2'\nnumbers = torch.tensor([123456.5, 2.0])\nrows = [987654.25] * 3\n"
        "def use(*_): raise ValueError('no')\nuse(secret, numbers, rows, {'k': secret})\n"
    )
    records = run_program(tmp_path, source)
    text = json.dumps(records)
    assert "hunter2" not in text
    assert "123456" not in text
    assert "987654" not in text
    operands = by_name(records[0]["errors"][0])
    assert operands == {} or operands["secret"] == {"name": "secret", "kind": "str", "length": 15}


def test_what_things_are() -> None:
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    model = torch.nn.Linear(4, 2).eval()
    told = crash_context.describe(model)
    assert (told["class"], told["training"], told["devices"]) == ("Linear", False, ["cpu"])
    assert told["parameters"] == [["weight", [2, 4]], ["bias", [2]]]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    assert crash_context.describe(optimizer)["lrs"] == [0.5]
    loader = DataLoader(TensorDataset(torch.zeros(10, 2)), batch_size=4)
    told = crash_context.describe(loader)
    assert (told["batch_size"], told["workers"], told["dataset_length"]) == (4, 0, 10)
    turned = crash_context.describe(torch.zeros(2, 3).t())
    assert turned["stride"] == [1, 3]
    assert crash_context.describe(torch.zeros(2, device="meta", dtype=torch.bfloat16))["device"] == "meta"
    assert crash_context.describe(torch.zeros(3).to_sparse())["layout"] == "sparse_coo"


WORKER = """
import torch
from torch.utils.data import DataLoader
class Rows(torch.utils.data.Dataset):
    def __len__(self): return 1
    def __getitem__(self, at): return [][1]
if __name__ == "__main__":
    for batch in DataLoader(Rows(), num_workers=1): pass
"""


@pytest.mark.parametrize(
    ("how", "source"),
    [
        (["thread"], "import threading\nt = threading.Thread(target=lambda: [][1])\nt.start(); t.join()"),
        (["uncaught"], "import sys\nsys.excepthook = lambda *_: None\n[][1]"),
        (["uncaught"], "try: [][1]\nexcept IndexError as error: raise ValueError('x') from error"),
        (["worker", "uncaught"], WORKER),
        ([], "import traceback\ntry: [][1]\nexcept IndexError: traceback.print_exc()"),
        ([], "raise SystemExit(3)"),
    ],
    ids=["thread", "another hook", "chained", "worker", "caught", "exit"],
)
def test_wherever_it_is_raised(how: list[str], source: str, tmp_path: Path) -> None:
    """One file for each process that failed, and none for another."""
    records = run_program(tmp_path, source)
    assert [record["how"] for record in records] == how
    assert not how or "IndexError" in [error["exception"] for error in records[-1]["errors"]]
    assert len(list((tmp_path / "records").iterdir())) == len(how)


def test_an_exception_is_asked_for_its_text_by_python_alone(tmp_path: Path) -> None:
    """Its text is left out of the record: the program may count, or take its time."""
    source = "class E(Exception):\n    def __str__(self):\n        open('asked', 'a').write('x'); return 'mine'\nraise E(1)"
    (record,) = run_program(tmp_path, source)
    assert record["errors"][0]["message"] == ""
    assert (tmp_path / "asked").read_text() == "x"


def test_an_exception_is_asked_for_nothing_of_its_own() -> None:
    class Asked(ValueError):
        def __getattribute__(self, name: str) -> Any:
            raise SystemExit(name)

    error = Asked("x")
    told = crash_context.context(error)["errors"]
    assert [(each["exception"].rpartition(".")[2], each["message"]) for each in told] == [("Asked", "x")]


def test_files_of_threads_without_end_are_bounded(tmp_path: Path) -> None:
    """A thread for each request."""
    for number in range(40):
        newest = crash_context.write(str(tmp_path), "thread", ValueError(str(number)), None)
    assert len(list(tmp_path.iterdir())) == crash_context.MAX_OF_PROCESS
    assert json.loads(Path(newest).read_text())["errors"][0]["message"] == "39"


def test_the_users_sitecustomize_is_loaded_with_its_path(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "sitecustomize.py").write_text("import sys\nsys.loaded = 'mine'\n")
    (own / "helper.py").write_text("name = 'helper'\n")
    records = run_program(
        tmp_path,
        "import sys, helper, sitecustomize\nraise ValueError(sys.loaded + helper.name + sitecustomize.__file__)",
        env={"PYTHONPATH": str(own)},
    )
    assert records[0]["errors"][0]["message"] == f"minehelper{own / 'sitecustomize.py'}"


@pytest.mark.parametrize("way", ["another wins", "-S", "as ever"])
@pytest.mark.parametrize("name", ["watch", "crash_context", "hooks"])
def test_a_module_of_the_program_is_its_own_whatever_its_name(way: str, name: str, tmp_path: Path) -> None:
    """`opentelemetry-instrument` puts a sitecustomize of its own before every other one."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "sitecustomize.py").write_text("")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / f"{name}.py").write_text("print('mine')")
    env = child_environment({**os.environ, "PYTHONPATH": str(tmp_path / "own")}, str(tmp_path))
    if way == "another wins":
        env["PYTHONPATH"] = f"{tmp_path / 'other'}{os.pathsep}{env['PYTHONPATH']}"
    words = [sys.executable, *(["-S"] if way == "-S" else []), "-c", f"import {name}"]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "mine\n", "")
    first = Path(env["PYTHONPATH"].split(os.pathsep)[way == "another wins"])
    assert [path.name for path in first.iterdir() if path.name != "__pycache__"] == ["sitecustomize.py"]


PYTHONS = [path for path in sorted(Path.home().glob(".pyenv/versions/3.*/bin/python")) if path.is_file()]


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parent.parent.name)
def test_each_python_of_this_machine(python: Path, tmp_path: Path) -> None:
    """From 3.8 on it is described; an older one runs as without."""
    program = "def work(rows, at):\n    return rows[at]\nwork([1, 2], 5)\n"
    version = tuple(int(part) for part in python.parent.parent.name.split(".")[:2])
    records = run_program(tmp_path, program, str(python))
    if version < (3, 8):
        assert records == []
        return
    error = records[0]["errors"][0]
    assert error["here"] == 1
    assert by_name(error)["at"] == {"name": "at", "kind": "int", "value": 5}
    bare = subprocess.run([str(python), "program.py"], cwd=tmp_path, capture_output=True, check=False)
    env = child_environment(dict(os.environ), str(tmp_path / "records"))
    hooked = subprocess.run(
        [str(python), "program.py"], cwd=tmp_path, env=env, capture_output=True, check=False
    )
    assert (hooked.returncode, hooked.stdout, hooked.stderr) == (bare.returncode, bare.stdout, bare.stderr)


@pytest.mark.skipif(os.name != "posix", reason="modes of folders")
@pytest.mark.parametrize("trap", ["open to others", "a link", "another's"])
def test_nothing_is_written_to_a_folder_that_somebody_else_can_reach(tmp_path: Path, trap: str) -> None:
    """A program may outlive its run, and the name of the folder can be seen in /tmp while it lasts."""
    folder = tmp_path / "run"
    (tmp_path / "real").mkdir(mode=0o700)
    folder.symlink_to("real") if trap == "a link" else folder.mkdir(mode=0o700)
    if trap == "open to others":
        folder.chmod(0o777)
    if trap == "another's":
        if os.geteuid() != 0:
            pytest.skip("giving a folder to another user needs root")
        os.chown(folder, 12345, 12345)
    (tmp_path / "program.py").write_text("raise ValueError('x')")
    subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env=child_environment(dict(os.environ), str(folder)),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert not list(folder.iterdir())


class Watching:
    """Objects that notice whether any code of theirs runs."""

    class Proxy:
        def __getattr__(self, name: str) -> object:
            raise SystemExit(name)

        @property
        def __class__(self) -> Any:
            raise SystemExit("class")

    class Asked(type):
        def __getattribute__(cls, name: str) -> Any:
            raise SystemExit(name)

    class Kind(metaclass=Asked):
        pass

    class Stored:
        _parameters: dict[str, object] = {}
        _modules: dict[str, object] = {}

        @property
        def __dict__(self) -> Any:
            raise SystemExit("dict")

    class Whole(int):
        def __abs__(self) -> int:
            raise SystemExit("abs")

        __lt__ = __repr__ = __abs__  # type: ignore[assignment]

    class Real(float):
        def __repr__(self) -> str:
            raise SystemExit("repr")

    class Word(str):
        def __len__(self) -> int:
            raise SystemExit("len")

    class Row(list):  # type: ignore[type-arg]
        def __len__(self) -> int:
            raise SystemExit("len")

        __getitem__ = __iter__ = __len__  # type: ignore[assignment]

    class Table(dict):  # type: ignore[type-arg]
        def __len__(self) -> int:
            raise SystemExit("len")

        __getitem__ = __iter__ = values = __len__  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Proxy", "object"),
        ("Kind", "object"),
        ("Stored", "object"),
        ("Whole", "int"),
        ("Real", "float"),
        ("Word", "Word"),
        ("Row", "Row"),
        ("Table", "Table"),
    ],
)
def test_no_code_of_an_object_runs(name: str, kind: str) -> None:
    pytest.importorskip("torch")  # whose modules a value is looked at for once torch is imported
    value = getattr(Watching, name)()

    def fails(x: object) -> object:
        return undefined_name + x  # type: ignore[name-defined] # noqa: F821

    with pytest.raises(NameError) as raised:
        fails(value)
    operands = crash_context.context(raised.value)["errors"][0]["operands"]
    assert [each["kind"] for each in operands if each["name"] == "x"] == [kind]


def test_a_module_that_holds_itself() -> None:
    """A child that knows its parent, and a part that stands at many places: each is looked at once."""
    import torch

    def fails(x: object) -> object:
        return undefined_name + x  # type: ignore[name-defined] # noqa: F821

    parent = torch.nn.Sequential(torch.nn.ReLU())
    parent[0].add_module("parent", parent)
    often: torch.nn.Module = torch.nn.ReLU()
    for _ in range(40):
        often = torch.nn.Sequential(often, often)
    for module in (parent, often):
        with pytest.raises(NameError) as raised:
            fails(module)
        (operand,) = crash_context.context(raised.value)["errors"][0]["operands"]
        assert (operand["kind"], operand["parameter_count"]) == ("module", 0)


def test_no_half_of_a_key_is_shown(tmp_path: Path) -> None:
    line = 'x + table["postgresql://mlflow_tracking:hK7pQ2vXz9LmR4tWabcd@db.acme.com/x"]'
    (record,) = run_program(tmp_path, f"table = {{{line[10:-1]}: None}}\nx = 1\n{line}\n")
    names = [each["name"] for each in record["errors"][0]["operands"]]
    assert "table[...]" in names and not any("hK7p" in name for name in names)


class Told(Exception):
    pass


def raises(*_: object) -> None:
    raise Told


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="a signal of POSIX")
@pytest.mark.parametrize("handler", [raises, partial(raises, 1), lambda *_: sys.exit()])
def test_what_a_handler_of_the_program_raises_is_the_programs(handler: Any) -> None:
    """Who is told to stop (SIGTERM) while a step is watched has to hear of it."""
    inside = load_own("watch")  # type: ignore[no-untyped-call]

    def tell(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        for told in (
            lambda: inside.quietly(tell),
            lambda: inside.Watch([], lambda finding: None).safely(tell),
            lambda: inside.Watch([], lambda finding: None).call_all([(None, tell)], ()),
        ):
            with pytest.raises((Told, SystemExit)):
                told()
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize("how", ["worker", "uncaught"])
def test_ctrl_c_while_an_error_is_described(how: str, tmp_path: Path) -> None:
    """A worker goes on, and has to hear of it; else the program's own traceback is due."""

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    recorder = Recorder(str(tmp_path))  # type: ignore[no-untyped-call]
    recorder.context = SimpleNamespace(write=pressed)
    heard = False
    try:
        recorder.record(how, ValueError(), None)
    except KeyboardInterrupt:
        heard = True
    assert (heard, recorder.busy) == (how == "worker", False)
