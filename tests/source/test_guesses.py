"""What a file may be meant to hold: small changes of the lines that had to do with the one that failed."""

from __future__ import annotations

import pytest

from torchwhy.source.guesses import guesses

SPARSE = "RuntimeError: Adam does not support sparse gradients, please consider SparseAdam instead"
LARGER = "RuntimeError: The size of tensor a (26) must match the size of tensor b (20) at non-singleton dimension 1"
STEPS = "ValueError: Tried to step 25 times. The specified number of total steps is 24"
RANGE = "IndexError: index 4 is out of bounds for dimension 0 with size 4"
SCALAR = "RuntimeError: zero-dimensional tensor (at position 4) cannot be concatenated; its size"
STATE = "RuntimeError: Expected hidden size (1, 14, 24), got [1, 32, 24]"
CHANGED = "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation"
NO_GRAPH = "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"


@pytest.mark.parametrize(
    ("text", "line", "message", "wanted"),
    [
        ("cfg = dict(sparse=True)\nstep()", 2, SPARSE, "cfg = dict(sparse=False)\nstep()"),
        ("def net(sparse=True): ...\nstep()", 2, SPARSE, "def net(sparse=False): ...\nstep()"),
        ("max_len = 20\nx + p", 2, LARGER, "max_len = 26\nx + p"),
        ("n = rows // 4\nstep(n)", 2, STEPS, "n = -(-rows // 4)\nstep(n)"),
        ("n = ids.max()\nout[n]", 2, RANGE, "n = (ids.max() + 1)\nout[n]"),
        ("n = y[train].max()\nout[n]", 2, RANGE, "n = y.max()\nout[n]"),
        (
            "class Net:\n    def forward(self, x):\n        return x.squeeze()\nnet = Net()\np = [net(1)]\ncat(p)",
            6,
            SCALAR,
            "class Net:\n    def forward(self, x):\n        return x.squeeze(-1)\nnet = Net()\np = [net(1)]\ncat(p)",
        ),
        (
            "d = DataLoader(s, 32)\ny, h = rnn(x, h)",
            2,
            STATE,
            "d = DataLoader(s, 32, drop_last=True)\ny, h = rnn(x, h)",
        ),
        ("s = critic(fake)\nloss = bce(s, y)", 2, CHANGED, "s = critic(fake)\nloss = bce(critic(fake), y)"),
        (
            "p.append(q.item())\nloss = torch.tensor(p).sum()\nloss.backward()",
            3,
            NO_GRAPH,
            "p.append(q)\nloss = torch.stack(p).sum()\nloss.backward()",
        ),
    ],
)
def test_a_guess(text: str, line: int, message: str, wanted: str) -> None:
    assert wanted in [each for kind in guesses(text, [line], message, "drop_last=True") for each in kind]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("optimizer.step()\nloss.item()", 1, SPARSE),  # what is done for its effect stays
        ("d = DataLoader(s, 32)\ny, _ = rnn(x, new(x))", 2, STATE),  # nothing is carried to the next batch
        ("batch_size = 20\nx + p", 2, LARGER),
        (
            "net = Net(10)\nload(net)",
            2,
            "RuntimeError: copying a param with shape [10] from checkpoint, here [4]",
        ),
        ("def (", 1, RANGE),
    ],
)
def test_no_guess(text: str, line: int, message: str) -> None:
    assert not [each for kind in guesses(text, [line], message, "drop_last=True") for each in kind]
