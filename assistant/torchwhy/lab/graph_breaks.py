"""The rows of dynamo-graph-break, from the registries of graph breaks that releases of torch bring along.

python -m torchwhy.lab.graph_breaks [REGISTRY ...]   torch/_dynamo/graph_break_registry.json of each
                            release, the newest first; of the torch that is installed where none is named
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torchwhy.knowledge.files import ROWS_FILE
from torchwhy.knowledge.schema import load_yaml
from torchwhy.runtime import locations

ENTRY = "compile/dynamo-graph-break"
REGISTRY = "_dynamo/graph_break_registry.json"
MAX_SAID_CHARS = 240
# By name, the words of the kinds of graph break that it is for; the first that fits is taken
REMEDIES = {
    name: "|".join(words)
    for name, words in load_yaml(Path(__file__).with_suffix(".yaml").read_text("utf-8")).items()
}
UNSWITCHED = ("own", "pure")  # of all others a switch that torch's hints name is the remedy
# What earlier releases, or the explanation alone, call a kind
FORMER = {
    "0170": ("Dynamic control flow is not supported", "generic_jump TensorVariable"),
    "0007": ("in skip_files", "'skip function"),
    "0059": ("Dynamo does not know how to trace builtin", "Dynamo does not know how to trace the builtin"),
    "0219": ("Backend compiler `inductor` failed with",),
    "0014": ("Dynamo does not support RNN, GRU, or LSTM",),
}
SETTING = re.compile(
    r"torch\._dynamo\.config\.\w+\s*=\s*\w+|TORCH\w+=1|`(torch\._dynamo\.config\.\w+)` to `(\w+)`"
)


def rows(registries: Iterable[Path]) -> Iterator[tuple[str, list[str], str, str, str]]:
    """(id, kinds, remedy, setting, what torch says) of every break; of one that several registries have, the
    first's words and the kinds of all.
    """
    breaks: dict[str, list[dict[str, Any]]] = {}
    for registry in registries:
        for id, versions in json.loads(registry.read_text("utf-8")).items():
            breaks.setdefault(id.removeprefix("GB"), []).extend(versions)
    for id, versions in sorted(breaks.items()):
        kinds = list(dict.fromkeys(each["Gb_type"] for each in versions))
        hints = " ".join(versions[0]["Hints"])
        found = SETTING.search(hints)
        setting = "" if not found else f"{found[1]} = {found[2]}" if found[1] else found[0]
        remedy = next(name for name, words in REMEDIES.items() if re.search(words, kinds[0]))
        if setting and remedy not in UNSWITCHED:
            remedy = "switch"
        yield f"gb{id}", [*kinds, *FORMER.get(id, ())], remedy, setting, said(versions[0]["Explanation"])


def said(explanation: str) -> str:
    """What torch says in one line, a dot for what the program fills in; "" where that is all of it."""
    text = " ".join(re.sub(r"\{[^{}]*\}", "…", explanation.replace('"', "")).split())
    if " " not in text:  # the name of a variable
        return ""
    return text if len(text) <= MAX_SAID_CHARS else text[:MAX_SAID_CHARS].rpartition(" ")[0] + " …"


def installed() -> Path:
    """The registry of the torch that is installed."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        raise SystemExit("no torch is installed here; name a registry")
    return Path(spec.origin).parent / REGISTRY


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("registries", nargs="*", type=Path)
    registries = parser.parse_args().registries or [installed()]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows(registries)]
    path = locations.shipped("kb") / ENTRY / ROWS_FILE
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
    print(f"{path}: {len(lines)} graph breaks")


if __name__ == "__main__":
    main()
