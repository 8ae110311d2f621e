"""Whether each example of a signature was really printed where its record says (kb/<category>/<id>/printed.yaml; the form
of a record: assistant/torchwhy/authoring/example_records.py). An example without a record is one that the entry's own script prints today.

python -m tests.tools.printed [--python PYTHON] [CATEGORY or ID...]   run the programs of PYTHON's torch; exit 1 where one prints something else
python -m tests.tools.printed --try FILE.py [--python PYTHON]         what one program prints
"""

from __future__ import annotations

import argparse
import atexit
import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tests.support.shipped import knowledge
from torchwhy.authoring.example_records import check_records, read_records
from torchwhy.knowledge.entry import Pitfall, Signature
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.knowledge.wordings import Wordings, wordings_of
from torchwhy.proof.confirm import confirm
from torchwhy.proof.trust import Consent, permitted

ROOT = Path(__file__).resolve().parent.parent.parent
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def normal(text: str) -> str:
    """A message without what differs from run to run: numbers, addresses, folders, spaces."""
    text = ANSI.sub("", text)
    text = re.sub(r"0x[0-9a-fA-F]+", "0", text)
    text = re.sub(r"(?:[A-Za-z]:)?[\w.<>-]*(?:[/\\][\w.<>+-]+)+", "P", text)
    return re.sub(r"\s+", " ", re.sub(r"\d+(?:\.\d+)*", "0", text)).strip()


def shown_by(entry: Pitfall, record: Mapping[str, str]) -> Signature | None:
    """The signature whose example a record tells of; of another text (`also`) the one that claims it, with that text."""
    if "also" in record:
        claims = Wordings.of([entry]).claims(record["also"])
        number = max(claims, key=lambda claim: claim.length).number if claims else None
        return None if number is None else entry.signatures[number]._replace(example=record["also"])
    examples = {signature.example: signature for signature in entry.signatures}
    return examples.get(record["example"].strip())


def missing(signature: Signature, output: str) -> str:
    """What of a signature's example is not in an output; empty if it was printed there and the signature claims it."""
    wordings = Wordings(wordings_of("", [signature]))
    if not wordings.claimants(ANSI.sub("", output)):
        also = f" with the context {signature.context!r}" if signature.context else ""
        return f"the pattern {signature.pattern!r}{also}"
    bare = Wordings(wordings_of("", [signature._replace(context=None)]))
    matching = [line for line in signature.example.splitlines() if bare.claimants(line)]
    printed = normal(output)
    return next((line for line in matching or [signature.example] if normal(line) not in printed), "")


