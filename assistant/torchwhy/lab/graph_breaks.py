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
from torchwhy.runtime import locations

ENTRY = "compile/dynamo-graph-break"
REGISTRY = "_dynamo/graph_break_registry.json"
MAX_SAID_CHARS = 240
# What is to be done about a kind, by its words; the first that fits. The entry says each in its own words.
REMEDIES = {
    "own": r"torch\._dynamo\.(?:graph_break|skip_frame|step_unsupported|disable)"
    r"|torch\.compiler\.disable|ComptimeContext|Forced graph break",
    "limit": r"recompile limit|cache limit|RestartAnalysis",
    "backend": r"Backend compiler",
    "log": r"logging|debugging function",
    "branch": r"Data-dependent (?:branching|assertion)|_gb_type",
    "pure": r"(?:HOP|[Hh]igher.?[Oo]rder|torch\.(?:map|scan)\b).*(?:[Mm]utat|[Ss]ide.?[Ee]ffect"
    r"|nn\.Module)|(?:[Mm]utation|Module|aliasing).*(?:HigherOrder|higher order)",
    "operator": r"torch\.(?:cond|while_loop|scan|map|associative_scan|switch)\b|HOP\b|HigherOrder"
    r"|invoke_subgraph|_with_(?:set_grad|autocast)|hints_wrapper|strict_mode|out_dtype|flex_"
    r"|executorch|rewrite_signature|meta_consistency|set_subgraph_inputs|leaf_function"
    r"|nonstrict_trace|non-single Tensor return",
    "number": r"tolist|Data dependent operator|[Dd]ynamic slicing|[Uu]nbacked|one_hot|with non-scalar"
    r"|index\(Tensor\)|returned non-Tensor|on tensor$|on symbolic shapes|guard_scalar"
    r"|its fake value|SymNode|SymInt|pointer comparison",
    "fake": r"fake tensors$|no meta kernel|fake impl|PT2-compliant|op packet|UnsupportedFakeTensor",
    "made": r"nn\.Parameter|parameter construction|creation function|Uninitialized nn"
    r"|object was created|build_class|torch\.compile call",
    "eager": r"Observed exception|user code$|making fake tensor call|Fake tensor propagation"
    r"|[Uu]ninitialized|undefined|mismatch when unpacking|Shape mismatch|device mismatch"
    r"|not found in|deleted variable|raise exception|^Exception with|non-Exception"
    r"|bind arguments|broadcast|failed to find name|missing args|no arguments|Import failure"
    r"|import result|^Failed to unpack|invalid call",
    "gradient": r"backward|autograd|retain_grad|grad_fn|requires_grad|hook|_ImperativeEngine"
    r"|custom [jv][jv]p|functorc?h|RemovableHandle|its gradient",
    "numpy": r"(?i)numpy|ndarray",
    "layout": r"(?i)sparse|nested[ _]?tensor|\bas_subclass|tensor subclass|subclass default|dual tensor"
    r"|\bCOW\b",
    "inplace": r"out=|resize|set_\(|\.data|data attribute|[Ii]nplace op|share_memory|deepcopy"
    r"|tensor attribute",
    "context": r"context manager|contextlib|contextmanager|ContextWrapping|mem_pool|record_function"
    r"|is_inference|annotate|deterministic_algorithms",
    "returned": r"[Rr]econstruct|escaped|in output",
    "outside": r"skipped|builtin operator$|time function|function call|in python|(?:method|inspect) call"
    r"|C/C\+\+|constant-like|[Tt]riton|event method|traceable __call__|random|uniform_"
    r"|Generator method|jit|Script|P2P|distributed|FSDP",
    "gap": r"not implemented|[Mm]issing[ _](?!attr)|bytecode|proxy not set|SourceType|abstract"
    r"|[Gg]raph break in|sourceless|Unreachable|next\(\) call|Comprehension|__self__"
    r"|python_type|partial graph|no source$",
    "object": r"__\w+__|[Uu]ser.[Dd]efined|hash|repr|str\(|attr|descriptor|dataclass|metaclass|Enum"
    r"|namedtuple|super|[Oo]paque|id\(|class|weakref|isinstance|Placement|[Cc]omparison",
    "python": r"",
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
