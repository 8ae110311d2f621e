"""The change that a message asks for: every template on every example, and edits of the user's own lines."""

from __future__ import annotations

import os
import re
import time
import warnings
from pathlib import Path

import pytest

from tests.support.edits import SAYS, frame
from tests.support.shipped import knowledge
from torchwhy.answers import further, terminal
from torchwhy.answers.change import Change, change_of, with_derived
from torchwhy.answers.screen import screen_of
from torchwhy.answers.screen_lines import OTHER_LINES, SAYS_LINES, TEXT_LINES
from torchwhy.api import Assistant
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.entry import Form, Pitfall
from torchwhy.knowledge.rows import values_of
from torchwhy.knowledge.wordings import Wordings
from torchwhy.machine import interpreters
from torchwhy.paste.place import UserFrame, is_far
from torchwhy.source.line import parsed_line
from torchwhy.source.own_file import read_source
from torchwhy.text.language import LANGS
from torchwhy.text.phrases import phrase
from torchwhy.text.width import width_of, wrapped

KNOWN = knowledge().pitfalls
WITH_CHANGE = {
    id: entry
    for id, entry in KNOWN.items()
    if not all(
        each.only_as_edit
        for each in (
            *entry.change,
            *(change for signature in entry.signatures for change in signature.change),
        )
    )
}


def changes(entry: Pitfall, lang: str) -> list[Change]:
    """The change of each of the entry's examples that has one."""
    found = [
        change_of(
            (*entry.signatures[claim.number].change, *entry.change),
            values_of(entry.folder, dict(claim.groups)),
            lang,
            None,
        )
        for signature in entry.signatures
        for claim in Wordings.of([entry]).claims(signature.example)
    ]
    return [each for each in found if each is not None]


def test_forty_entries_say_what_to_change() -> None:
    assert len(WITH_CHANGE) >= 40


@pytest.mark.parametrize("id", WITH_CHANGE)
def test_a_change_is_whole_and_fits_the_screen(id: str) -> None:
    entry = WITH_CHANGE[id]
    for lang in LANGS:
        found = changes(entry, lang)
        assert found, "no example of the entry's own shows a change"
        for change in found:
            for text in (change.says, change.text, change.code, change.alternative):
                assert not re.search(r"\{\w+\}", text), text
            assert not change.says or change.says.endswith((".", "。"))
            assert len(wrapped(change.says, 80)) <= SAYS_LINES
            assert change.code or change.text
            # half of "in this case A; else B" would be worse than none
            beside = width_of(phrase("screen_change", lang)) + 2
            assert len(wrapped(change.text, 80 - beside)) <= TEXT_LINES, change.text
            assert len(wrapped(change.alternative, 80 - beside)) <= OTHER_LINES, change.alternative
            assert all(width_of(line) <= 92 for line in change.code.splitlines()), change.code
    # a pasted line can hold any path, and long ones are cut: what is deleted is named by no text
    for template in (*entry.change, *(each for signature in entry.signatures for each in signature.change)):
        for line in (template.code or "").splitlines():
            assert not re.search(r"\b(?:rm|rmdir|del|rmtree|unlink)\b.*\{\w+\}", line), line


@pytest.mark.parametrize(
    ("message", "after"),
    [
        (
            "TypeError: ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'",
            "validation_loss",
        ),
        (
            "RuntimeError: Index tensor must have the same number of dimensions as input tensor",
            "unsqueeze(1)",
        ),
        ("RuntimeError: Expected hidden size (2, 8, 24), got [1, 8, 24]", "x.new_zeros(2, 8, 24)"),
    ],
)
def test_a_wording_has_a_change_of_its_own(message: str, after: str) -> None:
    """Where an entry has several wordings, the beginning of its fix may be meant for another one."""
    answer = Assistant(vectors=False).ask(message)
    assert answer.change is not None and after in answer.change.code


def test_a_wording_without_one_is_given_no_other_ones_change() -> None:
    answer = Assistant(vectors=False).ask(
        "AssertionError: key shape torch.Size([2, 1, 8]) does not match value shape torch.Size([3, 1, 8])"
    )
    screen = screen_of(answer)
    assert screen.change is None and "must agree in length" in screen.says


def test_no_change_runs_what_a_file_brings_along() -> None:
    """A pickle that names os.system is not to be loaded; nothing is told that would."""
    entry = KNOWN["weights-only-load"]
    for name in ("posix.system", "nt.system", "eval", "subprocess.Popen"):
        message = f"Unsupported global: GLOBAL {name} was not an allowed global by default."
        claim = Wordings.of([entry]).claims(message)[0]
        change = change_of(entry.change, dict(claim.groups), "en", None)
        assert change is not None
        assert "weights_only" not in f"{change.code}{change.alternative}" and "Do not load it" in change.text


