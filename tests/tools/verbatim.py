"""What broken programs really print: every repro's broken leg, run by real releases of torch, plain and as it looks on the way
to whoever asks (progress bars, rank prefixes, launchers, notebooks, other systems).

    python -m tests.tools.verbatim run --python PYTHON [--only ID...]    run the scripts; keeps their output as `plain` rows
    python -m tests.tools.verbatim wrap                                  make the other rows anew from the plain ones (fixed seed)

Rows go to data/eval/verbatim.jsonl. Silent entries have none: nothing that a user would paste is printed there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.shipped import knowledge
from torchwhy.knowledge.entry import Pitfall
from torchwhy.machine import torch_probe
from torchwhy.proof import needs
from torchwhy.proof.confirm import leg_environment
from torchwhy.proof.judge import judge_leg
from torchwhy.proof.process import default_memory
from torchwhy.proof.process import run as run_process

from .noise import variants

TARGET = Path(__file__).resolve().parents[2] / "data" / "eval" / "verbatim.jsonl"
LONGEST = 12_000  # characters kept of an output: the head and, mostly, the tail
SAID = {
    -4: "Illegal instruction (core dumped)",
    -6: "Aborted (core dumped)",
    -7: "Bus error (core dumped)",
    -9: "Killed",
    -11: "Segmentation fault (core dumped)",
}


def printed(entry: Pitfall, interpreter: str, base: str) -> str | None:
    """What `python train.py 2>&1` prints for the entry's broken leg; None where it does not fail here the entry's way."""
    assert entry.repro
    with tempfile.TemporaryDirectory(prefix="run-", ignore_cleanup_errors=True) as folder:
        project = Path(folder, "project")
        project.mkdir()
        shutil.copyfile(entry.repro, project / "train.py")
        env = {name: value for name, value in leg_environment(folder).items() if name not in ("NO_COLOR",)}
        command = [
            str(shutil.which("bash")),
            "-c",
            'exec "$0" -B train.py 2>&1',
            os.path.abspath(interpreter),
        ]
        done = run_process(
            command,
            env=env,
            cwd=str(project),
            seconds=entry.needs.seconds,
            memory=default_memory(),
        )
        shown = judge_leg(entry, "broken", done).shows
        if shown != "shown":
            print(f"  {entry.id}: {shown}", file=sys.stderr)
            return None
        text = done.stdout
        if done.status in SAID:
            text = f"{text.rstrip()}\n{SAID[done.status]}\n"
        return neutral(text, entry, folder, interpreter, base)


def neutral(text: str, entry: Pitfall, folder: str, interpreter: str, base: str) -> str:
    """The output without what names the entry, this machine or its folders; the script is the user's train.py."""
    environment_folder = str(Path(os.path.abspath(interpreter)).parent.parent)
    for real, shown in (
        (f"{folder}/project", "/home/user/project"),
        (folder, "/tmp/user"),
        (environment_folder, "/home/user/miniconda3/envs/dl"),
        (base, "/home/user/miniconda3/envs/dl"),
        (socket.gethostname(), "node01"),
        ("torchinductor_root", "torchinductor_user"),
    ):
        text = text.replace(real, shown)
    text = re.sub(
        r'fixed\(\) if "--fixed" in sys\.argv\[1:\] else broken\(\)\n(?: +[\^~]+\n)?', "main()\n", text
    )
    text = re.sub(r"\bbroken\b", "main", text).replace(entry.id, "project").replace("repro.py", "train.py")
    if len(text) > LONGEST:
        text = text[: LONGEST // 4] + "\n...\n" + text[-3 * LONGEST // 4 :]
    return text.strip("\n") + "\n"


# The launcher's failure carries the child's, which stands in the same output and is as right an answer.
ALSO = {"elastic-child-failed": ["device-side-assert-labels"]}


def row(label: str, torch: str, variant: str, text: str) -> dict[str, object]:
    return {
        "label": label,
        "also": ALSO.get(label, []),
        "lang": "en",
        "kind": "paste",
        "source": "own run",
        "torch": torch,
        "variant": variant,
        "text": text,
    }


def read_rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in TARGET.read_text("utf-8").splitlines()] if TARGET.exists() else []


def save(rows: list[dict[str, object]]) -> None:
    rows.sort(
        key=lambda each: (
            str(each["label"]),
            str(each["torch"]),
            each["variant"] != "plain",
            str(each["variant"]),
        )
    )
    TARGET.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows), encoding="utf-8")


def run(interpreter: str, only: list[str]) -> None:
    known = knowledge().pitfalls
    probe = torch_probe.probe(interpreter)
    if probe.torch is None:
        raise SystemExit(f"torch cannot be imported by {interpreter}: {probe.torch_error}")
    release = probe.torch.split("+")[0]
    entries = [
        entry
        for entry in known.values()
        if entry.kind != "silent" and entry.repro and (not only or entry.id in only)
    ]
    rows, base = read_rows(), base_folder(interpreter)
    for number, entry in enumerate(entries, 1):
        if needs.unmet(entry.needs, probe):
            continue
        print(f"{number}/{len(entries)} {entry.id}", file=sys.stderr, flush=True)
        text = printed(entry, interpreter, base)
        rows = [
            each
            for each in rows
            if (each["label"], each["torch"], each["variant"]) != (entry.id, release, "plain")
        ]
        if text:
            rows.append(row(entry.id, release, "plain", text))
            save(rows)


def base_folder(interpreter: str) -> str:
    """The folder of the Python that an environment was made from (its standard library stands in tracebacks)."""
    code = "import sys; print(sys.base_prefix)"
    return subprocess.run(
        [interpreter, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def wrap() -> None:
    plain = [each for each in read_rows() if each["variant"] == "plain"]
    known = knowledge().pitfalls
    rows = list(plain)
    for each in plain:
        label, release = str(each["label"]), str(each["torch"])
        rng = random.Random(f"{label} {release}")
        each["also"] = ALSO.get(label, [])
        rows += [
            row(label, release, name, text)
            for name, text in variants(
                str(each["text"]), release, known[label].category, known[label].kind, rng
            )
        ]
    save(rows)
    print(f"{len(rows)} rows of {len({each['label'] for each in rows})} entries in {TARGET}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("run", "wrap"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", nargs="+", default=[])
    args = parser.parse_args()
    run(args.python, args.only) if args.action == "run" else wrap()


if __name__ == "__main__":
    main()
