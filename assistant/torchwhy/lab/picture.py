"""Risk against coverage as a small SVG: how wrong a method is on the texts that it is surest of, as more are
answered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from torchwhy.errors import UsageError

from .evaluate import LabelledText, Outcome, auroc

WIDTH, HEIGHT, LEFT, TOP = 640, 400, 56, 36
INNER_WIDTH, INNER_HEIGHT = 400, 310
COLOURS = ("#888888", "#c08a2e", "#4f8f4f", "#7a5fb0", "#1f5fbf", "#b03030")


def curve(rows: Sequence[LabelledText], outcomes: Sequence[Outcome]) -> list[tuple[float, float]]:
    """(coverage, risk) after each text, the surest first. Coverage: share of all texts answered; risk: share
    of those answered that are wrong (a foreign text that is answered is wrong). Texts of equal probability
    come in together.
    """
    order = sorted(
        (out.probability, bool(out.ids) and out.ids[0] in row.right)
        for row, out in zip(rows, outcomes, strict=True)
        if out.ids
    )[::-1]
    points = []
    wrong = 0
    for number, (probability, right) in enumerate(order, 1):
        wrong += not right
        if number == len(order) or order[number][0] != probability:
            points.append((number / len(rows), wrong / number))
    return points


def write(path: str, rows: Sequence[LabelledText], by_method: Mapping[str, Sequence[Outcome]]) -> None:
    """Write the picture. Raises UsageError."""
    try:
        Path(path).write_text(svg(rows, by_method), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error


def svg(rows: Sequence[LabelledText], by_method: Mapping[str, Sequence[Outcome]]) -> str:
    """One line a method, its AUROC (covered against foreign texts) below its name; a dot where torchwhy stops
    answering.
    """
    curves = {name: curve(rows, outcomes) for name, outcomes in by_method.items()}
    top = max([0.1, *(risk for points in curves.values() for _, risk in points)])
    return "\n".join(_lines(rows, by_method, curves, min(1.0, math.ceil(top * 10) / 10))) + "\n"


def _lines(
    rows: Sequence[LabelledText],
    by_method: Mapping[str, Sequence[Outcome]],
    curves: Mapping[str, Sequence[tuple[float, float]]],
    top: float,
) -> Iterator[str]:
    def x(coverage: float) -> float:
        return round(LEFT + coverage * INNER_WIDTH, 1)

    def y(risk: float) -> float:
        return round(TOP + (1 - risk / top) * INNER_HEIGHT, 1)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    yield f'<text x="{LEFT}" y="20" font-size="14">Risk against coverage</text>'
    for step in range(6):
        share, risk = step / 5, top * step / 5
        yield f'<line x1="{LEFT}" x2="{LEFT + INNER_WIDTH}" y1="{y(risk)}" y2="{y(risk)}" stroke="#dddddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y(risk) + 4}" text-anchor="end">{100 * risk:.0f} %</text>'
        yield f'<text x="{x(share)}" y="{TOP + INNER_HEIGHT + 18}" text-anchor="middle">{100 * share:.0f} %</text>'
    yield f'<text x="{LEFT + INNER_WIDTH / 2}" y="{TOP + INNER_HEIGHT + 38}" text-anchor="middle">coverage: share of {len(rows)} texts answered</text>'
    middle = TOP + INNER_HEIGHT / 2
    yield f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">risk: wrong among the answered</text>'
    for at, (name, points) in enumerate(curves.items()):
        colour = COLOURS[at % len(COLOURS)]
        path = " ".join(f"{x(coverage)},{y(risk)}" for coverage, risk in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{2.5 if name == "torchwhy" else 1.5}"/>'
        answered = [
            (out, row) for out, row in zip(by_method[name], rows, strict=True) if out.answered and out.ids
        ]
        if name == "torchwhy" and answered:
            wrong = sum(out.ids[0] not in row.right for out, row in answered)
            yield f'<circle cx="{x(len(answered) / len(rows))}" cy="{y(wrong / len(answered))}" r="5" fill="{colour}"/>'
        area = auroc(
            [(out.probability, row.label != "none") for row, out in zip(rows, by_method[name], strict=True)]
        )
        label = name if area is None else f"{name} (AUROC {area:.2f})"
        beside, down = LEFT + INNER_WIDTH + 14, TOP + 10 + 34 * at
        yield f'<line x1="{beside}" x2="{beside + 18}" y1="{down}" y2="{down}" stroke="{colour}" stroke-width="3"/>'
        for line, part in enumerate(label.split(" (")):
            yield f'<text x="{beside + 24}" y="{down + 4 + 14 * line}">{escape(part.rstrip(")"))}</text>'
    yield "</svg>"
