"""The first screen: at most fourteen lines, nothing cut in the middle of a sentence, and the same parts as data."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

from tests.conftest import follows_schema
from tests.support.shipped import knowledge
from tests.tools import first_screens
from torchwhy import Answer, Assistant
from torchwhy.answers.change import Change, EditedLine
from torchwhy.answers.own_hints import out_of_step_words
from torchwhy.answers.screen import MAX_SAYS_CHARS, Screen, screen_json, screen_of
from torchwhy.answers.screen_lines import MAX_LINES, screen_lines
from torchwhy.paste.parse import parse
from torchwhy.text.language import LANGS
from torchwhy.text.phrases import phrase
from torchwhy.text.width import width_of

KNOWN = knowledge().pitfalls
UNSEEN = sorted((Path(__file__).resolve().parents[2] / "data" / "unseen").glob("programs*.jsonl"))
MESSAGES = {id: entry.signatures[0].example for id, entry in KNOWN.items() if entry.signatures}
FRAME = 'Traceback (most recent call last):\n  File "/home/me/project/models/train.py", line 18, in forward\n    return self.head(x)\n'
LINEAR = '  File "/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 134, in forward\n    return F.linear(input, self.weight, self.bias)\n'
SHAPES = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)\n"
JARGON = re.compile(r"\b(?:legs?|settled|shown|clean)\b")


def lines(answer: Answer, width: int = 80) -> list[str]:
    return [line.text for line in screen_lines(answer, width)]


@pytest.mark.parametrize("lang", LANGS)
def test_every_message_of_every_entry_fits(real: Assistant, lang: str) -> None:
    answers = real.ask_many([FRAME + text for text in MESSAGES.values()], lang=lang)
    for answer in answers:
        for width in (80, 120):
            drawn = screen_lines(answer, width)
            shown = [line.text for line in drawn]
            text = "\n".join(shown)
            assert len(shown) <= MAX_LINES, text
            assert max(map(width_of, shown)) <= min(width, 100), text
            assert "(0%)" not in text
            said = [line.text for line in drawn if line.style == "plain"]
            assert not JARGON.search("\n".join(said)), text
            assert answer.here is None or not answer.here.line or f":{answer.here.line}" in text, text
        if answer.match is not None:
            assert any(f"torchwhy show {answer.match.id}" in line for line in shown), text


@pytest.mark.parametrize("lang", LANGS)
def test_every_screen_of_an_entry_says_what_to_do(real: Assistant, lang: str) -> None:
    """A change, what is usually done, or what to look at: of every example of every entry."""
    words = tuple(phrase(f"screen_{name}", lang) for name in ("usual", "change", "or"))
    words += (phrase("screen_first_check", lang, check="").rstrip(),)
    examples = [each.example for entry in KNOWN.values() for each in entry.signatures]
    for answer in real.ask_many([FRAME + text for text in examples], lang=lang):
        if answer.match is not None:
            for width in (60, 80):
                assert any(line.startswith(words) for line in lines(answer, width)), lines(answer, width)


def test_an_edited_line_is_shown_whole(real: Assistant) -> None:
    """Of the lines that the unseen programs' right fixes change, at any width."""
    answer = real.ask(FRAME + SHAPES, lang="en")
    programs = [row for file in UNSEEN for row in map(json.loads, file.read_text("utf-8").splitlines())]
    pairs = [
        (old.strip(), new.strip())
        for row in programs
        for old, new in zip(row["broken"].splitlines(), row["fixed"].splitlines(), strict=False)
        if old != new and old.strip() and new.strip()
    ]
    assert len(pairs) > 200 and max(len(old) for old, _ in pairs) > 100
    for old, new in pairs:
        edited = answer._replace(change=Change("", lines=(EditedLine("/me/net.py", 9, old, new),)))
        for width in (60, 80, 100, 120):
            drawn = screen_lines(edited, width)
            for style, text in (("before", old), ("after", new)):
                rows = [line.text[4:] for line in drawn if line.style == style]
                whole = ("".join("".join(each).replace("#", "").split()) for each in (rows, text))
                assert next(whole) == next(whole), rows
            assert max(width_of(line.text) for line in drawn) <= min(width, 100)


