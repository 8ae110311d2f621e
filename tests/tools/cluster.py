"""A cluster's logs, made from what the knowledge base's wordings were printed as: ranks, prefixes, bars, teardown, with the truth.

`python -m tests.tools.cluster FOLDER [JOBS] [SEED]` writes the logs of some jobs, reads them as `torchwhy triage` does, and prints how
many are right, and of hosts with a cause of their own how many are found and how many invented.
Half of the jobs fail with an error that an entry declares, 30 % are healthy, 10 % end without a word, 10 % fail with
something that is none of torchwhy's business.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tests.tools import noise
from torchwhy.triaging.engine import triage
from torchwhy.triaging.row import Row
from torchwhy.triaging.summary import count

KB = Path(__file__).resolve().parents[2] / "kb"
RANKS = 4
SITE = f"{noise.ENV}/site-packages"
RAISED = re.compile(
    r"[A-Za-z_][\w.]*(?:Error|Exception|Failed|error|Argument|Unsupported|Iteration|Timeout|Interrupt)(?::|$|\n)"
)
# examples that are not the message of a program's end
NO_ERROR = re.compile(
    r"(?i)\S*\s*(?:warning|info\b|explanation|hint|cuda_setup)|.*(?:Warning:|INFO|WARNING|Error #|OMP: Hint)|\W"
)
FOREIGN = (
    "bash: line 1: /opt/tools/prepare.sh: No such file or directory",
    "make: *** [Makefile:12: data] Error 2",
    f'{noise.HEADER}\n  File "/home/user/project/report.py", line 31, in <module>\n    total = sales["amout"]\nKeyError: \'amout\'',
    f'{noise.HEADER}\n  File "/home/user/project/fetch.py", line 12, in <module>\n    rows = parse(page)\n  File "/home/user/project/fetch.py", line 7, in parse\n    return page.split(";")[9]\nIndexError: list index out of range',
    f'{noise.HEADER}\n  File "/home/user/project/db.py", line 44, in <module>\n    connection.execute(query)\nsqlite3.OperationalError: no such table: runs',
    f'{noise.HEADER}\n  File "/home/user/project/upload.py", line 8, in <module>\n    client.upload_file(name, bucket, key)\n  File "{SITE}/boto3/s3/inject.py", line 147, in upload_file\n    return transfer.upload_file(\nboto3.exceptions.S3UploadFailedError: Failed to upload model.tgz to team/model.tgz: An error occurred (AccessDenied) when calling the PutObject operation: Access Denied',
    f'{noise.HEADER}\n  File "/home/user/project/table.py", line 5, in <module>\n    frame.merge(other, on="user")\n  File "{SITE}/pandas/core/reshape/merge.py", line 1297, in _get_merge_keys\n    left_keys.append(left._get_label_or_level_values(k))\npandas.errors.MergeError: No common columns to perform merge on.',
    f"{noise.HEADER}\n  File \"/home/user/project/read.py\", line 3, in <module>\n    config = json.load(open('config.json'))\njson.decoder.JSONDecodeError: Expecting ',' delimiter: line 4 column 5 (char 61)",
)
CASCADE = f'{noise.HEADER}\n  File "/home/user/project/train.py", line 88, in <module>\n    loss.backward()\n  File "{SITE}/torch/distributed/distributed_c10d.py", line 2501, in all_reduce\n    work.wait()\nRuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.7]:32516\n'
HANDLED = (
    "2025-03-04 10:00:01 WARNING fetch: ConnectionError: reset while reading shard 3, trying again (1/5)\n",
    "2025-03-04 10:00:01 INFO eval: Errors: 0, Failed: 0\n",
    f'{noise.HEADER}\n  File "/home/user/project/data.py", line 9, in get\n    return read(url)\nTimeoutError: timed out\n2025-03-04 10:00:02 WARNING data: trying again\n',
)


class Truth(NamedTuple):
    """What a job is (`error`, `healthy`, `killed`, `foreign`), and the entry that explains it."""

    kind: str
    entry: str | None


def wordings() -> list[tuple[str, str]]:
    """(entry, message) of each wording that a program printed, of entries on errors, and that names no context."""
    import yaml

    found = []
    for file in sorted(KB.glob("[!_.]*/*/pitfall.yaml")):
        entry = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
        printed = file.parent / "printed.yaml"
        if entry["kind"] != "error" or not printed.exists():
            continue
        seen = {each.get("example") for each in yaml.load(printed.read_text("utf-8"), yaml.CSafeLoader)}
        for each in entry.get("signatures", ()):
            if (
                "context" not in each
                and each["example"] in seen
                and noise.ERROR.match(each["example"])
                and not NO_ERROR.match(each["example"])
            ):
                found.append((file.parent.name, each["example"]))
    return found


def traceback(message: str, rng: random.Random) -> str:
    """The message below a traceback of a training script, where it is an exception's."""
    if not RAISED.match(message):
        return message + "\n"
    return f'{noise.HEADER}\n  File "/home/user/project/train.py", line {rng.randrange(90, 300)}, in <module>\n    main()\n  File "/home/user/project/train.py", line {rng.randrange(30, 90)}, in main\n    out = step(batch)\n  File "{SITE}/torch/nn/modules/module.py", line 1773, in _wrapped_call_impl\n    return self._call_impl(*args, **kwargs)\n{message}\n'


def healthy(rng: random.Random) -> str:
    """A log in which nothing went wrong."""
    text = noise.logged("", rng, "2.5")
    parts = [
        rng.choice(noise.BEFORE),
        text,
        rng.choice(("", *HANDLED)),
        noise.logged("", rng, "2.5"),
        noise.bars("\n", rng, "2.5"),
    ]
    if rng.random() < 0.2:
        parts.append(rng.choice(noise.AFTER[2:4]) + "\n")
    return "\n".join(parts) + "\nTraining finished, best accuracy 0.912\n"


