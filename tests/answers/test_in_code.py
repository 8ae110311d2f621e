"""A question in words with the user's program: what the check finds there is evidence, and no more than that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT, Run, follows_schema
from tests.support.legs import legs, line_to_name
from torchwhy.answers.as_json import as_json
from torchwhy.answers.markdown import answer_markdown
from torchwhy.answers.screen_lines import screen_lines
from torchwhy.errors import UsageError

if TYPE_CHECKING:
    from torchwhy import Assistant

# (question, the entry whose broken program is given): that entry is the answer, whatever the words alone say.
ANSWERED = [
    ("loss does not fall", "nll-vs-cross-entropy"),
    ("my loss does not go down at all", "zero-grad-forgotten"),
    ("accuracy is stuck at 10 percent", "nll-vs-cross-entropy"),
    ("the model does not learn anything", "submodule-in-python-list"),
    ("the model is not training, its loss stays constant", "optimizer-of-another-model"),
    ("the network is not learning, loss stays the same", "target-size-broadcast"),
    ("loss gets stuck after a few steps", "squeeze-drops-batch"),
    ("the loss is not decreasing for my LSTM", "rnn-batch-first-forgotten"),
    ("why is my training loss not improving?", "reshape-instead-of-permute"),
    ("loss becomes nan after a while", "log-of-zero"),
    ("validation runs out of memory but training fits", "validation-without-no-grad"),
    ("memory grows every epoch until it is full", "loss-tensor-accumulated"),
    ("two runs give different numbers", "random-seeds"),
    ("evaluation gives different results each time I run it", "train-eval-mode"),
    (
        "the checkpoint I load is not the best one, it scores like the last epoch",
        "best-state-dict-not-copied",
    ),
    ("training is very slow", "python-sum-on-tensor"),
    ("损失一直不下降", "nll-vs-cross-entropy"),
    ("模型完全学不到东西，准确率一直很低", "submodule-in-python-list"),
    ("显存一直增长，几个 epoch 之后就满了", "loss-tensor-accumulated"),
]
# (text, the entry whose broken program is given): the program must not change what the text alone is answered.
UNMOVED = [
    ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)", "nll-vs-cross-entropy"),
    ("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", "zero-grad-forgotten"),
    ("KeyError: 'label'", "nll-vs-cross-entropy"),
    ("what is the best pizza in Rome", "best-state-dict-not-copied"),
    ("how do I save a model?", "best-state-dict-not-copied"),
    ("how do I freeze the first layers?", "zero-grad-forgotten"),
    ("my nan check never triggers", "zero-grad-forgotten"),
    ("every epoch sees the same augmentation", "nll-vs-cross-entropy"),
    ("results differ between runs although I set a seed", "zero-grad-forgotten"),
    ("my Postgres query is slow and the index is not used", "python-sum-on-tensor"),
]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ID/broken.py and ID/fixed.py: the first program of each rule."""
    folder = tmp_path_factory.mktemp("programs")
    for path in (ROOT / "tests" / "lint" / "programs").glob("*/first.py"):
        (folder / path.parent.name).mkdir()
        for name, text in zip(("broken", "fixed"), legs(path.read_text("utf-8")), strict=True):
            (folder / path.parent.name / f"{name}.py").write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(("question", "id"), ANSWERED)
def test_what_was_found_is_the_answer(assistant: Assistant, question: str, id: str, programs: Path) -> None:
    program = programs / id / "broken.py"
    line = line_to_name(program.read_text("utf-8"))
    answer = assistant.ask(question, code=program)
    assert answer.match is not None and answer.match.id == id
    (reason,) = (each for each in answer.match.why if each.kind == "code")
    assert f"broken.py:{line}: " in reason.text_in("en") and reason.speaks == "for"
    assert f"broken.py:{line}" in "".join(each.text for each in screen_lines(answer))  # a long path wraps
    assert f"broken.py:{line}" in answer_markdown(answer, brief=True)
    assert 0.9 < answer.none + sum(each.probability for each in answer.candidates) < 1.01


@pytest.mark.parametrize(("text", "id"), UNMOVED)
def test_what_was_found_elsewhere_changes_no_answer(
    assistant: Assistant, text: str, id: str, programs: Path
) -> None:
    before = assistant.ask(text)
    after = assistant.ask(text, code=programs / id / "broken.py")
    assert id in {each.id for each in after.code or ()}
    assert (before.match and before.match.id) == (after.match and after.match.id)
    assert (before.family and before.family.id) == (after.family and after.family.id)
    assert (before.python_error is None) == (after.python_error is None)


@pytest.mark.parametrize(("question", "id"), ANSWERED)
def test_a_right_program_changes_no_answer(
    assistant: Assistant, question: str, id: str, programs: Path
) -> None:
    before = assistant.ask(question)
    after = assistant.ask(question, code=programs / id / "fixed.py")
    wrong = [each for each in after.code or () if each.sure == "wrong"]
    assert wrong == []
    assert before.match is None or (after.match is not None and before.match.id == after.match.id)


