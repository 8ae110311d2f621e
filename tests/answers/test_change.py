"""The change that a message asks for: every template on every example, and edits of the user's own lines."""

from __future__ import annotations

import os
import re
import time
import warnings
from pathlib import Path

import pytest

from torchwhy.answers import further, printed
from torchwhy.answers.change import Change, change_of, with_derived
from torchwhy.answers.line_edits import with_appended
from torchwhy.answers.own_source import made_by, parsed_line, read_source
from torchwhy.answers.phrases import phrase
from torchwhy.answers.screen import screen_of
from torchwhy.answers.screen_lines import OTHER_LINES, SAYS_LINES, TEXT_LINES
from torchwhy.api import Assistant
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.entry import EditTemplate, Pitfall
from torchwhy.knowledge.load import load_documents, load_knowledge
from torchwhy.knowledge.wordings import Wordings
from torchwhy.machine import interpreters
from torchwhy.paste.place import UserFrame, is_far
from torchwhy.runtime import locations
from torchwhy.text.language import LANGS, Bilingual
from torchwhy.text.width import width_of, wrapped

KNOWN = load_knowledge([locations.shipped("kb")], load_documents(locations.documents())).pitfalls
WITH_CHANGE = {
    id: entry
    for id, entry in KNOWN.items()
    if entry.change or any(signature.change for signature in entry.signatures)
}
SAYS = Bilingual("{want} is wanted, {got} arrive.", "要 {want}，来了 {got}。")


def changes(entry: Pitfall, lang: str) -> list[Change]:
    """The change of each of the entry's examples that has one."""
    found = [
        change_of((*entry.signatures[claim.number].change, *entry.change), dict(claim.groups), lang, None)
        for signature in entry.signatures
        for claim in Wordings.of([entry]).claims(signature.example)
    ]
    return [each for each in found if each is not None]


def test_forty_entries_say_what_to_change() -> None:
    assert len(WITH_CHANGE) >= 40


@pytest.mark.parametrize("id", WITH_CHANGE)
@pytest.mark.parametrize("lang", LANGS)
def test_a_change_is_whole_and_fits_the_screen(id: str, lang: str) -> None:
    found = changes(WITH_CHANGE[id], lang)
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


@pytest.mark.parametrize("id", WITH_CHANGE)
def test_what_is_deleted_is_named_by_no_text(id: str) -> None:
    """A pasted line can hold any path, and long ones are cut."""
    entry = WITH_CHANGE[id]
    for change in (*entry.change, *(each for signature in entry.signatures for each in signature.change)):
        for line in (change.code or "").splitlines():
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


def source(tmp_path: Path, text: str, line: int, expression: str = "") -> UserFrame:
    file = tmp_path / "train.py"
    file.write_text(text)
    return UserFrame(str(file), line, text.splitlines()[line - 1].strip(), "forward", expression)


NET = """class Net(nn.Module):
    def __init__(self, classes):
        self.body = nn.Linear(3, 2048)
        self.head = nn.Linear(32 * 8 * 8, classes)

    def forward(self, x):
        return self.head(x)
"""
MADE = Template(
    SAYS,
    code="fixed",
    edits=(EditTemplate(made="Linear", argument=0, name="in_features", was="{want}", to="{got}"),),
    applied=("edit",),
)


def test_the_line_that_made_the_layer_is_edited(tmp_path: Path) -> None:
    here = source(tmp_path, NET, 7)
    found = change_of((MADE,), {"want": "2048", "got": "1568"}, "en", here, read_source(here))
    assert found is not None and (found.line, found.before) == (
        4,
        "self.head = nn.Linear(32 * 8 * 8, classes)",
    )
    assert found.after == "self.head = nn.Linear(1568, classes)  # 32 * 7 * 7"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"want": "999", "got": "5"}, NET),  # another number than the message's: another layer
        (
            {"want": "2048", "got": "5"},
            NET + "\n    def more(self):\n        self.head = nn.Linear(2048, 1)\n",
        ),
        ({"want": "2048", "got": "5"}, NET.replace("self.head = ", "self.other = ")),
    ],
)
def test_no_edit_where_it_does_not_follow(tmp_path: Path, values: dict[str, str], text: str) -> None:
    here = source(tmp_path, text, 7)
    found = change_of((MADE,), values, "en", here, read_source(here))
    assert found is not None and not found.before and found.code == "fixed" and found.usual


LOADERS = """train = DataLoader(train_set, batch_size=4, shuffle=True)
val = DataLoader(val_set, batch_size=4)
def run(net):
    for x in train:
        net(x)
"""


