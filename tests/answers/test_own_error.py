"""Python's own errors are told apart from those of torch and of libraries."""

from __future__ import annotations

import random
import time

import pytest

from torchwhy import Assistant
from torchwhy.answers.build import is_bare, is_table
from torchwhy.answers.own_error import own_error
from torchwhy.paste.parse import parse

TORCH_FRAME = '  File "/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1, in f\n    x\n'
PACKAGE_FRAME = '  File "/env/lib/python3.11/site-packages/timm/layers.py", line 1, in f\n    x\n'


def traceback(code: str, error: str, more: str = "") -> str:
    return (
        f'Traceback (most recent call last):\n  File "train.py", line 3, in main\n    {code}\n{more}{error}\n'
    )


OWN = [
    ("first = files[0]", "IndexError: list index out of range"),
    ('lr = cfg["learning_rate"]', "KeyError: 'learning_rate'"),
    ("batch = next(it)", "StopIteration"),
    ("mean = total / count", "ZeroDivisionError: division by zero"),
    ("model.train()", "AttributeError: 'NoneType' object has no attribute 'train'"),
    ("for x in data:", "TypeError: 'NoneType' object is not iterable"),
    (
        "return self.modle(torch.ones(1))",
        "AttributeError: 'Trainer' object has no attribute 'modle'. Did you mean: 'model'?",
    ),
    ("prnt(x)", "NameError: name 'prnt' is not defined"),
    ('open("a.csv")', "FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'"),
    ("int(text)", "ValueError: invalid literal for int() with base 10: 'x'"),
    ("a, b = pair", "ValueError: too many values to unpack (expected 2)"),
    ("f(1, 2)", "TypeError: f() takes 1 positional argument but 2 were given"),
    ("import nothing_here", "ModuleNotFoundError: No module named 'nothing_here'"),
    ('raise ValueError("unknown dataset: cifar1")', "ValueError: unknown dataset: cifar1"),
    ("assert lr > 0", "AssertionError"),
    (
        "subprocess.run(cmd, check=True)",
        "subprocess.CalledProcessError: Command '['ls']' returned non-zero exit status 1.",
    ),
]


@pytest.mark.parametrize(
    ("code", "error"), OWN, ids=[error.split(":")[0] + str(at) for at, (_, error) in enumerate(OWN)]
)
def test_pythons_own(code: str, error: str) -> None:
    assert own_error(parse(traceback(code, error))) is not None
    assert own_error(parse(traceback(code, error, TORCH_FRAME))) is None
    packages_words = "raise" in code or error == "AssertionError"
    assert (own_error(parse(traceback(code, error, PACKAGE_FRAME))) is None) == packages_words


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("c = a @ b", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
        ("x = t[5]", "IndexError: index 5 is out of bounds for dimension 0 with size 3"),
        ("float(t)", "ValueError: only one element tensors can be converted to Python scalars"),
        ("len(t)", "TypeError: len() of a 0-d tensor"),
        ("for t in x:", "TypeError: iteration over a 0-d tensor"),
        ("p.grad.zero_()", "AttributeError: 'NoneType' object has no attribute 'zero_'"),
        ("conv2d(x, w)", "TypeError: conv2d() received an invalid combination of arguments"),
        (
            "opt = torch.optim.SGD(lr=0.1)",
            "TypeError: SGD.__init__() missing 1 required positional argument: 'params'",
        ),
    ],
)
def test_what_torch_says_is_not_pythons(code: str, error: str) -> None:
    assert own_error(parse(traceback(code, error))) is None


def test_an_error_in_the_users_own_line_is_pythons_whoever_called_it() -> None:
    error = "IndexError: list index out of range"
    own = '  File "/me/parts.py", line 7, in scatter\n    piece = pieces[number]\n'
    assert own_error(parse(traceback("y = model(x)", error, TORCH_FRAME + own))) is not None
    assert own_error(parse(traceback("y = model(x)", error, own + TORCH_FRAME))) is None
    assert own_error(parse(traceback("y = model(x)", error, PACKAGE_FRAME + own))) is not None
    assert own_error(parse(traceback("y = model(x)", error, own + PACKAGE_FRAME))) is not None


def test_a_question_that_names_an_error_is_a_question() -> None:
    assert own_error(parse("why do I get StopIteration inside DataParallel replicas on two GPUs?")) is None
    assert own_error(parse("KeyError: 'learning_rate'")) is not None


def test_the_line_of_code_above_a_message_is_a_tracebacks_end() -> None:
    error = "IndexError: list index out of range"
    assert own_error(parse(f"    num_faces = int(splited[1])\n{error}\n")) is not None
    assert own_error(parse(f"    loss = loss_fn(torch.ones(2), y)[1]\n{error}\n")) is None
    assert own_error(parse(f"my labels are cut\n{error}\n")) is None


def test_no_pitfall_is_answered_by_words_alone() -> None:
    assistant = Assistant(lang="en", vectors=False)
    for code, error in OWN:
        answer = assistant.ask(traceback(code, error))
        assert answer.match is None and answer.python_error is not None, error
    kept = assistant.ask(
        traceback("p.grad.zero_()", "AttributeError: 'NoneType' object has no attribute 'zero_'")
    )
    assert kept.python_error is None


def test_a_bare_not_implemented_error_of_torch_is_no_missing_forward() -> None:
    jit = '  File "/env/lib/python3.10/site-packages/torch/jit/_check.py", line 74, in check\n    raise NotImplementedError\n'
    answer = Assistant(lang="en", vectors=False).ask(
        traceback("torch.jit.script(model)", "NotImplementedError", jit)
    )
    assert answer.match is None and answer.python_error is None
    assert answer.here is not None and answer.here.code == "torch.jit.script(model)"
    assert is_bare(answer.paste) and not is_bare(
        parse("NotImplementedError: Module [Net] is missing forward")
    )


def test_lines_of_numbers_are_no_symptom() -> None:
    assert is_table(parse("epoch 1 loss 2.1\nepoch 2 loss 1.9\nepoch 3 loss 1.8\n"))
    assert not is_table(parse("epoch 1 loss 2.1\nepoch 2 loss 1.9\nwhy does my loss fall so slowly?\n"))
    assert not is_table(parse("epoch 1 loss nan"))


def test_names_that_nobody_wrote_are_not_compared() -> None:
    """Of 199 random letters a and b each comparison took 3 ms: a paste of 1 MB a quarter of a minute."""
    letters = random.Random(1)

    def name() -> str:
        return "a" + "".join(letters.choices("ab", k=198))

    frames = "".join(f'  File "/u/a.py", line {n}, in f\n    x = {name()}\n' for n in range(1, 600))
    paste = parse(f"Traceback (most recent call last):\n{frames}NameError: name '{name()}' is not defined\n")
    started = time.process_time()
    assert own_error(paste) is not None
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "pip says No matching distribution found for decord on my Mac M1",
        "I get No module named 'pandas' when I start train.py in my venv, but pip list shows it",
    ],
)
def test_another_package_that_is_missing_is_no_missing_torch(assistant: Assistant, text: str) -> None:
    """The words beside the name are those of an entry about torch's own packages."""
    answer = assistant.ask(text)
    assert answer.match is None and answer.candidates[0].id in (
        "no-matching-torch-wheel",
        "torch-not-in-this-environment",
    )
    named = assistant.ask("ERROR: No matching distribution found for bitsandbytes==0.45.3")
    assert named.candidates[0].id == "bitsandbytes-cuda-setup"  # which names the package
    assert assistant.ask("No matching distribution found for torch on my Mac M1").match