def test_two_findings_leave_the_family(
    assistant: Assistant, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(programs)  # a long path would be cut on the screen
    both = [Path(id, "broken.py") for id in ("nll-vs-cross-entropy", "zero-grad-forgotten")]
    answer = assistant.ask("the model does not learn", code=both)
    assert answer.match is None and answer.family is not None
    assert {each.id for each in answer.family.members[:2]} == {"nll-vs-cross-entropy", "zero-grad-forgotten"}
    assert sum("Found in" in each.text for each in screen_lines(answer)) == 2


def test_what_else_is_wrong_is_one_line(assistant: Assistant, programs: Path) -> None:
    answer = assistant.ask("KeyError: 'label'", code=programs / "nll-vs-cross-entropy" / "broken.py")
    assert answer.python_error is not None
    unknown = assistant.ask(
        "my nan check never triggers", code=programs / "zero-grad-forgotten" / "broken.py"
    )
    (line,) = (each.text for each in screen_lines(unknown) if "torchwhy check" in each.text)
    assert line.startswith("also found in your code (1): torchwhy check ")


def test_a_message_shows_where_its_own_mistake_stands(
    assistant: Assistant, tmp_path: Path, programs: Path
) -> None:
    program = programs / "module-init-not-called" / "broken.py"
    text = "AttributeError: cannot assign module before Module.__init__() call"
    before, after = assistant.ask(text), assistant.ask(text, code=program)
    assert before.match is not None and after.match is not None
    assert (before.match.id, before.match.probability) == (after.match.id, after.match.probability)
    assert [each.kind for each in after.match.why if each.kind == "code"] == ["code"]


def test_as_json(assistant: Assistant, programs: Path) -> None:
    data = as_json(assistant.ask("loss does not fall", code=programs / "nll-vs-cross-entropy" / "broken.py"))
    follows_schema(data, "answers/answer.schema.json")
    assert data["code"]["findings"][0]["id"] == data["match"]["id"] == "nll-vs-cross-entropy"
    assert data["screen"]["found"].startswith("Found in ")
    assert as_json(assistant.ask("loss does not fall"))["code"] is None


def test_both_languages_say_the_same_place(assistant: Assistant, programs: Path) -> None:
    program = programs / "nll-vs-cross-entropy" / "broken.py"
    texts = [as_json(assistant.ask("loss does not fall", code=program, lang=lang)) for lang in ("en", "zh")]
    en, zh = (each["screen"]["found"] for each in texts)
    assert "broken.py:16" in en and "broken.py:16" in zh and en != zh


def test_code_that_cannot_be_read(assistant: Assistant, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        assistant.ask("loss does not fall", code=tmp_path / "none.py")
    (tmp_path / "bad.py").write_text("import torch\ndef f(:\n")
    answer = assistant.ask("loss does not fall", code=tmp_path / "bad.py")
    assert answer.code == () and any("bad.py:2: read around" in note for note in answer.notes)


def test_on_the_command_line(torchwhy: Run, tmp_path: Path, programs: Path) -> None:
    text = (programs / "nll-vs-cross-entropy" / "broken.py").read_text("utf-8")
    (tmp_path / "train.py").write_text(text)
    done = torchwhy("loss does not fall", "--code", "train.py", "--lang", "en")
    assert done.returncode == 0 and "Found in train.py:16: " in done.stdout
    assert "Usual fix  " in done.stdout and "Change" not in done.stdout
    missing = torchwhy("loss does not fall", "--code", "none.py")
    assert (missing.returncode, missing.stderr) == (2, "torchwhy: none.py: no such file or folder\n")
    stdin = torchwhy("loss does not fall", "--code", "-")
    assert stdin.returncode == 2 and stdin.stderr.count("\n") == 1


HIDDEN = """import torch
from torch import nn

rnn, head = nn.GRU(4, 8, batch_first=True), nn.Linear(8, 2)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
hidden = torch.zeros(1, 3, 8)
for step in range(3):
    out, hidden = rnn(torch.randn(3, 5, 4), hidden)
    loss = head(out[:, -1]).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."


def test_a_piped_traceback_is_answered_with_the_line_of_its_file(torchwhy: Run, tmp_path: Path) -> None:
    program = tmp_path / "carry.py"
    program.write_text(HIDDEN)
    log = f'Traceback (most recent call last):\n  File "{program}", line 11, in <module>\n    loss.backward()\n{TWICE}\n'
    told = torchwhy("--lang", "en", stdin=log).stdout
    assert "Change  carry.py:11" in told and "+ hidden = hidden.detach()" in told
    assert "+ hidden" not in torchwhy("--lang", "en", "--no-source", stdin=log).stdout
    other = log.replace("loss.backward()", "total.backward()")  # the file is another one by now
    assert "+ hidden" not in torchwhy("--lang", "en", stdin=other).stdout
    program.write_text(HIDDEN.replace("(8, 2)", "(8, 2"))
    assert TWICE[:40] in torchwhy("--lang", "en", stdin=log).stdout, (
        "a file that does not parse stops nothing"
    )