@functools.cache
def verbatim() -> dict[tuple[str, str], str]:
    """What the entries' scripts printed, by entry and release."""
    out: dict[tuple[str, str], str] = {}
    for line in (ROOT / "data" / "eval" / "verbatim.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["variant"] == "plain":
            out[row["label"], row["torch"]] = row["text"]
    for file in (ROOT / "data" / "shipped" / "evidence").glob("*-torch-*.json"):
        data = json.loads(file.read_text("utf-8"))
        for id, each in data["entries"].items():
            key = (id, data["torch"].split("+")[0])
            out[key] = f"{out.get(key, '')}\n{each['message']}"
    return out


@functools.cache
def worker(python: str) -> subprocess.Popen[str]:
    """The process that has imported PYTHON's torch; it ends when this one does."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST", "TORCH"))
    } | {"CUDA_VISIBLE_DEVICES": ""}
    words = [python, "-B", str(Path(__file__).with_name("printed_worker.py"))]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        words, stdin=pipe, stdout=pipe, text=True, cwd=tempfile.gettempdir(), env=env, start_new_session=True
    )
    atexit.register(process.communicate)
    return process


def run(programs: Sequence[str], python: str) -> tuple[str, bool, list[str]]:
    """(the release of PYTHON's torch, whether its oneDNN takes bfloat16 on this CPU, what each program printed)."""
    process = worker(python)
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(programs) + "\n")
    process.stdin.flush()
    done = json.loads(process.stdout.readline())
    return done["torch"].split("+")[0], done["bfloat16"], done["outputs"]


def runnable(program: str, python: str) -> bool:
    """Whether what a program asks of the machine beside torch is here: a C++ compiler, for extensions ninja and setuptools,
    and a CPU whose oneDNN takes bfloat16 or a GPU where a comment of the program says so."""
    builds = "cpp_extension" in program
    wanted = [
        ("torch.compile" in program or builds, shutil.which("c++")),
        (builds, shutil.which("ninja") and importlib.util.find_spec("setuptools")),
        ("# needs oneDNN's bfloat16" in program, told_by(python)[1]),
        ("# needs a GPU" in program, shutil.which("nvidia-smi")),
    ]
    return all(there for asked, there in wanted if asked)


@functools.cache
def told_by(python: str) -> tuple[str, bool]:
    return run([], python)[:2]


def release_of(python: str) -> str:
    return told_by(python)[0]


def is_meant(entry: Pitfall, only: Collection[str]) -> bool:
    return not only or entry.id in only or entry.category in only


def check(known: Mapping[str, Pitfall], python: str, release: str, only: Collection[str] = ()) -> list[str]:
    """Run the programs of one release; what does not hold, a line each."""
    asked: dict[str, tuple[Signature, str]] = {}
    for entry in (entry for entry in known.values() if is_meant(entry, only)):
        for number, record in enumerate(read_records(entry)):
            signature = shown_by(entry, record)
            if record.get("torch") == release and signature and runnable(record["program"], python):
                asked[f"{entry.id}[{number}]"] = (signature, record["program"])
    *_, outputs = run([program for _, program in asked.values()], python)
    wrong = []
    for (key, (signature, _)), output in zip(asked.items(), outputs, strict=True):
        lacks = missing(signature, output)
        if lacks:
            wrong.append(f"{key}: not printed: {lacks}\n    but: {output.strip()[-600:]}")
    good = len(asked) - len(wrong)
    print(f"{good} of {len(asked)} programs print their example under torch {release}", file=sys.stderr)
    return wrong


def gaps(known: Mapping[str, Pitfall], only: Collection[str] = ()) -> list[str]:
    """Records that are not sound, and examples without one that the entry's script does not print; a line each."""
    lines = []
    for entry in (entry for entry in known.values() if is_meant(entry, only)):
        problems = [str(problem) for problem in check_records(entry)]
        if problems:
            lines += problems
            continue
        examples = {signature.example: signature for signature in entry.signatures}
        records = read_records(entry)
        for record in records:
            if "repro" in record:
                printed = verbatim().get((entry.id, record["repro"]), "")
                signature = shown_by(entry, record)
                lacks = missing(signature, printed) if signature else record
                if lacks:
                    lines.append(f"{entry.id}: its repro did not print {lacks!r} under {record['repro']}")
        recorded = {record["example"].strip() for record in records if "example" in record}
        lines += unprinted(entry, [examples[example] for example in examples if example not in recorded])
    return lines


def unprinted(entry: Pitfall, signatures: Sequence[Signature]) -> list[str]:
    """Of signatures without a record, those whose example the entry's own script does not print under this torch."""
    seen = evidence_message(entry)
    unseen = [signature for signature in signatures if missing(signature, seen)]
    if not unseen:
        return []
    # whoever records what an entry prints wrote it
    result = confirm(entry, python=sys.executable, permit=permitted(entry, Consent(mine=True)))
    output = result.legs[0].output if result.legs else ""
    return [
        f"{entry.id}: its script does not print {signature.example!r}; say in printed.yaml where it was printed"
        for signature in unseen
        if missing(signature, output)
    ]


def evidence_message(entry: Pitfall) -> str:
    """What the script, byte for byte as it is, printed under the installed release when it was confirmed; else nothing."""
    row = evidence_of(release_of(sys.executable)).get(entry.id)
    same = row and entry.repro and row["sha256"] == file_hash(entry.repro)
    return row["message"] if same else ""


@functools.cache
def evidence_of(release: str) -> dict[str, dict[str, str]]:
    """The rows of evidence on a CPU with one torch, by entry."""
    files = (ROOT / "data" / "shipped" / "evidence").glob(f"cpu-torch-{release}-*.json")
    return {id: row for file in files for id, row in json.loads(file.read_text("utf-8"))["entries"].items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("only", nargs="*")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--try", dest="program", type=Path)
    args = parser.parse_args()
    if args.program:
        release, _, (output,) = run([args.program.read_text("utf-8")], args.python)
        print(f"torch {release}:\n{output}")
        return 0
    known = knowledge().pitfalls
    wrong = gaps(known, args.only) + check(known, args.python, release_of(args.python), args.only)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
