"""Whose line it is: the user's own innermost frame, and the package whose line failed."""

from __future__ import annotations

import pytest

from torchwhy.paste.owner import owner_of
from torchwhy.paste.parse import parse
from torchwhy.paste.place import here_of, package_of

TRACEBACK = """Traceback (most recent call last):
  File "/home/me/train.py", line 40, in main
    trainer.train()
    ~~~~~~~~~~~~~^^
  File "{inner}", line 88, in forward
    return self.dense(hidden)
  File "/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 134, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x8 and 16x2)
"""
TRANSFORMERS = "/env/lib/python3.11/site-packages/transformers/models/bert/modeling_bert.py"


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        ("train.py", ""),
        ("/home/me/lib/model.py", ""),
        ("C:\\work\\model.py", ""),
        ("<stdin>", ""),
        ("/env/lib/python3.11/site-packages/torch/nn/modules/module.py", "torch"),
        ("/opt/conda/lib/python3.10/multiprocessing/spawn.py", "python"),
        ("C:\\Python310\\lib\\multiprocessing\\spawn.py", "python"),
        ("D:\\miniforge3\\lib\\socket.py", "python"),
        ("C:\\Users\\me\\miniconda3\\envs\\vision\\lib\\multiprocessing\\reduction.py", "python"),
        ("C:\\envs\\lib\\rows.py", ""),
        ("C:/conda/envs/vision/lib/threading.py", "python"),
        ("/usr/lib/python3.11/importlib/__init__.py", "python"),
        ("importlib/__init__.py", "python"),
        # a program's own folders may be called anything
        ("/home/me/importlib_tools/train.py", ""),
        ("/home/me/torch/utils/train.py", ""),
        ("/home/me/torch/utils.py", ""),
        ("/home/me/torch/optim/schedule.py", ""),
        ("/home/me/torch/nn/net.py", ""),
        ("/home/me/python/lib/train.py", ""),
        ("/home/me/envs/maze/lib/train.py", ""),
        ("/home/me/my_runpy.py", ""),
        ("/home/me/site-packages-demo/train.py", ""),
        ("/workspace/pytorch/torch/utils/data/dataloader.py", "torch"),
        ("/workspace/pytorch/torch/utils/checkpoint.py", "torch"),
        ("/workspace/pytorch/torch/_tensor.py", "torch"),
        ("/usr/lib/python3/dist-packages/yaml/reader.py", "yaml"),
        ("/workspace/pytorch/torch/nn/functional.py", "torch"),
        ("/env/bin/torchrun", "python"),
        ("<frozen runpy>", "python"),
        ("/env/lib/python3.9/site-packages/apex-0.1-py3.9-linux-x86_64.egg/apex/amp.py", "apex"),
        ("C:\\env\\Lib\\site-packages\\timm\\layers.py", "timm"),
    ],
)
def test_the_owner_of_a_file(file: str, owner: str) -> None:
    assert owner_of(file) == owner


def test_the_users_own_frame_and_the_package_below_it() -> None:
    paste = parse("transformers==4.28.1\n" + TRACEBACK.format(inner=TRANSFORMERS))
    here, package = here_of(paste), package_of(paste)
    assert here is not None and package is not None
    assert (here.file, here.line, here.function, here.code) == (
        "/home/me/train.py",
        40,
        "main",
        "trainer.train()",
    )
    assert here.expression == "trainer.train()"
    assert (package.name, package.release) == ("transformers", "4.28.1")


def test_no_package_where_the_users_own_code_calls_torch() -> None:
    paste = parse(TRACEBACK.format(inner="/home/me/model.py"))
    here = here_of(paste)
    assert package_of(paste) is None
    assert here is not None and (here.file, here.line) == ("/home/me/model.py", 88)


@pytest.mark.parametrize(
    ("said", "release"),
    [
        ("transformers version: 4.30.0", "4.30.0"),
        ("transformers              4.31.0.dev0", "4.31.0.dev0"),
        ("my-transformers==9.9.9", None),
        ("we use transformers a lot", None),
    ],
)
def test_the_release_as_the_text_says_it(said: str, release: str | None) -> None:
    package = package_of(parse(said + "\n\n" + TRACEBACK.format(inner=TRANSFORMERS)))
    assert package is not None and package.release == release


def test_a_launcher_that_reports_how_its_program_ended_is_not_the_package_at_fault() -> None:
    text = """Traceback (most recent call last):
  File "/env/lib/python3.10/site-packages/accelerate/commands/launch.py", line 567, in simple_launcher
    raise subprocess.CalledProcessError(returncode=process.returncode, cmd=cmd)
subprocess.CalledProcessError: Command '['/usr/bin/python3', 'train.py']' returned non-zero exit status 1.
"""
    assert package_of(parse(text)) is None


