"""How fast a folder of logs is triaged, beside `grep -c Error` and a plain loop over `Assistant.ask`.

`python -m tests.bench_triage FOLDER [LOGS] [DISTINCT]` makes LOGS logs of some 5 KB in FOLDER (100,000, with 200 distinct
errors, half as many healthy ones beside), and prints one line for each way. The loop is measured on a share of the logs, since
all of them would take half an hour. `--bytes N` makes them longer, `--large GB` makes one log of so many GB and prints the most memory that a worker held.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import time
from pathlib import Path

from tests.tools import cluster, noise

LOG_BYTES = 5000
LOOPED = 300  # logs of the plain loop
IN_FOLDER = 1000
STEPS = "2025-03-04 10:{:02d}:{:02d} INFO train: step {} loss {:.4f} lr 0.0003 tokens/s {}\n"


def ordinary(rng: random.Random, size: int) -> str:
    """Lines of a training program, so many characters of them."""
    lines, have, step = [], 0, rng.randrange(1000)
    while have < size:
        step += 50
        lines.append(
            STEPS.format(step // 60 % 60, step % 60, step, rng.uniform(0.1, 3), rng.randrange(10**5))
        )
        have += len(lines[-1])
    return "".join(lines)


def make(folder: Path, logs: int, distinct: int, size: int, healthy: bool) -> Path:
    """So many logs below a folder; healthy ones, or each with one of so many errors."""
    rng = random.Random(3)
    place = folder / ("healthy" if healthy else "failed")
    if place.exists():
        return place
    known = cluster.wordings()[:distinct]
    for number in range(logs):
        below = place / f"{number // IN_FOLDER:04d}"
        below.mkdir(parents=True, exist_ok=True)
        end = "Training finished\n" if healthy else cluster.traceback(known[number % len(known)][1], rng)
        (below / f"job{number:07d}.log").write_text(ordinary(rng, size - len(end)) + end)
    return place


def processor_s() -> float:
    """Seconds of processor that this process and those that ended below it used: what a busy machine does not change much."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def timed(name: str, logs: int, what: object) -> float:
    """Call it, print what it took, and give its seconds of processor."""
    start, before = time.perf_counter(), processor_s()
    what()  # type: ignore[operator]
    seconds, used = time.perf_counter() - start, processor_s() - before
    print(
        f"{name:36} {seconds:8.2f} s {used:8.2f} s of processor {used / logs * 1e6:9.1f} us a log", flush=True
    )
    return used


def grep(folder: Path) -> None:
    subprocess.run(["grep", "-r", "-c", "Error", str(folder)], stdout=subprocess.DEVNULL, check=False)


def triage(folder: Path, out: Path) -> None:
    from torchwhy.triaging.answering import AssistantOptions
    from torchwhy.triaging.engine import TriageOptions, run
    from torchwhy.triaging.parts import Folder

    shutil.rmtree(out, ignore_errors=True)
    count = run([str(folder)], Folder(out), TriageOptions(knowledge=AssistantOptions()))
    print(f"  {count.done:,} files, {count.distinct} distinct, {count.rows:,} rows")


def looped(files: list[Path]) -> None:
    from torchwhy import Assistant
    from torchwhy.paste.reading import read_path

    assistant = Assistant(lang="en")
    for file in files:
        assistant.ask(read_path(str(file)))


def large(folder: Path, gigabytes: float) -> None:
    """One log of so many GB, an error at its end; the most memory that a worker held."""
    from torchwhy.triaging.sources import LogSource
    from torchwhy.triaging.work import Batch, Worker

    file = folder / "large.log"
    block = ordinary(random.Random(1), 1 << 20).encode()
    with file.open("wb") as log:
        for _ in range(int(gigabytes * 1000)):
            log.write(block)
        log.write(cluster.traceback("RuntimeError: CUDA out of memory.", random.Random(1)).encode())
    shutil.rmtree(folder / "out", ignore_errors=True)
    from torchwhy.triaging.parts import Folder

    Folder(folder / "out")
    source = LogSource(str(file), file.stat().st_size, "0")
    timed(
        f"one log of {gigabytes} GB",
        1,
        lambda: print(Worker().work(Batch("part-1-1", 1, str(folder / "out"), None, "", (source,)))),
    )
    print(f"  {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    file.unlink()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("logs", type=int, nargs="?", default=100_000)
    parser.add_argument("distinct", type=int, nargs="?", default=200)
    parser.add_argument("--large", type=float, default=0)
    parser.add_argument("--bytes", type=int, default=LOG_BYTES)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.large:
        large(args.folder, args.large)
        return
    print(
        f"{os.cpu_count()} processors; seed 3; torch-like errors: {args.distinct}; noise: {len(noise.BEFORE)} kinds"
    )
    healthy = make(args.folder, args.logs // 2, 0, args.bytes, True)
    failed = make(args.folder, args.logs, args.distinct, args.bytes, False)
    grep(healthy)
    base = timed("grep -c Error, healthy", args.logs // 2, lambda: grep(healthy))
    well = timed("triage, healthy", args.logs // 2, lambda: triage(healthy, args.folder / "out-healthy"))
    print(f"  {well / base:.1f} times grep")
    timed("grep -c Error, failed", args.logs, lambda: grep(failed))
    whole = timed("triage, failed", args.logs, lambda: triage(failed, args.folder / "out-failed"))
    files = sorted(failed.rglob("*.log"))[:LOOPED]
    loop = timed(f"loop over ask, {len(files)} of them", len(files), lambda: looped(files))
    print(f"  triage is {loop / len(files) * args.logs / whole:.0f} times as cheap as the loop")


if __name__ == "__main__":
    main()