def test_the_parts_in_their_order(real: Assistant, tmp_path: Path) -> None:
    program = "import torch\nclass Net:\n    def __init__(self):\n        self.head = nn.Linear(32 * 8 * 8, 10)\n\n    def forward(self, x):\n        return self.head(x)\n"
    (tmp_path / "train.py").write_text(program)
    log = FRAME.replace("18", "7").replace("/home/me/project/models/train.py", str(tmp_path / "train.py"))
    log += LINEAR
    answer = real.ask(log + SHAPES, lang="en", source=True)
    text = "\n".join(lines(answer))
    order = [
        "train.py:7 in forward",
        "return self.head(x)",
        "(16x1568 and 2048x10)",
        "takes 2048 numbers per row; 1568 arrive.",
        "Change  train.py:4",
        "- self.head = nn.Linear(32 * 8 * 8, 10)",
        "+ self.head = nn.Linear(1568, 10)  # 32 * 7 * 7",
        "Or      nn.LazyLinear(10)",
        "cause: sure (9",
        "torchwhy confirm matmul-shape-mismatch",
    ]
    assert [text.find(part) for part in order] == sorted(text.find(part) for part in order)
    assert all(part in text for part in order)
    unread = real.ask(log + SHAPES, lang="en")
    assert unread.change is not None and not unread.change.before


@pytest.mark.parametrize("width", [0, 1, 30, 500])
def test_any_terminal_gets_a_screen(real: Assistant, width: int) -> None:
    shown = lines(real.ask(FRAME + SHAPES, lang="en"), width)
    assert shown and max(map(width_of, shown)) <= 100


PACKAGES = "/env/lib/python3.11/site-packages"


def inside(package: str, code: str, function: str = "step") -> str:
    """A frame in a package's file."""
    return f'  File "{PACKAGES}/{package}", line 88, in {function}\n    {code}\n'


def test_a_package_is_the_place_and_not_at_fault(real: Assistant) -> None:
    inner = inside("transformers/trainer.py", "self.model(x)")
    answer = real.ask("transformers 4.28.1\n" + FRAME + inner + SHAPES, lang="en")
    shown = lines(answer)
    text = " ".join(" ".join(shown).split())
    assert text.startswith("in the package transformers 4.28.1, called from your ")
    assert answer.match is not None and "pip show" not in text
    data = answer.to_dict()
    assert data["package"] == {"name": "transformers", "release": "4.28.1"} and not data["screen"]["package"]


@pytest.mark.parametrize(
    ("frames", "error", "package"),
    [
        # the user's own value, refused by the package
        (inside("xgboost/core.py", "raise ValueError(name)"), "ValueError: unknown objective 'sqaure'", "xgboost"),
        # what the bar goes through is torch's, and the data are the user's
        (
            inside("tqdm/std.py", "for obj in iterable:", "__iter__")
            + inside("torch/utils/data/dataloader.py", "data = self._next_data()", "__next__"),
            "ValueError: row 3 of the table has no label",
            None,
        ),
        # a function of the user's, which the package only calls
        (
            inside("joblib/parallel.py", "return func(*args)") + '  File "/me/rows.py", line 4, in row\n    pick(x)\n',
            "LookupError: no such row",
            None,
        ),
    ],
)  # fmt: skip
def test_a_package_is_not_blamed_for_what_it_was_given(
    real: Assistant, frames: str, error: str, package: str | None
) -> None:
    answer = real.ask(FRAME + frames + error, lang="en")
    shown = " ".join(lines(answer))
    data = answer.to_dict()
    assert answer.match is None and (data["package"] or {}).get("name") == package
    assert not data["screen"]["package"] and "pip show" not in shown and "upgrade" not in shown
    assert "pip show" not in answer.to_dict()["screen"]["where"] + str(answer)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("from torch.sparse_kit import roll", "ImportError: cannot import name 'roll' from 'torch.sparse_kit' (/t.py)"),
        ("torch.roll_rows(x)", "AttributeError: module 'torch' has no attribute 'roll_rows'"),
        ("torch.roll(x, wrap=True)", "TypeError: roll() got an unexpected keyword argument 'wrap'"),
    ],
)  # fmt: skip
def test_a_package_that_asks_of_torch_what_it_has_not_does_not_fit(code: str, error: str) -> None:
    said = out_of_step_words(parse(FRAME + inside("rollkit/core.py", code) + error), "en")
    assert said.startswith("rollkit asks torch for something") and "`pip show rollkit torch`" in said
    none = "AttributeError: 'NoneType' object has no attribute 'wrap'"
    assert not out_of_step_words(parse(FRAME + inside("rollkit/core.py", "x.wrap") + none), "en")


