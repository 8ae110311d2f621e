"""What helps where nothing fits: the kind of failure, the line to search for, the package and its tracker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.fixture_kb import fixture_world
from torchwhy import Assistant
from torchwhy.answers.sections import answer_sections
from torchwhy.answers.unknown_page import KINDS, failure_kind, package_of, search_line
from torchwhy.paste.parse import parse
from torchwhy.text.phrases import is_phrase

IN_PEFT = """Traceback (most recent call last):
  File "/home/me/train.py", line 10, in <module>
    trainer.train()
  File "/opt/env/lib/python3.11/site-packages/peft/tuners/lora.py", line 88, in forward
    raise ValueError("...")
ValueError: Target modules are not in the base model"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (IN_PEFT, "library"),
        ("ValueError: my own check", "own"),
        ("ImportError: cannot import name 'x' from 'y' (/a/b.py)", "import"),
        ("symbol lookup error: /opt/x.so: undefined symbol: abc", "import"),
        ("RuntimeError: CUDA error: something new", "cuda"),
        ("RuntimeError: Error compiling objects for extension\nninja: build stopped", "build"),
        ("Segmentation fault (core dumped)", "killed"),
    ],
)
def test_the_kind_of_failure(text: str, kind: str) -> None:
    root = parse(text).root
    assert root is not None
    assert failure_kind(root) == kind
    assert is_phrase(f"kind_{kind}")


def test_every_kind_is_said() -> None:
    assert all(is_phrase(f"kind_{name}") for name, _ in KINDS)


def test_the_package_is_that_of_the_innermost_frame() -> None:
    root, own = (
        parse(IN_PEFT).root,
        parse(IN_PEFT.replace("/opt/env/lib/python3.11/site-packages", "/home/me")).root,
    )
    assert root is not None and own is not None
    assert (package_of(root), package_of(own)) == ("peft", None)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ValueError: no such thing here", "ValueError: no such thing here"),
        ("OSError: the header of this checkpoint is odd: /home/me/runs/17/a.pt", "OSError: the header of this checkpoint is odd"),
        (
            "AttributeError: module 'rowkit.transforms.functional_kernels_of_rows' has no attribute 'roll'",
            "AttributeError: module 'rowkit.transforms.functional_kernels_of_rows' has no attribute 'roll'",
        ),
        ("RuntimeError: [/a/b/pair.cc:53] of 8 bytes. The other rank doesn't send what this one waits for", "bytes. The other rank doesn't send what this one waits for"),
        ("RuntimeError: no kernel takes this layout (see [/a/b/c.py:7])", "RuntimeError: no kernel takes this layout"),
        ("RuntimeError: " + "the pool is empty again, " * 9, ("RuntimeError: " + "the pool is empty again, " * 4) + "the"),
        ("RuntimeError: the pool of blocks is empty at 0x7f00aa", "RuntimeError: the pool of blocks is empty at"),
    ],
)  # fmt: skip
def test_the_line_to_search_for_has_nothing_of_this_run(text: str, line: str) -> None:
    root = parse(text).root
    assert root is not None and search_line(root) == line


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with fixture_world(tmp_path_factory.mktemp("unknown"), "auto") as assistant:
        yield assistant


def test_the_page_says_where_to_go_on(small: Assistant) -> None:
    section = answer_sections(small.ask(IN_PEFT))[-1]
    assert section.kind == "onward"
    for said in (
        "`peft`",
        "Target modules are not in the base model",
        "github.com/huggingface/peft/issues",
        "torchwhy report",
    ):
        assert said in section.body


def test_a_question_without_an_error_has_nothing_to_search_for(small: Assistant) -> None:
    assert all(section.kind != "onward" for section in answer_sections(small.ask("what is this?")))


@pytest.mark.parametrize(
    "line",
    [
        "Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object file: No such file or directory",
        "python: symbol lookup error: /opt/x/libtorch_cuda.so: undefined symbol: ncclCommInitRankConfig",
        "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9}",
    ],
)
@pytest.mark.parametrize("crash", ["Aborted (core dumped)", "Segmentation fault (core dumped)"])
def test_a_loaders_complaint_leads_the_crash_below_it(line: str, crash: str) -> None:
    root = parse(f"epoch 1\n{line}\n{crash}").root
    assert root is not None and root.message == line


def test_tensorflows_warning_about_a_library_is_no_root() -> None:
    assert parse("W tensorflow/x.cc:55] Could not load dynamic library 'cudart64_101.dll'").root is None


@pytest.mark.parametrize("opened", ["(", "[", "\"'`"])
def test_a_message_of_nothing_but_open_brackets_has_a_line_to_search_for(opened: str) -> None:
    root = parse(f"ValueError: bad {opened * 20_000}").root
    assert root is not None and len(search_line(root)) <= 120
