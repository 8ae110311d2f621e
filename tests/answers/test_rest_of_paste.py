"""What stands beside the message in a paste tells which cause it has, and which of two changes is meant."""

from __future__ import annotations

import pytest

from torchwhy import Assistant
from torchwhy.answers.change import Change
from torchwhy.answers.screen import screen_of

NO_GRAPH = "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn\n"
NO_INPUT = (
    "checkpoint.py:85: UserWarning: None of the inputs have requires_grad=True. Gradients will be None\n"
)
NO_OPERATOR = (
    "NotImplementedError: No operator found for `memory_efficient_attention_forward` with inputs:\n"
    "     query       : shape=(1, 77, 8, 40) (torch.float16)\n"
)
NOT_LOADED = (
    "WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:\n"
    "    PyTorch 2.5.1+cu124 with CUDA 1204 (you have 2.3.0+cu121)\n"
)
NO_CUDA = "AssertionError: Torch not compiled with CUDA enabled\n"
CALLED = 'Traceback (most recent call last):\n  File "play.py", line 7, in <module>\n    net = Net().cuda()\n'
CHANNELS = "RuntimeError: Given groups=1, weight of size [{out}, 1, 3, 3], expected input[2, 3, 9, 9] to have 1 channels, but got 3 channels instead\n"
LIBRARY = "ImportError: {lib}: cannot open shared object file: No such file or directory\n"
CUT = 'RuntimeError: Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "stem.weight", ......\n'


@pytest.mark.parametrize(
    ("text", "entry", "said", "unsaid"),
    [
        (NO_INPUT + NO_GRAPH, "checkpoint-reentrant", "use_reentrant", "argmax"),
        (NO_GRAPH, "no-grad-fn", "argmax", "use_reentrant"),
        (NOT_LOADED + NO_OPERATOR, "xformers-mismatch", "built for", "capability"),
        (NO_OPERATOR + NOT_LOADED, "xformers-mismatch", "built for", "capability"),
        (NO_OPERATOR, "attention-no-kernel", "none of its kernels", "built for"),
        (CALLED + NO_CUDA, "hard-coded-cuda", "install the build with CUDA", "unconditionally"),
        (CHANNELS.format(out=1), "conv-channels-mismatch", "groups=3", "Grayscale"),
        (CHANNELS.format(out=16), "conv-channels-mismatch", "Grayscale", "groups=3"),
        (LIBRARY.format(lib="libcudnn_cnn_infer.so.8"), "shared-library-missing", "cuDNN 9", "flash-attn"),
        (LIBRARY.format(lib="libcusparseLt.so.0"), "shared-library-missing", "flash-attn", "cuDNN"),
        (CUT, "state-dict-key-mismatch", "a level more", "load the rest"),
    ],
)
def test_the_rest_of_a_paste_tells_what_is_shown(
    real: Assistant, text: str, entry: str, said: str, unsaid: str
) -> None:
    answer = real.ask(text, lang="en")
    assert answer.match is not None and answer.match.id == entry
    screen = screen_of(answer)
    change = screen.change or Change("")
    shown = " ".join((screen.says, change.text, change.code, change.alternative))
    assert said in shown and unsaid not in shown


def test_what_is_near_by_chance_is_not_named(assistant: Assistant) -> None:
    text = (
        'Traceback (most recent call last):\n  File "/me/map.py", line 5, in <module>\n    rows = table["area"]\n'
        '  File "/env/lib/python3.11/site-packages/pandas/core/frame.py", line 4102, in __getitem__\n'
        "    indexer = self.columns.get_loc(key)\nKeyError: 'area'\n"
    )
    answer = assistant.ask(text, lang="en")
    assert answer.match is None and answer.candidates
    assert not any("Nearest" in line for line in screen_of(answer).tell)
