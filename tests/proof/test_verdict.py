"""What a verdict shows: both messages aligned, the numbers before and after, the two machines."""

from __future__ import annotations

from torchwhy import Assistant
from torchwhy.proof.confirmation import Confirmation, Leg
from torchwhy.proof.verdict import confirmation_markdown, numbers

SHAPES = "RuntimeError: mat1 and mat2 shapes cannot be multiplied ({})"


def result(
    message: str,
    *,
    id: str = "matmul-shape-mismatch",
    signature: int | None = 0,
    before: dict | None = None,
    after: dict | None = None,
) -> Confirmation:  # type: ignore[type-arg]
    legs = (
        Leg("broken", "shown", 1, 1.0, message, message, signature, before),
        Leg("fixed", "clean", 0, 1.0, "", numbers=after),
    )
    return Confirmation(id, "confirmed", "", legs, "/usr/bin/python", "2.13.0+cpu")


def test_the_verdict_shows_both(quick: Assistant) -> None:
    from torchwhy.proof.judge import signature_of

    entry = quick.pitfalls["matmul-shape-mismatch"]
    here = SHAPES.format("8x1024 and 784x10")
    shown = signature_of(entry, here)
    assert shown
    confirmed = result(here, signature=shown[0])
    text = confirmation_markdown(
        confirmed, entry, "en", "noise\n" + SHAPES.format("32x512 and 1024x10") + "\nmore noise"
    )
    assert text.index("32x512") < text.index("8x1024") and "the same message, other numbers aside" in text
    assert "noise" not in text
    assert "word for word" in confirmation_markdown(confirmed, entry, "en", here)
    assert "does not show this entry's message" in confirmation_markdown(
        confirmed, entry, "en", "KeyError: 'x'"
    )
    alone = confirmation_markdown(confirmed, entry, "zh")
    assert alone.count("```diff") == 1 and here in alone and "本机输出：" in alone
    assert alone.index("```diff") < alone.index("本机输出"), "what the fix changes leads"


def test_another_wording_is_said_to_be_one(quick: Assistant) -> None:
    from torchwhy.proof.judge import signature_of

    entry = quick.pitfalls["cuda-out-of-memory"]
    owned = [
        at
        for at, item in enumerate(entry.signatures)
        if (found := signature_of(entry, item.example)) and found[0] == at
    ]
    old = next(at for at in owned if entry.signatures[at].releases)
    new = next(at for at in owned if at != old)
    shown = result(entry.signatures[new].example.strip().splitlines()[-1], id=entry.id, signature=new)
    text = confirmation_markdown(shown, entry, "en", entry.signatures[old].example)
    assert "the same pitfall in another wording" in text


def test_a_silent_entry_shows_its_numbers_before_and_after(quick: Assistant) -> None:
    silent = next(
        entry for entry in quick.pitfalls.values() if entry.kind == "silent" and not entry.signatures
    )
    shown = result(
        "symptom: it grew",
        id=silent.id,
        signature=None,
        before={"moved": 0.123456789, "steps": 5, "gone": None},
        after={"moved": 0.0, "steps": 5, "gone": float("nan")},
    )
    rows = numbers(shown, "en").splitlines()
    assert [
        [cell.strip() for cell in row.strip("|").split("|")] for row in rows if not row.startswith("|-")
    ] == [
        ["", "without the fix", "with the fix"],
        ["moved", "0.1235", "0"],
        ["steps", "5", "5"],
        ["gone", "none", "nan"],
    ]
    assert len({len(row) for row in rows}) == 1, "aligned without being drawn"
    text = confirmation_markdown(shown, silent, "en", "my words")
    assert "What the script measured" in text and "this entry's message" not in text, (
        "a silent entry has no message to compare"
    )
    assert "moved = 0.1235" in confirmation_markdown(
        result("symptom: it grew", id=silent.id, before={"moved": 0.123456789}), silent, "en"
    )