def test_which_rank_failed_first(real: Assistant) -> None:
    log = "".join(
        f"[rank1]: {line}\n" for line in (FRAME + "IndexError: Target 5 is out of bounds.").splitlines()
    )
    log += "".join(
        f"[rank0]: {line}\n"
        for line in (FRAME + "RuntimeError: [gloo] Connection closed by peer").splitlines()
    )
    assert any(
        "rank 1 failed first; the errors of rank 0" in line for line in lines(real.ask(log, lang="en"))
    )


def test_a_process_id_is_no_rank(real: Assistant) -> None:
    its = "(APIServer pid=11235) RuntimeError: Engine core initialization failed. See root cause above.\n"
    alone = real.ask(its, lang="en")
    assert not any("11235" in line for line in lines(alone))
    assert alone.to_dict()["error"]["rank"] is None
    cause = (
        "(EngineCore_0 pid=54) ValueError: No available memory for the cache blocks. Try increasing `x`.\n"
    )
    shown = lines(real.ask(cause + its, lang="en"))
    assert "process 54 failed first; the errors of process 11235 only followed from it" in shown
    mixed = lines(real.ask("[rank0]: RuntimeError: out of luck\n" + its, lang="en"))
    assert not any("11235 printed" in line for line in mixed)


def test_a_traceback_without_its_last_line_is_asked_for_it(real: Assistant) -> None:
    inner = '  File "/opt/lib/python3.10/site-packages/torch/utils/checkpoint.py", line 251, in checkpoint\n'
    cut = FRAME + inner + "    return _checkpoint_without_reentrant(\n           ^^^^^^^^^^^^^^\n"
    answer = real.ask(cut, lang="en")
    assert answer.match is None and screen_of(answer).degree == "unknown"
    assert lines(answer)[0].startswith("This traceback stops before its last line")
    whole = real.ask(cut + "IndexError: Target 5 is out of bounds.", lang="en")
    assert whole.match is not None
    run = (
        "    Variable._execution_engine.run_backward(  # Calls into the C++ engine to run the backward pass\n"
    )
    for frames in ("    main()\n", inner + run):
        short = 'Traceback (most recent call last):\n  File "train.py", line 30, in <module>\n' + frames
        assert lines(real.ask(short, lang="en"))[0].startswith("This traceback stops")
    stack = '~~~ Stack of MainThread (140) ~~~\n  File "/a/b/test.py", line 3, in f\n    time.sleep(5)\n'
    assert not lines(real.ask(stack, lang="en"))[0].startswith("This traceback stops")
    asked = real.ask("Why does the gradient of my model stay None after backward?\n" + cut, lang="en")
    assert not lines(asked)[0].startswith("This traceback stops")


def test_degrees(real: Assistant) -> None:
    sure = real.ask(SHAPES, lang="en")
    assert screen_of(sure).degree == "sure"
    log = real.ask("epoch 1 loss 2.1\nepoch 2 loss 1.9\ndone\n", lang="en")
    assert lines(log)[0].startswith("No error that I know in these 3 lines.") and len(lines(log)) <= 2
    parser = "[TensorRT] VERBOSE: ModelImporter.cpp:90: Importing initializer: 305\nIn node -1: UNSUPPORTED_NODE: Assertion failed"
    assert screen_of(real.ask(parser, lang="en")).degree == "unknown"
    foreign = real.ask("npm ERR! missing script: build", lang="en")
    assert "not something I know" in " ".join(lines(foreign))
    own = real.ask(FRAME.replace("return self.head(x)", 'cfg["lr"]') + "KeyError: 'lr'", lang="en")
    assert screen_of(own).degree == "python" and "A Python error" in "\n".join(lines(own))


