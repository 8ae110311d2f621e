"""`python -m torchwhy.lab.make_vectors`: make `data/shipped`, the vectors of the shipped passages.

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
from torchwhy.retrieval.build_vectors import Maker
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.shipped_vectors import files, open_shipped, path, prepared, write


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m torchwhy.lab.make_vectors", description=__doc__)
    parser.add_argument("--device", help="cpu (default), or cuda for the original by sentence-transformers")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 where it is stale")
    args = parser.parse_args()
    rows = open_store(knowledge_roots("")).passages()
    if args.check:
        opened = open_shipped(shipped())
        current = opened is not None and opened.fits(rows)
        print(f"{path()} is {'' if current else 'not '}of the knowledge as it is")
        return 0 if current else 1
    started = time.monotonic()

    def progress(what: str, done: int, total: int) -> None:
        seconds = time.monotonic() - started
        print(f"{what}: {done:,} of {total:,}, {seconds:.0f} s", file=sys.stderr, flush=True)

    model = shipped()
    maker = Maker(model, args.device, progress)
    made = prepared(maker.embed([row[4] for row in rows]), [row[1] for row in rows], maker.dimension)
    write(path(), model, rows, made)
    size = sum(file.stat().st_size for file in files(path()))
    print(
        f"{path()}: {len(rows):,} passages of {len(made.statistics.ids)} entries, {size:,} bytes; "
        f"{maker.embedded:,} embedded on {maker.where}, {time.monotonic() - started:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