@pytest.mark.parametrize(
    ("text", "line", "after"),
    [
        (LOADERS, 1, "train = DataLoader(train_set, batch_size=4, shuffle=True, drop_last=True)"),
        (LOADERS.replace("shuffle=True", "shuffle=False"), None, ""),  # either of two
        (
            LOADERS.replace("True)", "True, drop_last=True)"),
            2,
            "val = DataLoader(val_set, batch_size=4, drop_last=True)",
        ),
        (LOADERS.replace("val = DataLoader(", "val = other(").replace("4, ", "4,\n  "), None, ""),  # on two
    ],
)
def test_the_call_that_is_to_change_is_found_in_the_file(
    tmp_path: Path, text: str, line: int | None, after: str
) -> None:
    here = source(tmp_path, text, text.splitlines().index("        net(x)") + 1)
    template = Template(
        SAYS,
        code="fixed",
        edits=(EditTemplate(called="DataLoader", keyword="drop_last=True"),),
        applied=("edit",),
    )
    found = change_of((template,), {"want": "2", "got": "1"}, "en", here, read_source(here))
    assert found is not None and (found.line, found.after) == (line, after)


@pytest.mark.parametrize(
    ("values", "item", "after"),
    [
        ("gx, x.t() @ g, gb", "1", "return gx, (x.t() @ g).t(), gb"),
        ("gx, gw", "1", "return gx, gw.t()"),
        ("gx", "0", "return gx.t()"),
        ("gx, None", "1", None),
        ("gx, *rest", "0", None),
        ("gx, gw", "2", None),
    ],
)
def test_behind_a_value_of_the_return(tmp_path: Path, values: str, item: str, after: str | None) -> None:
    text = (
        f"class Scale(Function):\n    def backward(ctx, g):\n        return {values}\n\n\nloss.backward()\n"
    )
    edit = EditTemplate(returns="{name}.backward", item="{index}", append=".t()")
    here, known = source(tmp_path, text, 6), {"want": "3", "got": "2", "name": "Scale", "index": item}
    found = change_of(
        (Template(SAYS, code="fixed", edits=(edit,), applied=("edit",)),),
        known,
        "en",
        here,
        read_source(here),
    )
    assert found is not None and (found.after or None) == after


@pytest.mark.parametrize(("argument", "twice"), [("cfg.hidden", "2 * cfg.hidden"), ("a + b", "2 * (a + b)")])
def test_the_argument_that_stands_there_is_kept(tmp_path: Path, argument: str, twice: str) -> None:
    here = source(tmp_path, NET.replace("32 * 8 * 8", argument), 7)
    edit = EditTemplate(made="Linear", name="in_features", was="{want}", to="2 * {it}")
    known = with_derived({"want": "40", "got": "80"})
    assert known["want_twice"] == "80"
    found = change_of(
        (Template(SAYS, code="fixed", edits=(edit,), applied=("edit",)),),
        known,
        "en",
        here,
        read_source(here),
    )
    assert found is not None and found.after == f"self.head = nn.Linear({twice}, classes)"


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


def test_a_number_of_more_digits_than_python_writes_is_none(tmp_path: Path) -> None:
    here = source(tmp_path, NET.replace("32 * 8 * 8", "0x" + "f" * 5000), 7)
    found = change_of((MADE,), {"want": "2048", "got": "5"}, "en", here, read_source(here))
    assert found is not None and found.after == "self.head = nn.Linear(5, classes)"


def test_a_file_is_read_only_where_the_line_reads_as_in_the_text(tmp_path: Path) -> None:
    here = source(tmp_path, NET, 7)
    assert read_source(here) is not None
    (tmp_path / "train.py").write_text("# a line more\n" + NET)
    assert read_source(here) is None
    os.mkfifo(tmp_path / "pipe.py")
    for file in (str(tmp_path / "pipe.py"), str(tmp_path), "/no/such.py", str(tmp_path / "nul\0.py")):
        assert read_source(UserFrame(file, 1, "x", "f")) is None


