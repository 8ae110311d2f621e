"""The laws of `torchwhy kb check`: each is shown by an entry that breaks it, and by one that keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import KB, write_entry
from torchwhy.authoring import check
from torchwhy.authoring.asked_names import VARIABLE_WORDS

TEMPLATE = (KB / "_template" / "pitfall.yaml").read_text("utf-8")
SAYS_EN = "en: 'Tensor {number} has size {other} where the first tensor has {first}; only dimension {dim} may differ.'"
SAYS_ZH = "zh: '第 {number} 个张量在某一维上是 {other}，而第一个张量是 {first}；只有第 {dim} 维允许不同。'"
CHECK_EN = "  en: Print `[t.shape for t in tensors]` just before"
NEIGHBOUR = TEMPLATE[TEMPLATE.index("neighbours:") : TEMPLATE.index("\n# What the repro needs")]


def changed(*pairs: tuple[str, str]) -> str:
    """The template with these replacements, each of which must find its place."""
    text = TEMPLATE
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def problems(tmp_path: Path, text: str) -> str:
    """What the check says of an entry of this text."""
    write_entry(tmp_path, yaml=text)
    return "\n".join(map(str, check.check([tmp_path], {}).problems))


def test_the_template_keeps_every_law(tmp_path: Path) -> None:
    assert problems(tmp_path, TEMPLATE) == ""


@pytest.mark.parametrize(
    "when", ["first == other", "first < other", "other == 512", "first > 4 and other == 3"]
)
def test_a_coincidence_of_sizes_is_no_fact(tmp_path: Path, when: str) -> None:
    fact = [
        ("when: first != other", f"when: {when}"),
        (SAYS_EN, "en: 'It is BERT.'"),
        (SAYS_ZH, "zh: '这是 BERT。'"),
    ]
    assert "found a fact, said where" in problems(tmp_path / "fact", changed(*fact))
    possible = [*fact[:1], (SAYS_EN, "en: 'If it is text, cut it.'"), (SAYS_ZH, "zh: '如果是文本，就截断。'")]
    assert problems(tmp_path / "possible", changed(*possible)) == ""
    supported = changed(
        *fact, ("    releases: '>=1.11'", "    releases: '>=1.11'\n    context: 'in the list'")
    )
    assert problems(tmp_path / "supported", supported) == ""


@pytest.mark.parametrize("when", ["other == 0", "first != other"])
def test_emptiness_and_inequality_are_read_off(tmp_path: Path, when: str) -> None:
    fact = [
        ("when: first != other", f"when: {when}"),
        (SAYS_EN, "en: 'It is so.'"),
        (SAYS_ZH, "zh: '就是这样。'"),
    ]
    assert problems(tmp_path, changed(*fact)) == ""


def test_an_entry_without_a_neighbour_is_told(tmp_path: Path) -> None:
    assert "neighbours: found none" in problems(tmp_path, changed((NEIGHBOUR, "")))


def test_a_neighbour_that_its_own_pattern_takes(tmp_path: Path) -> None:
    greedy = TEMPLATE.replace(
        "  - pattern: 'invalid argument 0: Sizes",
        "  - pattern: 'Dimensions of inputs should match'\n    example: 'Dimensions of inputs should match'\n"
        "  - pattern: 'invalid argument 0: Sizes",
    )
    assert "of made-up matches" in problems(tmp_path, greedy)


def test_a_neighbour_of_another_entry_is_that_entrys_line(tmp_path: Path) -> None:
    write_entry(tmp_path, "owner", yaml=TEMPLATE.replace("Sizes of tensors", "Lengths of tensors"))
    line = "Lengths of tensors must match except in dimension 1. Expected size 3 but got size 4 for tensor number 1 in the list"
    good = changed((NEIGHBOUR, f"neighbours:\n  - {{of: owner, line: '{line}'}}\n"))
    assert "neighbours" not in problems(tmp_path, good)
    wrong = changed((NEIGHBOUR, "neighbours:\n  - {of: owner, line: 'Widths of tensors'}\n"))
    write_entry(tmp_path / "second", "owner", yaml=TEMPLATE.replace("Sizes of tensors", "Lengths of tensors"))
    assert "that no signature of owner matches" in problems(tmp_path / "second", wrong)


def test_another_entrys_neighbour_is_not_taken(tmp_path: Path) -> None:
    """The same law the other way round, where the greedy entry alone is checked."""
    write_entry(tmp_path, "quiet")
    greedy = TEMPLATE.replace(
        "  - pattern: 'invalid argument 0: Sizes",
        "  - pattern: 'Dimensions of inputs should match'\n    example: 'Dimensions of inputs should match'\n"
        "  - pattern: 'invalid argument 0: Sizes",
    ).replace(NEIGHBOUR, "")
    write_entry(tmp_path, "greedy", yaml=greedy)
    found = "\n".join(map(str, check.check([tmp_path], {}, {"greedy"}).problems))
    assert "a neighbour of quiet" in found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "joined = torch.cat([skip, up], dim=1)",
            "joined = torch.cat([skip, up], dim=1",
            "wanted Python that parses",
        ),
        ("torch.cat([skip, up]", "torch.cat([skip, upsampled_map]", "upsampled_map, which nothing defines"),
        ("torch.nn.functional.interpolate(up", "interpolate(up", ""),
        ("torch.nn.functional.interpolate(up", "tomograph(up", "tomograph, which nothing defines"),
    ],
)
def test_python_that_is_none_or_lacks_a_name(tmp_path: Path, old: str, new: str, said: str) -> None:
    found = problems(tmp_path, changed((old, new)))
    assert said in found if said else "which nothing defines" in found


def test_a_fence_that_is_run_is_shown_without_the_mark(tmp_path: Path) -> None:
    from torchwhy.knowledge.load import load_knowledge

    write_entry(tmp_path, yaml=TEMPLATE.replace("```python", "```python run"))
    entry = load_knowledge([tmp_path], {}).pitfalls["made-up"]
    assert "```python\n" in entry.fix.en
    assert "python run" not in entry.fix.en + entry.fix.zh


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (
            "  en: With `torch.vstack` print `[t.shape for t in tensors]` just before",
            "check.zh: found no torch",
        ),
        ("  en: With 4096 rows print `[t.shape for t in tensors]` just before", "check.zh: found no 4096"),
        ("  en: Under 2.13 print `[t.shape for t in tensors]` just before", "check.zh: found no 2.13"),
        ("  en: Under 2 releases print `[t.shape for t in tensors]` just before", ""),
    ],
)
def test_what_one_language_names_and_the_other_does_not(tmp_path: Path, new: str, said: str) -> None:
    found = problems(tmp_path, changed((CHECK_EN, new)))
    assert said in found if said else found == ""


def test_code_that_differs_between_the_languages(tmp_path: Path) -> None:
    zh = TEMPLATE.index("拼接之前")
    text = TEMPLATE[:zh] + TEMPLATE[zh:].replace("dim=1)", "dim=0)", 1)
    assert "fenced code unlike the English one" in problems(tmp_path, text)


def test_a_question_that_names_what_the_entry_does_not(tmp_path: Path) -> None:
    def said(question: str) -> str:
        root = tmp_path / question
        write_entry(root, asks=lambda line: question if line.startswith("unet") else line)
        return "\n".join(map(str, check.check([root], {}).problems))

    found = said("does ignore_mismatched_sizes help my unet when the height is odd")
    assert found.startswith("shapes/made-up/asks.en.txt: ")
    assert "ignore_mismatched_sizes, of which nothing is said" in found
    assert {"skip", "up"} - VARIABLE_WORDS == {"skip", "up"}
    assert "of which nothing is said" in said(
        "my skip_features and up_features differ when the height is odd"
    )
    assert said("train_loader gives odd heights and my unet fails in a merging branch") == ""


@pytest.mark.parametrize("claim", ["Since 2.9 it is so. ", "From torch 2.9 on it is so. "])
def test_since_a_release_wants_a_record(tmp_path: Path, claim: str) -> None:
    pairs = [
        ("  en: |\n    `torch.cat` lays", f"  en: |\n    {claim}`torch.cat` lays"),
        ("    `torch.cat` 沿", "    2.9 起如此。`torch.cat` 沿"),
    ]
    found = problems(tmp_path / "none", changed(*pairs))
    assert "cause.en: found" in found
    assert "cause.zh: found" in found
    source = "    title: torch.cat\n  - url: https://docs.pytorch.org/docs/2.9/generated/torch.cat.html\n    title: torch.cat, PyTorch 2.9"
    assert problems(tmp_path / "source", changed(*pairs, ("    title: torch.cat", source))) == ""
    assert "with nothing to support" not in problems(
        tmp_path / "range", changed(*pairs, ("'>=1.11'", "'>=2.9'"))
    )


GUESSES = {
    "The list is empty: a filter took all, or nothing was read.": True,
    "The list is empty: mostly a filter took all, or nothing was read.": False,
    "The list is empty: either a filter took all, or nothing was read.": False,
    "The list is empty: is the filter too strict, or was nothing read?": False,
    "The file is too large: take the one that is smaller, or cut it.": False,
    "The list (`a: int, or b`) was read.": False,
}


@pytest.mark.parametrize("sentence", GUESSES)
def test_a_guess_is_said_as_one(tmp_path: Path, sentence: str) -> None:
    text = changed((SAYS_EN, f"en: '{sentence}'"), (SAYS_ZH, "zh: '列表是空的。'"))
    assert ("as if there were no other" in problems(tmp_path, text)) == GUESSES[sentence]