def one_file(text: str, rng: random.Random) -> str:
    """A failing program's output with what stands around it."""
    around: tuple[Callable[[str, random.Random, str], str], ...] = (noise.bars, noise.logged, noise.launched)
    text = rng.choice(around)(text, rng, "2.5")
    if rng.random() < 0.3:
        text = rng.choice(noise.BEFORE) + "\n" + text
    if rng.random() < 0.3:
        text += rng.choice(noise.AFTER[:4]) + "\n"
    return noise.container(text, rng, "2.5") if rng.random() < 0.1 else text


def write(folder: Path, number: int, texts: list[str], rng: random.Random) -> str:
    """Write a job's logs, one a rank, in one of the layouts; the job's name as triage gives it."""
    name = f"run{number}x"
    if len(texts) > 1:
        if rng.random() < 0.5:
            job = folder / f"{name}_ab12"
            files = [job / "attempt_0" / str(rank) / "stderr.log" for rank in range(len(texts))]
        else:
            job = folder / name
            files = [job / f"rank{rank}.log" for rank in range(len(texts))]
        shown = str(job)
    elif rng.random() < 0.5:
        shown, files = str(100_000 + number), [folder / f"slurm-{100_000 + number}.out"]
    else:
        shown, files = str(folder / name), [folder / f"{name}.log.gz"]
    for file, text in zip(files, texts, strict=True):
        file.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        file.write_bytes(gzip.compress(data, 1) if file.suffix == ".gz" else data)
    return shown


def make(folder: Path, jobs: int, seed: int = 1) -> dict[str, Truth]:
    """The logs of so many jobs, and what each of them is."""
    rng = random.Random(seed)
    known = wordings()
    rng.shuffle(known)
    truth: dict[str, Truth] = {}
    for number in range(jobs):
        share = rng.random()
        ranks = RANKS if rng.random() < 0.4 else 1
        texts = [healthy(rng) for _ in range(ranks)]
        if share < 0.3:
            what = Truth("healthy", None)
        elif share < 0.4:
            what = Truth("killed", None)
            texts = [noise.bars("", rng, "2.5") for _ in range(ranks)]
        else:
            if share < 0.5:
                what, message = Truth("foreign", None), rng.choice(FOREIGN) + "\n"
            else:
                entry, message = known[number % len(known)]
                what, message = Truth("error", entry), traceback(message, rng)
            if ranks == 1:
                texts = [one_file(message, rng)]
            else:
                texts = [noise.logged(CASCADE, rng, "2.5") for _ in range(ranks)]
                texts[rng.randrange(ranks)] = noise.logged(message, rng, "2.5")
        truth[write(folder, number, texts, rng)] = what
    return truth


def scores(truth: dict[str, Truth], found: dict[str, tuple[str, str | None]]) -> dict[str, float]:
    """Shares: of jobs whose entry is right (none, where the truth is none), and of healthy jobs that are blamed; `found`: job to (status, entry)."""
    right = [found[job][1] == what.entry if job in found else False for job, what in truth.items()]
    well = [job for job, what in truth.items() if what.kind == "healthy"]
    blamed = [found[job][0] == "failed" for job in well if job in found]
    return {"right": sum(right) / len(right), "blamed": sum(blamed) / max(1, len(well))}


HOSTS, MIN_PLANTED = 40, 6


def with_hosts(rows: list[Row], rng: random.Random, of: str | None = None) -> list[Row]:
    """The rows as jobs of random hosts; of an entry, four in five of its jobs on one."""
    placed = [replace(row, host=f"gpu{rng.randrange(HOSTS)}") for row in rows]
    mine = [number for number, row in enumerate(rows) if row.entry == of]
    for number in rng.sample(mine, round(0.8 * len(mine))) if of else ():
        placed[number] = replace(rows[number], host="gpu0")
    return placed


def hosts_found(rows: list[Row], sets: int, clean: int) -> tuple[int, int]:
    """Of so many sets in which one cause of six jobs or more sits on one host, in how many that is found and
    nothing else; in how many clean ones a host is invented.
    """
    jobs = Counter(row.entry for row in rows if row.entry)
    often = sorted(entry for entry, each in jobs.items() if each >= MIN_PLANTED)
    found = invented = 0
    for seed in range(sets):
        rng = random.Random(seed)
        entry = rng.choice(often)
        causes = count(with_hosts(rows, rng, entry)).causes
        found += [(cause.name, each.name) for cause in causes for each in cause.hosts] == [(entry, "gpu0")]
    for seed in range(clean):
        summary = count(with_hosts(rows, random.Random(1000 + seed)))
        invented += bool(summary.hosts or any(cause.hosts for cause in summary.causes))
    return found, invented


def main() -> None:
    where = Path(sys.argv[1])
    truth = make(where, int((sys.argv[2:] or ["2000"])[0]), int((sys.argv[3:] or ["1"])[0]))
    where.with_name(where.name + "-truth.json").write_text(json.dumps(truth))
    rows = list(triage(where))
    told = scores(truth, {row.job: (row.status, row.entry) for row in rows})
    print(f"{len(rows)} jobs: {told['right']:.1%} right, {told['blamed']:.1%} of the healthy ones blamed")
    for job, what in truth.items():
        row = next((each for each in rows if each.job == job), None)
        if row is None or row.entry != what.entry:
            print(f"  {job}: {what}, found {row and (row.status, row.entry, row.error)}")
    found, invented = hosts_found(rows, 10, 20)
    print(f"hosts of one cause: {found} of 10 found, in {invented} of 20 clean sets one invented")


if __name__ == "__main__":
    main()