@pytest.mark.parametrize(
    ("code", "expression", "after"),
    [
        ("loss = criterion(out, labels)", "", "loss = criterion(out, labels.long())"),
        ("print(criterion(out, labels[0]))", "", "print(criterion(out, labels[0].long()))"),
        ("return f(g(x), h(y))", "f(g(x), h(y))", "return f(g(x), h(y).long())"),
        ("return f(g(x), h(y))", "", None),  # which of three calls failed is not known
        ("loss = criterion(out, a + b)", "", "loss = criterion(out, (a + b).long())"),
        ("loss = criterion(*pair)", "", None),
        ("loss = criterion(out, target=labels)", "", "loss = criterion(out, target=labels.long())"),
        ("x = (", "", None),
    ],
)
def test_an_argument_of_the_failing_call(code: str, expression: str, after: str | None) -> None:
    here = UserFrame("train.py", 1, code, "f", expression)
    assert with_appended(here, 1, "target", ".long()") == after


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("state = torch.load(path)", 'state = torch.load(path, map_location="cpu")'),
        ('state = torch.load(path, map_location="cuda")', None),  # given once already
        ('state = torch.load(path, "cuda")', None),  # a positional argument behind a keyword
    ],
)
def test_a_keyword_is_not_written_a_second_time(code: str, after: str | None) -> None:
    here = UserFrame("train.py", 1, code, "f")
    assert with_appended(here, 0, None, ', map_location="cpu"') == after


@pytest.mark.parametrize(
    ("code", "after"),
    [
        (
            "q = net(s).gather(1, a.unsqueeze(1)).squeeze(1)",
            "q = net(s).gather(1, a.unsqueeze(1).long()).squeeze(1)",
        ),
        ("q = torch.gather(net(s), 1, index)", "q = torch.gather(net(s), 1, index.long())"),
        ("q = torch.gather(net(s), 1, index=index)", "q = torch.gather(net(s), 1, index=index.long())"),
        ("q = x.gather(1, y == 1)", "q = x.gather(1, (y == 1).long())"),
        ("q = a.gather(1, i) + b.gather(1, i)", None),
        ("q = gather()", None),
        ("q = a[i]", None),
    ],
)
def test_an_argument_of_a_call_by_its_name(code: str, after: str | None) -> None:
    here = UserFrame("train.py", 1, code, "f", code[4:])
    assert with_appended(here, -1, "index", ".long()", "gather|take") == after


WANTS_LONG = "RuntimeError: expected target dtype to be Long or Byte, but got Float"


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize(
    "call",
    [
        "criterion" + "()" * 1500 + "(out, y)",
        "criterion" + "()" * 450 + "(out, y)",
        "f(" * 90 + "x" + ")" * 90,
    ],
)
def test_a_line_of_any_depth_gets_an_answer(call: str, marked: bool) -> None:
    here = UserFrame("a.py", 1, f"loss = {call}", "f", call if marked else "")
    for edit in (
        EditTemplate(argument=1, append=".long()"),
        EditTemplate(argument=0, append=".to({argument0}.dtype)"),
    ):
        assert change_of((Template(SAYS, edits=(edit,)),), {"want": "1", "got": "2"}, "en", here) is not None


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
    assert printed._linked("x", file) == "x"
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
WIDE = Template(
    SAYS,
    code="fixed",
    edits=(EditTemplate(made="Conv2d", argument=0, name="in_channels", was="{want}", to="{got}"),),
    applied=("edit",),
)


@pytest.mark.parametrize(
    ("expression", "line", "after"),
    [
        ("self.second(self.first(x))", 11, "self.second = Block(1, width=16)"),
        ("self.first(x)", None, None),  # 16 is not what the message says of this one: nothing is certain
    ],
)
def test_a_size_that_a_class_hands_on_is_edited_where_its_object_is_made(
    tmp_path: Path, expression: str, line: int, after: str | None
) -> None:
    here = source(tmp_path, BLOCKS, 6)
    caller = UserFrame(here.file, 14, "return self.second(self.first(x))", "forward", expression)
    values = {"want": "32", "got": "16"}
    found = change_of((WIDE,), values, "en", here, read_source(here), None, (caller,))
    assert found is not None and (found.line, found.after or None) == (line, after)


def edited(
    folder: Path, text: str, edit: EditTemplate, values: dict[str, str], line: int
) -> tuple[int | None, str]:
    """(line, the line as it is to be) of the change that one edit makes of a program."""
    here = source(folder, text, line)
    found = change_of(
        (Template(SAYS, code="fixed", edits=(edit,), applied=("edit",)),),
        values,
        "en",
        here,
        read_source(here),
    )
    assert found is not None
    return found.line, found.after


LOSS = """class Masked(nn.Module):
    def __init__(self, weight):
        self.ce = nn.CrossEntropyLoss(weight=weight)

    def forward(self, logits, mask):
        return self.ce(logits, mask.long())
"""


