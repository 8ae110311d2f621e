"""Whether what others are told of a message still has the same answer.

    python -m tests.tools.told [--show] [FILE ...]     (default: data/eval/dev.jsonl)

Every pasted message of a file of labelled texts is answered as it stands, and as `teller` tells it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.conftest import ROOT
from torchwhy import Assistant
from torchwhy.answers.answer import Answer
from torchwhy.answers.telling import teller


def id_of(answer: Answer) -> str | None:
    """The entry, or family, of an answer."""
    return answer.match.id if answer.match else answer.family.id if answer.family else None


def same(assistant: Assistant, texts: list[str]) -> list[tuple[str, str, str | None, str | None]]:
    """(text, told text, entry, entry of the told text) of every text in which an error stands."""
    found = []
    for text in texts:
        answer = assistant.ask(text, source=False)
        if answer.root is not None:
            told = teller(answer)(answer.paste.text)
            found.append((text, told, id_of(answer), id_of(assistant.ask(told, source=False))))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=[str(ROOT / "data" / "eval" / "dev.jsonl")])
    parser.add_argument("--show", action="store_true", help="print the texts whose answer is another")
    args = parser.parse_args()
    assistant = Assistant()
    for path in args.files:
        rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
        found = same(assistant, [row["text"] for row in rows if row.get("kind") != "question"])
        kept = sum(before == after for *_, before, after in found)
        print(f"{path}: {kept} of {len(found)} messages ({kept / len(found):.1%}) have the same answer")
        for _, told, before, after in found if args.show else ():
            if before != after:
                print(f"--- {before} -> {after}\n{told}\n")


if __name__ == "__main__":
    main()