def test_the_line_that_was_matched_is_shown_where_only_a_warning_was_read(real: Assistant) -> None:
    failed = "error: command '/usr/local/cuda-10.1/bin/nvcc' failed with exit status 1"
    text = f"{failed}\n/env/torch/utils/cpp_extension.py:339: UserWarning: we could not find ninja.\n"
    assert screen_of(real.ask(text, lang="en")).message == failed


def doubted(real: Assistant, text: str) -> Screen:
    """The screen of an answer that is no more than likely."""
    answer = real.ask(text, lang="en")
    assert answer.match is not None
    answer = answer._replace(match=answer.match._replace(probability=0.5))
    assert not any(line.endswith(":") and "example" not in line for line in lines(answer))
    return screen_of(answer)


def test_doubt_is_said_with_what_would_settle_it(real: Assistant) -> None:
    screen = doubted(real, "Segmentation fault (core dumped)")
    assert screen.certainty == "cause: most likely, not sure (50%)"
    assert screen.tell and screen.says.startswith("Could be: The process dies in native code")


def test_what_an_entry_says_of_all_its_wordings_is_not_said_beside_a_sentence_of_this_one(
    real: Assistant,
) -> None:
    screen = doubted(real, SHAPES)
    assert screen.certainty == "cause: most likely, not sure (50%)"
    assert not screen.tell and screen.says.startswith("If a layer does this product")


def test_the_same_parts_as_data(real: Assistant) -> None:
    for text in (FRAME + SHAPES, "KeyError: 'x'", "epoch 1\nepoch 2\n", "npm ERR! x", "显存一直涨怎么办"):
        answer = real.ask(text)
        follows_schema(answer.to_dict(), "answers/answer.schema.json")
        assert answer.to_dict()["screen"] == screen_json(screen_of(answer))


def test_an_answer_in_python(real: Assistant) -> None:
    answer = real.ask(FRAME + SHAPES + "<script>", lang="zh")
    assert len(repr(answer)) < 120 and "matmul-shape-mismatch" in repr(answer)
    assert answer.title == answer.match.pitfall.title.zh and answer.fix and answer.change  # type: ignore[union-attr]
    assert str(answer) == "\n".join(lines(answer))
    assert "```" in answer._repr_markdown_() and answer._repr_html_().startswith("<pre ")
    assert "<script>" not in answer._repr_html_()
    assert str(answer.__rich__()) == str(answer)
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer and again.title == answer.title and str(again) == str(answer)
    refused = real.ask("npm ERR! missing script")
    assert (refused.title, refused.fix, refused.change, refused.here) == ("", "", None, None)
    assert pickle.loads(pickle.dumps(refused)) == refused


def test_a_probability_that_was_not_measured_is_said_to_be_none(real: Assistant) -> None:
    for lang, said in (("en", "%, uncalibrated)"), ("zh", "%，未校准）")):
        answer = real.ask(SHAPES, lang=lang)._replace(calibrated=False)
        assert said in str(answer)


def test_an_exception_is_shown_with_its_own_line(real: Assistant) -> None:
    try:
        {"lr": 1}["learning_rate"]
    except KeyError as error:
        answer = real.ask(error, lang="en")
    assert answer.here is not None and answer.here.file == __file__
    assert answer.python_error is not None and answer.python_error.exception == "KeyError"


