"""How a line of the user's is edited, by the keys of an edit: which call, which argument, and when nothing is certain."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.support.edits import after, changed, frame
from torchwhy.answers.change import change_of
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.entry import EditTemplate
from torchwhy.paste.place import UserFrame
from torchwhy.source.edits import FailingLine
from torchwhy.source.own_file import makers, read_source
from torchwhy.text.language import Bilingual


def rewritten(code: str, given: str, new: str, call: str = "", expression: str = "") -> str | None:
    edit = FailingLine(UserFrame("train.py", 1, code, "f", expression)).rewritten(given, new, call)
    return edit.after if edit is not None else None


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
        ("loss = criterion(out, labels.long())", "", None),  # it reads so already
        ("loss = criterion(out, lambda: 1)", "", None),
        ("x = (", "", None),
    ],
)
def test_an_argument_of_the_failing_call(code: str, expression: str, after: str | None) -> None:
    assert rewritten(code, "1|target", "{it}.long()", expression=expression) == after


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("state = torch.load(path)", 'state = torch.load(path, map_location="cpu")'),
        ('state = torch.load(path, map_location="cuda")', None),  # given once already
        ('state = torch.load(path, "cuda")', None),  # a positional argument behind a keyword
    ],
)
def test_a_keyword_is_not_written_a_second_time(code: str, after: str | None) -> None:
    assert rewritten(code, "0", '{it}, map_location="cpu"') == after


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
    assert rewritten(code, "-1|index", "{it}.long()", "gather|take", code[4:]) == after


@pytest.mark.parametrize(
    ("code", "expression", "after"),
    [
        ("y = x[src]", "", "y = x[src.long()]"),
        ("y = x[src] + z[0][dst]", "x[src]", "y = x[src.long()] + z[0][dst]"),
        ("y = x[src] + z[dst]", "", None),
        ("y = x[src.long()]", "", None),
        ("y = x[a:b]", "", None),
        ("y = x[a == b]", "", None),  # a mask: positions are something else
    ],
)
def test_the_index_that_failed(code: str, expression: str, after: str | None) -> None:
    assert rewritten(code, "0", "{it}.long()", "[]", expression) == after


@pytest.mark.parametrize(
    ("code", "given", "new", "call", "after"),
    [
        (
            "net.load_state_dict(torch.load(path))",
            "0|state_dict",
            "{k[7:]: v for k, v in {it}.items()}",
            "load_state_dict",
            "net.load_state_dict({k[7:]: v for k, v in torch.load(path).items()})",
        ),
        ("export(net, x)", "1|args", "({it},)", "export", "export(net, (x,))"),
        ("export(net, (x,))", "1|args", "({it},)", "export", None),
        ("y = a @ net(x)", "0", "{it}.float()", "@", "y = a.float() @ net(x)"),
        ("y = a @ net(x)", "1", "{it}.float()", "@", "y = a @ net(x).float()"),
        ("y = a @ b @ c", "1", "{it}.float()", "@", None),
        (
            "z = out.index_add_(0, index, -x)",
            "2",
            "{it}.to({object}.dtype)",
            "index_add_",
            "z = out.index_add_(0, index, (-x).to(out.dtype))",
        ),
        ("z = f().index_add_(0, index, -x)", "2", "{it}.to({object}.dtype)", "index_add_", None),
        ("loss = loss_fn(input=out, target=labels)", "1|target", "{it}.view_as({argument0})", "", None),
    ],
)
def test_what_is_written_around_an_argument(
    code: str, given: str, new: str, call: str, after: str | None
) -> None:
    assert rewritten(code, given, new, call) == after


@pytest.mark.parametrize(
    ("line", "old", "new", "after"),
    [
        ("m = (a == b) and (c > d)", " and ", " & ", "m = (a == b) & (c > d)"),
        ("m = found or mask.bool()", " or ", " | ", "m = found | mask.bool()"),
        ("x.masked_fill_(not mask, 0)", "not ", "~", "x.masked_fill_(~mask, 0)"),
        ("m = a == b and c > d", " and ", " & ", None),  # & binds more tightly
        ("if found and mask:", " and ", " & ", None),  # still one yes or no
        ("m = [y for y in z if not y]", "not ", "~", None),
        ("m = a and b and c", " and ", " & ", None),
    ],
)
def test_an_operator_gives_way_where_its_operands_stay(
    line: str, old: str, new: str, after: str | None
) -> None:
    edit = FailingLine(UserFrame("train.py", 1, line, "f")).replaced(old, new)
    assert (edit.after if edit is not None else None) == after


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
        EditTemplate(argument="1", append=".long()"),
        EditTemplate(append=".to({argument0}.dtype)"),
    ):
        assert changed(edit, here, {}) is not None


LOADERS = """train = DataLoader(train_set, batch_size=4, shuffle=True)
val = DataLoader(val_set, batch_size=4)
def run(net):
    for x in train:
        net(x)
