"""Where each example of a signature was really printed: data/printed/<id>.yaml, one record an example:

- example: the example as it stands in the entry
  repro: 2.13.0                  the entry's own script printed it under this release of torch (data/eval/verbatim.jsonl, data/evidence)
  torch: 1.4.0 + program: ...    this program printed it under this release
  thread: https://...            not to be had on a CPU with Linux: somebody pasted it there
  but: what differs              beside thread: what of the example does not stand there so (numbers, a frame)
  source: where                  seen printed nowhere; the statement that prints it (release, file and function)

python tests/printed.py [--python PYTHON] [CATEGORY or ID...]    run the programs of PYTHON's torch; exit 1 where one prints something else
python tests/printed.py --try FILE.py [--python PYTHON]          what one program prints
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from assistant import knowledge, locations  # noqa: E402
from assistant.patterns import compile_pattern  # noqa: E402
from assistant.types import Pitfall, Signature  # noqa: E402

FOLDER = ROOT / "data" / "printed"
FORMS = ({"repro"}, {"torch", "program"}, {"thread"}, {"thread", "but"}, {"source"})

Record = dict[str, Any]


def records(id: str) -> list[Record]:
    """The records of an entry."""
    file = FOLDER / f"{id}.yaml"
    return yaml.load(file.read_text("utf-8"), yaml.CSafeLoader) or [] if file.exists() else []


def normal(text: str) -> str:
    """A message without what differs from run to run: numbers, addresses, folders, spaces."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = re.sub(r"0x[0-9a-fA-F]+", "0", text)
    text = re.sub(r"(?:[A-Za-z]:)?[\w.<>-]*(?:[/\\][\w.<>+-]+)+", "P", text)
    return re.sub(r"\s+", " ", re.sub(r"\d+(?:\.\d+)*", "0", text)).strip()


def missing(signature: Signature, output: str) -> str:
    """What of a signature's example is not in an output; empty if it was printed there and the pattern finds it."""
    for name, pattern in (("pattern", signature.pattern), ("context", signature.context)):
        if pattern and not compile_pattern(pattern).search(re.sub(r"\x1b\[[0-9;]*m", "", output)):
            return f"the {name} {pattern!r}"
    matching = [line for line in signature.example.splitlines() if compile_pattern(signature.pattern).search(line)]
    said = normal(output)
    return next((line for line in matching or [signature.example] if normal(line) not in said), "")


@functools.cache
def verbatim() -> dict[tuple[str, str], str]:
    """What the entries' scripts printed, by entry and release."""
    out: dict[tuple[str, str], str] = {}
    for line in (ROOT / "data" / "eval" / "verbatim.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["variant"] == "plain":
            out[row["label"], row["torch"]] = row["text"]
    for file in (ROOT / "data" / "evidence").glob("*-torch-*.json"):
        data = json.loads(file.read_text("utf-8"))
        for id, each in data["entries"].items():
            key = (id, data["torch"].split("+")[0])
            out[key] = f"{out.get(key, '')}\n{each['message']}"
    return out


def run(programs: dict[str, str], python: str) -> tuple[str, dict[str, str]]:
    """(the release of PYTHON's torch, what each program printed)."""
    with tempfile.TemporaryDirectory(prefix="printed-") as folder:
        target = Path(folder, "out.json")
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "TORCH"))} | {"CUDA_VISIBLE_DEVICES": ""}
        worker = [python, "-B", str(Path(__file__).with_name("printed_worker.py")), str(target)]
        asked = json.dumps([{"key": key, "program": program} for key, program in programs.items()])
        subprocess.run(worker, input=asked, text=True, cwd=folder, env=env, check=True)
        done = json.loads(target.read_text("utf-8"))
        return done["torch"].split("+")[0], done["outputs"]


def runnable(program: str) -> bool:
    """Whether what a program asks of the machine beside torch is here: a C++ compiler, and for extensions ninja and setuptools."""
    builds = "cpp_extension" in program
    wanted = [("torch.compile" in program or builds, shutil.which("c++")), (builds, shutil.which("ninja") and importlib.util.find_spec("setuptools"))]
    return all(there for asked, there in wanted if asked)


@functools.cache
def release_of(python: str) -> str:
    return run({}, python)[0]


def check(known: dict[str, Pitfall], python: str, release: str, only: list[str]) -> list[str]:
    """Run the programs of one release; what does not hold, a line each."""
    asked: dict[str, tuple[Signature, str]] = {}
    for entry in known.values():
        if only and entry.id not in only and entry.category not in only:
            continue
        examples = {signature.example: signature for signature in entry.signatures}
        for number, record in enumerate(records(entry.id)):
            if str(record.get("torch")) == release and record["example"].strip() in examples and runnable(record["program"]):
                asked[f"{entry.id}[{number}]"] = (examples[record["example"].strip()], record["program"])
    _, outputs = run({key: program for key, (_, program) in asked.items()}, python)
    wrong = []
    for key, (signature, _) in asked.items():
        lacks = missing(signature, outputs[key])
        if lacks:
            wrong.append(f"{key}: not printed: {lacks}\n    but: {outputs[key].strip()[-600:]}")
    print(f"{len(asked) - len(wrong)} of {len(asked)} programs print their example under torch {release}", file=sys.stderr)
    return wrong


def load() -> dict[str, Pitfall]:
    return knowledge.load([locations.shipped("kb")], knowledge.load_documents(locations.documents())).pitfalls


def gaps(known: dict[str, Pitfall], only: list[str]) -> list[str]:
    """Examples without a sound record, and records of no example; a line each."""
    out = []
    for entry in known.values():
        if only and entry.id not in only and entry.category not in only:
            continue
        listed = records(entry.id)
        examples = {signature.example: signature for signature in entry.signatures}
        found = {record["example"].strip() for record in listed}
        out += [f"{entry.id}: no record of {example!r}" for example in examples if example not in found]
        for record in listed:
            example = record["example"].strip()
            if example not in examples:
                out.append(f"{entry.id}: no signature has the example {example!r}")
            elif {*record} - {"example"} not in FORMS:
                out.append(f"{entry.id}: {example!r} needs one of repro, torch and program, thread, source")
            elif "repro" in record:
                lacks = missing(examples[example], verbatim().get((entry.id, str(record["repro"])), ""))
                if lacks:
                    out.append(f"{entry.id}: its repro did not print {lacks!r} under {record['repro']}")
            elif "thread" in record and not str(record["thread"]).startswith("https://"):
                out.append(f"{entry.id}: {record['thread']} is no address")
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--try", dest="program", type=Path)
    args = parser.parse_args()
    if args.program:
        release, outputs = run({"": args.program.read_text("utf-8")}, args.python)
        print(f"torch {release}:\n{outputs['']}")
        return 0
    known = load()
    wrong = gaps(known, args.only) + check(known, args.python, release_of(args.python), args.only)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