def test_the_page_of_first_screens_is_of_these_programs_and_fits() -> None:
    parts = first_screens.PAGE.read_text("utf-8").split("\n## ")
    assert [part.partition("\n")[0] for part in parts[1:]] == sorted(
        program.stem for program in first_screens.PROGRAMS.glob("*.py")
    )
    for part in parts[1:]:
        screens = part.split("```\n")[1::2]
        for screen, (columns, _) in zip(screens, first_screens.TERMINALS, strict=True):
            lines = screen.splitlines()
            operands = [line for line in lines if line.startswith("    ")]
            assert len(lines) - len(operands) <= MAX_LINES and max(map(width_of, lines)) <= columns


def test_what_is_too_long_to_say_is_begun(real: Assistant) -> None:
    """A statement that the screen has no room for: its first whole sentences, and a mark that it goes on."""
    message = "RuntimeError: expected scalar type Double but found Float"
    answer = real.ask(message, lang="en")
    assert answer.match is not None
    whole = answer.match.says["en"][0]
    assert len(whole) > MAX_SAYS_CHARS
    begun = screen_of(answer).says.removesuffix(" ...")
    assert begun != screen_of(answer).says and begun.endswith(".") and whole.startswith(begun)


def test_the_wording_that_the_entry_explains_is_told(real: Assistant) -> None:
    """A longer wording of the same entry claims the same line, and says nothing of it."""
    answer = real.ask("torch._dynamo.exc.Unsupported: Data-dependent branching")
    assert answer.match is not None and answer.match.id == "dynamo-graph-break"
    assert answer.change is not None and "torch.where" in answer.change.text


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "(fixed 9 of 9 programs like this)"), ("zh", "9 个都修好了")]
)
def test_an_edit_says_how_many_programs_it_fixed(
    real: Assistant, tmp_path: Path, lang: str, words: str
) -> None:
    path = tmp_path / "train.py"
    path.write_text("import torch\nloss = criterion(output, target)\n")
    frame = FRAME.replace("/home/me/project/models/train.py", str(path)).replace(
        "line 18, in forward", "line 2, in <module>"
    )
    frame = frame.replace("return self.head(x)", "loss = criterion(output, target)")
    answer = real.ask(
        frame + "RuntimeError: expected scalar type Long but found Float", lang=lang, source=True
    )
    assert answer.match is not None and answer.change is not None and answer.change.after
    for proved in (9, 0):
        shown = answer._replace(change=answer.change._replace(proved=proved))
        assert any(words in line for line in lines(shown)) is bool(proved)
        assert shown.to_dict()["screen"]["change"]["proved"] == proved  # type: ignore[index, call-overload]


def test_an_edit_of_several_lines_is_shown_whole_each_below_its_place(real: Assistant) -> None:
    answer = real.ask(FRAME + SHAPES, lang="en")
    edits = (
        EditedLine("/me/net.py", 9, "x = f(x)", "with m:\n        x = f(x)", "    "),
        EditedLine("/me/net.py", 10, "y = 1", ""),
        EditedLine("/me/train.py", 3, "net()", "net(1)\nlog()"),
        EditedLine("/me/train.py", 7, "run()", "import net\nrun()"),
    )
    shown = lines(answer._replace(change=Change("", lines=edits, proved=5)))
    at = next(at for at, line in enumerate(shown) if line.startswith("Change"))
    assert shown[at : at + 12] == [
        "Change  net.py:9  (fixed 5 of 5 programs like this)",
        "  - x = f(x)",
        "  + with m:",
        "  +     x = f(x)",
        "  - y = 1",
        "        train.py:3",
        "  - net()",
        "  + net(1)",
        "  + log()",
        "        train.py:7",
        "  + import net",
        "    run()",
    ]


def test_what_no_run_has_shown_to_fix_anything_is_not_called_the_change(real: Assistant) -> None:
    bare = real.ask("IndexError: index out of range in self", lang="en")
    assert any(line.startswith("Usual fix  ") for line in lines(bare))
    assert screen_json(screen_of(bare))["change"]["usual"] is True  # type: ignore[index, call-overload]
    told = real.ask(FRAME + SHAPES, lang="en")
    assert any(line.startswith("Usual fix  ") for line in lines(told)), "the file is not here"
    assert screen_json(screen_of(told))["change"]["usual"] is True  # type: ignore[index, call-overload]
