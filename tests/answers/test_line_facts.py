"""What is known of the failing line, and that a branch which it excludes is not shown."""

from __future__ import annotations

import pytest

from torchwhy import Assistant
from torchwhy.answers.line_facts import line_facts, operation_of
from torchwhy.answers.screen import screen_of
from torchwhy.paste.place import UserFrame

BOOL = "RuntimeError: Boolean value of Tensor with more than one value is ambiguous"
EXPAND = (
    "RuntimeError: The expanded size of the tensor (8) must match the existing size (24) at non-singleton "
    "dimension 2.  Target sizes: [-1, -1, 8].  Tensor sizes: [5, 1, 24]"
)
SOUND = "RuntimeError: input.size(-1) must be equal to input_size. Expected 12, got 50"


@pytest.mark.parametrize(
    ("code", "expression", "operation"),
    [
        ("hits = (a == b) and real", "(a == b)", "and"),
        ("ok = x > 0 or y > 0", "", "or"),
        ("if not mask:", "", ""),  # an if and a not: which of them asked is not known
        ("while a < b:", "", "while"),
        ("if x in seen:", "", ""),
        ("found = x in seen", "", "in"),
        ("wide = q.unsqueeze(1).expand(-1, n)", "q.unsqueeze(1).expand(-1, n)", "expand"),
        ("f(q.expand(2), 1)", "q.expand(2)", "expand"),
        ("y = self.gru(x)", "", "gru"),
        ("table[0] = row", "", "assign"),
        ("x = (", "", ""),
    ],
)
def test_what_the_line_does(code: str, expression: str, operation: str) -> None:
    assert operation_of(UserFrame("a.py", 3, code, "f", expression)) == operation


def test_what_went_into_the_call() -> None:
    here = UserFrame("a.py", 3, "_, h = self.gru(sound)", "forward")
    sound = {"name": "sound", "kind": "tensor", "shape": [8, 12, 50], "dtype": "float32"}
    other = {"name": "sound", "of": "self.gru", "kind": "tensor", "shape": [1]}
    assert line_facts(here, [other, sound]) == {
        "line.function": "forward",
        "line.op": "gru",
        "input.shape": "8, 12, 50",
        "input.0": "8",
        "input.1": "12",
        "input.2": "50",
        "input.dims": "3",
        "input.last2": "600",
        "input.dtype": "float32",
    }
    layer = {"name": "self.gru", "kind": "module", "settings": "12, 9, batch_first=True"}
    assert line_facts(here, [layer, sound])["layer.first"] == "12"
    assert "layer.first" not in line_facts(here, [{**layer, "settings": "p=0.5, inplace=False"}, sound])
    assert line_facts(here) == {"line.function": "forward", "line.op": "gru"}
    assert line_facts(None, [sound]) == {}


def shown(real: Assistant, code: str, message: str, **more: object) -> str:
    """What is usually done, for a program that failed in that line."""
    log = f'Traceback (most recent call last):\n  File "a.py", line 3, in step\n    {code}\n{message}\n'
    screen = screen_of(real.ask(log, lang="en", **more))  # type: ignore[arg-type]
    assert screen.change is not None
    return screen.change.text


@pytest.mark.parametrize(
    ("code", "said", "unsaid"),
    [
        ("hits = (a == b) and real", "`&` in place of `and`", ".all()"),
        ("hits = a or b", "`|` in place of `or`", ".all()"),
        ("hits = not mask", "`~` in place of `not`", ".all()"),
        ("found = x in seen", "torch.isin", "`&`"),
        ("if a == b:", ".all()", "`&`"),
        ("check(a, b)", ".all()", "nothing"),
    ],
)
def test_the_operation_tells_what_is_shown(real: Assistant, code: str, said: str, unsaid: str) -> None:
    text = shown(real, code, BOOL)
    assert said in text and unsaid not in text


def test_an_expand_is_no_assignment(real: Assistant) -> None:
    assert "[5, 1, 24]" in shown(real, "wide = query.expand(-1, -1, 8)", EXPAND)
    assert "assigns" in shown(real, "out[:, 0] = value", EXPAND)


def test_the_shape_tells_which_of_two_branches_holds(real: Assistant) -> None:
    def fix(shape: list[int]) -> str:
        operands = [{"name": "sound", "kind": "tensor", "shape": shape, "dtype": "float32"}]
        return shown(real, "_, h = self.gru(sound)", SOUND, operands=operands)

    assert "transpose(1, 2)" in fix([8, 12, 50])
    assert "transpose" not in fix([8, 7, 50])


def test_the_layer_tells_whether_the_last_two_dimensions_are_a_step(real: Assistant) -> None:
    def fix(shape: list[int]) -> str:
        tensor = {"name": "clip", "kind": "tensor", "shape": shape, "dtype": "float32"}
        layer = {"name": "self.rnn", "kind": "module", "settings": "28, 16, batch_first=True"}
        message = "ValueError: LSTM: Expected input to be 2D or 3D, got 4D instead"
        return shown(real, "h, _ = self.rnn(clip)", message, operands=[layer, tensor])

    assert "flatten(2)" in fix([3, 9, 4, 7]) and "permute" not in fix([3, 9, 4, 7])
    assert "permute" in fix([3, 14, 2, 9])
