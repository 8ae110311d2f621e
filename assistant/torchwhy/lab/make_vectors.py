"""`python -m torchwhy.lab.make_vectors`: make `data/shipped`: the vectors of the shipped passages,
and what the discriminant is made of, which learns from questions that people asked too.

Run by maintainers once a release, after the last change to kb/ and before ranking.json is fitted. On two
cores with the encoder that ships some 90 s of CPU for 12,000 passages; texts embedded before are kept in the
cache folder, so that the next run embeds what was edited alone. `--device cuda` runs the original by
sentence-transformers (extra `embed`). `--check` says whether the files are those of the knowledge as it is,
by its exit status (1: it is not).
"""

from __future__ import annotations

import argparse
import sys
import time

from torchwhy.embedding.model import shipped
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.retrieval.build_vectors import Maker, embedded
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.shipped_vectors import files, open_shipped, path, write


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.make_vectors", description=__doc__)
    parser.add_argument("--device", help="cpu (default), or cuda for the original by sentence-transformers")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 where it is stale")
    args = parser.parse_args()
    store = open_store(knowledge_roots(""))
    rows, questions = store.passages(), store.questions()
    if args.check:
        opened = open_shipped(shipped())
        current = opened is not None and opened.fits(rows) and opened.learnt(questions)
        print(f"{path()} is {'' if current else 'not '}of the knowledge as it is")
        return 0 if current else 1
    started = time.monotonic()

    def progress(what: str, done: int, total: int) -> None:
        seconds = time.monotonic() - started
        print(f"{what}: {done:,} of {total:,}, {seconds:.0f} s", file=sys.stderr, flush=True)

    model = shipped()
    maker = Maker(model, args.device, progress)
    made = embedded(maker, store)
    write(path(), model, rows, questions, made)
    size = sum(file.stat().st_size for file in files(path()))
    print(
        f"{path()}: {len(rows):,} passages of {len(made.statistics.ids)} entries, "
        f"{len(questions):,} questions, {size:,} bytes; {maker.embedded:,} embedded on {maker.where}, "
        f"{time.monotonic() - started:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
