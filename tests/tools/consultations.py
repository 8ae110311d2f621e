"""Play scripted consultations: `python -m tests.tools.consultations FILE` prints what leads after each turn, and the totals.

A row of the JSONL: id, lang, label, acceptable (other entries that are right as well), first (what is said first), turns (what is
said then, whatever was replied), ruled_out. What the user rules out is an entry's id, which must not lead after the last turn, or
{"entry", "turn"}, which must not lead from the reply to that turn on (1: the first of `turns`).
The chat's weights were fitted on tests/fixtures/consultations.jsonl, consultations-learnt.jsonl and consultations-kept.jsonl, and not on
consultations-unseen.jsonl, which somebody wrote who knew the entries' titles alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from torchwhy import Answer, Assistant
from torchwhy.chat.conversation import Conversation

Row = Mapping[str, Any]
MAX_QUESTIONS = 4


class Played(NamedTuple):
    """One consultation: what led after each turn, the label's rank then (0: it is not among the shown), the words heard."""

    row: Row
    leads: tuple[str, ...]
    ranks: tuple[int, ...]
    questions: int
    heard: tuple[str, ...]
    replies: tuple[str, ...]

    @property
    def reached(self) -> bool:
        """Whether a right entry leads in the end."""
        return self.leads[-1] in right(self.row)

    @property
    def against(self) -> list[str]:
        """The entries that led after they had been ruled out."""
        return [entry for entry, turn in rulings(self.row) if entry in self.leads[turn:]]


def right(row: Row) -> set[str]:
    return {row["label"], *row["acceptable"]}


def rulings(row: Row) -> list[tuple[str, int]]:
    """(entry, the first turn whose reply must not propose it)."""
    last = len(row["turns"])
    return [
        (each, last) if isinstance(each, str) else (each["entry"], each.get("turn", last))
        for each in row["ruled_out"]
    ]


def shown(answer: Answer) -> list[str]:
    """What an answer proposes, best first."""
    if answer.match is not None:
        return [answer.match.id]
    if answer.family is not None:
        return [member.id for member in answer.family.members]
    return [match.id for match in getattr(answer, "likely", ())]


def played(row: Row, talk: Conversation) -> Played:
    """Say everything in a row, in its order."""
    answers = [talk.say(text) for text in (row["first"], *row["turns"])]
    proposed = [shown(answer) for answer in answers]
    ranks = [next((at for at, id in enumerate(ids, 1) if id in right(row)), 0) for ids in proposed]
    replies = [answer.reply for answer in answers if answer.reply is not None]
    return Played(
        row,
        tuple(ids[0] if ids else "-" for ids in proposed),
        tuple(ranks),
        sum(any(section.kind == "question" for section in reply.sections) for reply in replies),
        tuple(getattr(answers[-1], "heard", ())),
        tuple(reply.markdown for reply in replies),
    )


def line(one: Played) -> str:
    turns = "; ".join(
        f"{number}: {lead} ({rank or '-'})"
        for number, (lead, rank) in enumerate(zip(one.leads, one.ranks, strict=True))
    )
    mark = "right" if one.reached else "WRONG"
    against = f", AGAINST {', '.join(one.against)}" if one.against else ""
    return f"{mark} {one.row['id']} [{one.row['lang']}] wants {one.row['label']}: {turns}; {one.questions} questions{against}"


def totals(all_played: Iterable[Played]) -> str:
    every = list(all_played)
    parts = []
    for lang in ("", *sorted({one.row["lang"] for one in every})):
        rows = [one for one in every if lang in ("", one.row["lang"])]
        parts.append(
            f"{lang or 'all'}: in {sum(one.reached for one in rows)} of {len(rows)} the cause comes first in the end, "
            f"in {sum(0 < one.ranks[-1] <= 3 for one in rows)} among three, "
            f"{sum(bool(one.against) for one in rows)} against what was said, "
            f"{sum(one.questions > MAX_QUESTIONS for one in rows)} with more than {MAX_QUESTIONS} questions"
        )
    return "\n".join(parts)


def read_rows(path: Path) -> list[Row]:
    return [json.loads(text) for text in path.read_text("utf-8").splitlines() if text.strip()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--replies", action="store_true", help="print every reply as well")
    parser.add_argument("--only", default="", help="the row of this id alone")
    args = parser.parse_args()
    assistant = Assistant()
    every = []
    for row in read_rows(args.file):
        if args.only and row["id"] != args.only:
            continue
        one = played(row, assistant.conversation())
        every.append(one)
        print(line(one), *(f"    {said}" for said in one.heard), sep="\n")
        if args.replies:
            print(*one.replies, sep="\n---\n")
    print(totals(every))


if __name__ == "__main__":
    main()
