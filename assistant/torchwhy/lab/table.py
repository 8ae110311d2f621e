"""The table that `torchwhy eval` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .evaluate import LabelledText, Outcome, groups, measure, reliability, risks


def share(value: tuple[float, float, float], count: int) -> str:
    """A share with its Wilson interval; a dash where there is nothing to count."""
    return f"{100 * value[0]:5.1f} [{100 * value[1]:4.1f}, {100 * value[2]:5.1f}]" if count else "-"


def calibration(rows: Sequence[LabelledText], outcomes: Sequence[Outcome]) -> str:
    """How sure against how right in ten bins, and the risk at each coverage."""
    lines = ["how sure    mean   right % of n"]
    for low, mean, right, count in reliability(rows, outcomes):
        lines.append(f"{low:.1f}-{low + 0.1:.1f}     {mean:.2f}   {share(right, count)} of {count}")
    lines.append("answered % of all   wrong % of those, the surest first")
    for coverage, wrong, count in risks(rows, outcomes):
        lines.append(f"{100 * coverage:5.1f}               {share(wrong, count)} of {count}")
    found = measure(rows, outcomes)
    if found["families_answered"]:
        count = found["families_answered"]
        lines.append(
            f"families: {count} answered, the entry among the first three members or the right family: "
            f"{share(found['families'], count)} %"
        )
    return "\n".join(lines)


def table(rows: Sequence[LabelledText], by_method: Mapping[str, Sequence[Outcome]], *, ablate: bool) -> str:
    """Rows: method and group; columns: shares in % with 95 % Wilson intervals."""
    lines = [
        f"{'method':21} {'group':9} {'n':>4}  {'top-1 %':20} {'top-3 %':20} {'refused %':20} {'precision %':20} {'foreign answered %':20} {'ECE':5} AUROC"
    ]
    for method, outcomes in by_method.items():
        for group, members in groups(rows).items():
            if group != "all" and not (ablate or method == "torchwhy"):
                continue
            found = measure([rows[at] for at in members], [outcomes[at] for at in members])
            own = method == "torchwhy"
            answered = round(found["covered"] * (1 - found["covered_refused"][0]))
            cells = [
                share(found["top1"], found["covered"]),
                share(found["top3"], found["covered"]),
                share(found["covered_refused"], found["covered"]) if own else "-",
                share(found["precision"], answered) if own else "-",
                share(found["foreign_answered"], found["foreign"]) if own else "-",
            ]
            lines.append(
                f"{method:21} {group:9} {len(members):>4}  "
                + " ".join(f"{cell:20}" for cell in cells)
                + (f" {found['ece']:.3f}" if own else " -    ")
                + (f" {found['auroc']:.2f}" if found["auroc"] is not None else " -")
            )
    lines.append(
        "top-1, top-3: of covered texts, whether answered or refused; intervals: Wilson, 95 %; "
        "ECE: expected calibration error; "
        "AUROC: covered against foreign texts, by the first candidate's score"
    )
    return "\n".join(lines)