def test_what_is_derived_of_a_group() -> None:
    known = with_derived({"shape": "4, 1", "key": "head.fc.weight", "boxed": "[3, 2]", "word": "Float"})
    assert (known["shape_count"], known["shape_dims"], known["boxed_count"]) == ("4", "2", "6")
    assert known["key_layer"] == "head.fc" and "word_count" not in known


def test_a_number_that_the_message_lacks_is_not_filled_in() -> None:
    template = Template(SAYS, code="nn.Linear({got})")
    assert change_of((template,), {"want": "3"}, "en", None) is None
    found = change_of((template,), {"want": "3", "got": "`5\n"}, "en", None)
    assert found is not None and found.says == "3 is wanted, 5 arrive."


@pytest.mark.parametrize(("applied", "code"), [(("code",), "fixed"), (("not code",), ""), ((), "fixed")])
def test_code_that_did_not_fix_a_program_is_not_shown(applied: tuple[Form, ...], code: str) -> None:
    found = change_of((Template(SAYS, code="fixed", applied=applied),), {"want": "1", "got": "2"}, "en", None)
    assert found is not None and (found.code, found.usual) == (code, applied != ("code",))


@pytest.mark.parametrize(
    ("rows", "got", "want", "samples"),
    [
        ("1792", "28", "784", "64"),
        ("32", "512", "256", None),
        ("32", "128", "256", None),
        ("30", "28", "784", None),
    ],
)
def test_rows_of_an_image_that_nobody_flattened(rows: str, got: str, want: str, samples: str | None) -> None:
    assert with_derived({"rows": rows, "got": got, "want": want}).get("got_samples") == samples


def test_a_list_of_sizes_backwards_and_without_its_first() -> None:
    known = with_derived({"got": "[20, 3]"})
    assert (known["got_reversed"], known["got_tail"]) == ("3, 20", "3")


def test_a_file_is_read_only_where_the_line_reads_as_in_the_text(tmp_path: Path) -> None:
    here = frame(tmp_path, "import torch\nnet(x)\n", 2)
    assert read_source(here) is not None
    (tmp_path / "train.py").write_text("# a line more\nimport torch\nnet(x)\n")
    assert read_source(here) is None
    os.mkfifo(tmp_path / "pipe.py")
    for file in (str(tmp_path / "pipe.py"), str(tmp_path), "/no/such.py", str(tmp_path / "nul\0.py")):
        assert read_source(UserFrame(file, 1, "x", "f")) is None


WANTS_LONG = "RuntimeError: expected target dtype to be Long or Byte, but got Float"


def test_a_line_that_nobody_wrote_is_not_parsed() -> None:
    """Python 3.11 takes the square of the time for one long f-string."""
    started = time.process_time()
    assert parsed_line('f(f"' + "{a}" * 100_000 + '")') is None
    assert time.process_time() - started < 0.5


def test_what_python_says_of_a_line_is_not_printed() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert parsed_line(r"f('\d')") is not None
    assert not said


@pytest.mark.parametrize("sizes", ["28, " * 5000 + "28", "²8, 28", "٣, 28", "", ", ,", "9" * 5000])
def test_sizes_of_any_kind_are_counted_or_left(sizes: str) -> None:
    for value in (sizes, f"[{sizes}]"):
        known = with_derived({"got": value})
        assert known["got"] == value and all(len(each) < 500 for name, each in known.items() if name != "got")


FAR = [
    "//evil/share/x.py",
    "\\\\evil\\share\\x.py",
    "/net/evil/x.py",
    "/tmp/../net/evil/x.py",
    "/proc/self/x.py",
]


@pytest.mark.parametrize(
    "file",
    [*FAR, "/./dev/fd/x.py", "///net/x.py", "../" * 30 + "net/evil/x.py", "a/" + "../" * 30 + "proc/x.py"],
)
def test_no_path_of_a_text_makes_this_machine_ask_another(
    file: str, monkeypatch: pytest.MonkeyPatch, real: Assistant
) -> None:
    asked: list[object] = []
    for name in ("open", "stat", "access"):
        monkeypatch.setattr(
            os, name, lambda path, *_, **__: asked.append(path) or (_ for _ in ()).throw(OSError)
        )
    monkeypatch.setattr(os.path, "isfile", lambda path: bool(asked.append(path)))
    here = UserFrame(file, 1, "x = 1", "f")
    assert is_far(file) and read_source(here) is None
    assert terminal._linked("x", file) == "x"
    found = real.ask(
        f'Traceback (most recent call last):\n  File "{file}", line 1, in f\n    x = 1\n{WANTS_LONG}'
    )
    further.bears_on_machine(found)
    path = file.replace("x.py", "site-packages/torch/x.py")
    assert not any(
        "evil" in str(root) for root, _ in interpreters.environments_in(f'File "{path}"') if path[1] in "/\\"
    )
    assert not [each for each in asked if "x.py" in str(each)]


def test_near_paths_are_not_far() -> None:
    assert not any(
        map(is_far, ["a.py", "./a.py", "/home/a/x.py", "C:/a/x.py", "C:\\a\\x.py", "/network/x.py", ""])
    )