def test_a_keyword_is_added_where_the_object_was_made(tmp_path: Path) -> None:
    edit, values = (
        EditTemplate(made="CrossEntropyLoss", keyword="ignore_index={got}"),
        {"want": "1", "got": "255"},
    )
    after = "self.ce = nn.CrossEntropyLoss(weight=weight, ignore_index=255)"
    assert edited(tmp_path, LOSS, edit, values, 6) == (3, after)
    given = LOSS.replace("weight=weight", "ignore_index=0")
    assert edited(tmp_path, given, edit, values, 6) == (None, "")


def test_of_several_loaders_the_one_of_that_batch_size(tmp_path: Path) -> None:
    text = LOADERS.replace("batch_size=4, shuffle=True", "batch_size=BATCH") + "BATCH = 24\n"
    edit = EditTemplate(called="DataLoader", where="batch_size={want}", keyword="drop_last=True")
    line = text.splitlines().index("        net(x)") + 1
    after = "train = DataLoader(train_set, batch_size=BATCH, drop_last=True)"
    assert edited(tmp_path, text, edit, {"want": "24", "got": "4"}, line) == (1, after)
    assert edited(tmp_path, text, edit, {"want": "7", "got": "4"}, line) == (None, "")


def test_a_number_written_into_a_call_of_a_method(tmp_path: Path) -> None:
    text = "N = 8\ndef forward(h):\n    h = h.reshape(N, -1)\n    return h.view(4, -1)\nexport(net)\n"
    edit = EditTemplate(called="reshape|view", argument=0, was="{want}", to="{object}.shape[0]")
    values = {"want": "8", "got": "2"}
    assert edited(tmp_path, text, edit, values, 5) == (3, "h = h.reshape(h.shape[0], -1)")
    assert edited(tmp_path, text.replace("h.reshape", "f(h).reshape"), edit, values, 5) == (None, "")


@pytest.mark.parametrize(
    ("code", "expression", "after"),
    [
        ("y = x[src]", "", "y = x[src.long()]"),
        ("y = x[src] + z[0][dst]", "x[src]", "y = x[src.long()] + z[0][dst]"),
        ("y = x[src] + z[dst]", "", None),
        ("y = x[src.long()]", "", None),
        ("y = x[a:b]", "", None),
    ],
)
def test_the_index_that_failed(code: str, expression: str, after: str | None) -> None:
    assert with_appended(UserFrame("t.py", 1, code, "", expression), 0, None, ".long()", "[]") == after


def test_a_class_is_found_by_the_name_that_it_was_imported_as(tmp_path: Path) -> None:
    text = "from torch.nn.parallel import DistributedDataParallel as Spread\nnet = Spread(net)\nnet(x)\n"
    edit = EditTemplate(called="DistributedDataParallel", keyword="find_unused_parameters=True")
    after = "net = Spread(net, find_unused_parameters=True)"
    assert edited(tmp_path, text, edit, {"want": "1", "got": "2"}, 3) == (2, after)


def test_what_forward_takes_is_filled_in(tmp_path: Path) -> None:
    text = "class F(Function):\n    def forward(ctx, x, bits):\n        pass\n\n"
    text += "    def backward(ctx, g):\n        return g\n\n\nloss.backward()\n"
    text_of = Bilingual("one for each of {parameters}", "{parameters}")
    templates = (
        Template(SAYS, do=text_of, edits=(EditTemplate(returns="{name}.backward"),), only_as_edit=True),
        Template(SAYS, code="another"),
    )
    here = source(tmp_path, text, 9)
    values = {"want": "2", "got": "1", "name": "F"}
    found = change_of(templates, values, "en", here, read_source(here))
    assert found is not None and found.text == "one for each of x, bits"
    without = change_of(templates, values, "en", here, None)
    assert without is not None and without.code == "another"


def test_a_line_of_many_calls_is_no_walk_of_the_file_for_each(tmp_path: Path) -> None:
    """300 calls in one line of a file of 400 KB took three minutes."""

    def cost(calls: int) -> float:
        line = "+".join(f"a{number}()" for number in range(calls))
        (tmp_path / "t.py").write_text(f"{line}\n" + "q=w\n" * 20_000)
        here = UserFrame(str(tmp_path / "t.py"), 1, line, "f")
        source = read_source(here)
        assert source is not None
        started = time.process_time()
        assert made_by(source, here, "Linear", 0, None) == []
        return time.process_time() - started

    assert min(cost(300) for _ in range(2)) < 6 * max(cost(8) for _ in range(2))