def test_a_workers_own_traceback_leads_to_the_dataset() -> None:
    text = """Traceback (most recent call last):
  File "train.py", line 9, in <module>
    for batch in loader:
RuntimeError: Caught RuntimeError in DataLoader worker process 0.
Original Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/torch/utils/data/_utils/fetch.py", line 52, in <listcomp>
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "data.py", line 31, in __getitem__
    return torch.stack(self.rows)
RuntimeError: stack expects each tensor to be equal size, but got [3] at entry 0 and [4] at entry 1
"""
    here = here_of(parse(text))
    assert here is not None and (here.file, here.line, here.function) == ("data.py", 31, "__getitem__")


def test_below_the_frames_an_exception_may_have_any_name() -> None:
    text = (
        'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    export(model)\n'
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on Eq(u0, 1)\n"
    )
    (error,) = parse(text).errors
    assert error.role == "root" and error.name == "GuardOnDataDependentSymNode"
    assert error.message.startswith("Could not guard") and error.frames[-1].line == 3
    assert not parse("torch.utils.Loader: 3 workers, all of them idle\n").errors


COMPILED = """Traceback (most recent call last):
  File "/home/me/train.py", line 25, in train_step
    loss = model(x).mean()
  File "/env/lib/python3.11/site-packages/torch/_dynamo/eval_frame.py", line 1177, in compile_wrapper
    raise e.with_traceback(
torch._dynamo.exc.Unsupported: Data-dependent branching
  Explanation: Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).

  Hint: Use `torch.cond` to express dynamic control flow.

from user code:
   File "/home/me/train.py", line 19, in forward
    x = self.clean(x)
        ^^^^^^^^^^^^^
  File "/home/me/train.py", line 14, in clean
    if x.abs().max() > self.limit:
       ^^^^^^^^^^^^^^^^^^^^^^^^^^^

Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace
"""


def test_what_was_being_compiled_is_the_place() -> None:
    here = here_of(parse(COMPILED))
    assert here is not None and (here.line, here.function) == (14, "clean")
    assert (here.code, here.expression) == ("if x.abs().max() > self.limit:", "x.abs().max() > self.limit:")
    without = here_of(parse(COMPILED.replace("from user code:", "")))
    assert without is not None and without.line == 25


QUOTATION = """It stops after the first epoch:

> Traceback (most recent call last):
>   File "/me/go.py", line 9, in start
>     net.step()
> ValueError: odd

what does it want?
"""


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Cell In[11], line 1\n----> 1 net(x)\n\nValueError: odd\n", ("Cell In[11]", 1, "net(x)", "")),
        (
            "ValueError      Traceback (most recent call last)\nCell In[2], line 1\n----> 1 import a\n\n"
            "File ~/me/a.py:5\n      4 x = 1\n----> 5 b(x)\n\nValueError: odd\n",
            ("~/me/a.py", 5, "b(x)", ""),
        ),
        (
            "tests/test_rows.py:16: in <module>\n    rows = load()\nsrc/rows.py:4: in load\n    return table[0]\n"
            "E   ValueError: odd\n",
            ("src/rows.py", 4, "return table[0]", "load"),
        ),
        (QUOTATION, ("/me/go.py", 9, "net.step()", "start")),
    ],
)
def test_frames_of_a_cell_of_pytest_and_in_a_quotation(text: str, place: tuple[str, int, str, str]) -> None:
    here = here_of(parse(text))
    assert here is not None and (here.file, here.line, here.code, here.function) == place
    assert parse(text).root is not None and parse(text).root.message == "odd"


def test_a_prompt_and_one_marked_line_are_no_quotation() -> None:
    for text in (
        ">>> import rows\n>>> rows.load()",
        "    def load():\n>       return table[0]\nE       ValueError: odd",
    ):
        assert parse(text).text == text


CELL = """Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/nbclient/client.py", line 918, in check
    raise CellExecutionError.from_cell_and_msg(cell, content)
nbclient.exceptions.CellExecutionError: An error occurred while executing the following cell:
------------------
rows = load(0)
------------------


---------------------------------------------------------------------------
LookupError                               Traceback (most recent call last)
Cell In[3], line 1
----> 1 rows = load(0)

LookupError: no row 0
"""


def test_what_only_ran_the_cell_is_not_the_place() -> None:
    paste = parse(CELL)
    here = here_of(paste)
    assert here is not None and (here.file, here.line, here.code) == ("Cell In[3]", 1, "rows = load(0)")
    assert package_of(paste) is None and paste.root is not None and paste.root.name == "LookupError"
    assert package_of(parse(CELL[: CELL.index("\n\n\n")])) is None