"""


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        (LOADERS, 1, "train = DataLoader(train_set, batch_size=4, shuffle=True, drop_last=True)"),
        (LOADERS.replace("shuffle=True", "shuffle=False"), None, None),  # either of two
        (
            LOADERS.replace("True)", "True, drop_last=True)"),
            2,
            "val = DataLoader(val_set, batch_size=4, drop_last=True)",
        ),
        (LOADERS.replace("val = DataLoader(", "val = other(").replace("4, ", "4,\n  "), None, None),
        (
            "from torch.utils.data import DataLoader as Batches\ntrain = Batches(train_set)\nfor x in train:\n        net(x)\n",
            2,
            "train = Batches(train_set, drop_last=True)",
        ),
    ],
    ids=["the one that shuffles", "two", "one has it", "on two lines", "under another name"],
)
def test_the_call_that_is_to_change_is_found_in_the_file(
    tmp_path: Path, text: str, line: int | None, wanted: str | None
) -> None:
    here = frame(tmp_path, text, text.splitlines().index("        net(x)") + 1)
    assert after(EditTemplate(call="DataLoader", keyword="drop_last=True"), here, {}) == (line, wanted)


def test_no_call_elsewhere_is_edited_where_the_file_is_not_read() -> None:
    here = UserFrame("/no/such.py", 3, "loss = loss_fn(net(x), y)", "f")
    assert changed(EditTemplate(call="net", keyword="a=1"), here, {}, only_as_edit=True) is None


def test_an_edit_that_no_run_has_shown_to_fix_anything_is_not_made(tmp_path: Path) -> None:
    here = frame(tmp_path, "loss = criterion(out, labels)\n", 1)
    edit = EditTemplate(argument="1", append=".long()")
    found = changed(edit, here, {}, applied=())
    assert found is not None and found.usual and not found.before and found.code == "fixed"
    assert after(edit, here, {}) == (1, "loss = criterion(out, labels.long())")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("c = torch.cat([skip, x], 1)", False),  # reads like an edit of the line, and is none
        ("c = torch.cat([skip, smaller], 1)", True),
        ("up(dim=1)", True),
        ("", False),
    ],
)
def test_code_in_the_names_of_the_line_is_left_out(code: str, shown: bool) -> None:
    here = UserFrame("train.py", 17, "c = torch.cat([up(x), skip], 1)", "train", "")
    found = change_of((Template(None, code=code, do=Bilingual("Swap.", "换。")),), {}, "en", here)
    assert found is not None and bool(found.code) == shown and found.text == "Swap."


def test_a_line_of_many_calls_is_no_walk_of_the_file_for_each(tmp_path: Path) -> None:
    """300 calls in one line of a file of 400 KB took three minutes."""

    def cost(calls: int) -> float:
        line = "+".join(f"a{number}()" for number in range(calls))
        (tmp_path / "t.py").write_text(f"{line}\n" + "q=w\n" * 20_000)
        here = UserFrame(str(tmp_path / "t.py"), 1, line, "f")
        source = read_source(here)
        assert source is not None
        started = time.process_time()
        assert makers(source, here, "Linear") == []
        return time.process_time() - started

    assert min(cost(300) for _ in range(2)) < 6 * max(cost(8) for _ in range(2))
