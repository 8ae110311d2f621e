"""What the user's own program calls its model, optimizer, loss and the like, so that a change speaks its
language: `net.eval()` where an entry says `model.eval()`.

Read off the source as `own_source` reads it. A name is taken only where the files of the traceback leave no
doubt: one thing of that kind, called by one name.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assistant.paste.place import Here

from .change import Change
from .origins import MAX_SOURCE_BYTES
from .own_source import failing_call, last_name, read_source

OPTIMIZERS = frozenset(
    [
        "SGD",
        "Adam",
        "AdamW",
        "Adamax",
        "Adagrad",
        "Adadelta",
        "Adafactor",
        "ASGD",
        "LBFGS",
        "Muon",
        "NAdam",
        "RAdam",
        "RMSprop",
        "Rprop",
        "SparseAdam",
    ]
)
SCHEDULERS = re.compile(r"LR$|LROnPlateau$|WarmRestarts$|^get_\w+_schedule")
# What entries call these things in their code. A program that uses one of the names is left alone.
ROLE_OF = {
    "model": "model",
    "optimizer": "optimizer",
    "scheduler": "scheduler",
    "scaler": "scaler",
    "loss": "loss",
    "loss_fn": "loss_fn",
    "criterion": "loss_fn",
    "loader": "loader",
    "dataset": "dataset",
    "epochs": "epochs",
    "output": "output",
    "outputs": "output",
    "logits": "output",
    "target": "target",
    "targets": "target",
    "labels": "target",
}
LOSSES = re.compile(r"_loss$|^(?:binary_)?cross_entropy(?:_with_logits)?$|^kl_div$")
MAX_FRAMES = 3  # of the user's own, innermost first, whose files are read
SPAN = re.compile(r"`([^`\n]+)`")


def own_names(frames: Sequence[Here]) -> dict[str, str]:
    """The entries' name of a thing -> what the program calls it; only where they differ.

    `frames`: the user's own of one traceback, the innermost first.
    """
    trees: dict[str, ast.Module] = {}
    for frame in frames[:MAX_FRAMES]:
        if frame.file not in trees:
            source = read_source(frame, MAX_SOURCE_BYTES)
            if source is not None:
                trees[source.file] = source.tree
    found: dict[str, dict[str, None]] = {}  # ordered sets
    used: set[str] = set()
    for tree in trees.values():
        modules = _module_classes(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                used.add(node.id)
            for role, name in _roles(node, modules):
                found.setdefault(role, {})[name] = None
    if frames:
        found |= _of_loss(frames[0], {*found.get("loss_fn", ())})
    trained = found.pop("trained", {})
    if len(trained) == 1:
        found["model"] = trained  # the one whose parameters the optimizer has
    return {
        name: next(iter(found[role]))
        for name, role in ROLE_OF.items()
        if name not in used and len(found.get(role, ())) == 1
    }


def _module_classes(tree: ast.Module) -> set[str]:
    """The classes of this file that are modules."""
    names = {"Module", "Sequential", "LightningModule", "PreTrainedModel"}
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for _ in range(3):  # of a base that is itself one of the file's
        names |= {each.name for each in classes if any(last_name(base) in names for base in each.bases)}
    return names - {"Module", "LightningModule", "PreTrainedModel"}


def _roles(node: ast.AST, modules: set[str]) -> Iterator[tuple[str, str]]:
    """What this node tells of names: (role, name)."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "backward":
            yield from _named("loss", node.func.value)
        if last_name(node.func) in OPTIMIZERS:
            for each in ast.walk(node):
                if isinstance(each, ast.Attribute) and each.attr in ("parameters", "named_parameters"):
                    yield from _named("trained", each.value)
    if isinstance(node, ast.For):
        yield from _loop(node)
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.value, ast.Call):
        return
    made, target = last_name(node.value.func), node.targets[0]
    if made == "to" and isinstance(node.value.func, ast.Attribute):  # Net().to(device)
        inner = node.value.func.value
        made = last_name(inner.func) if isinstance(inner, ast.Call) else ""
    if made in OPTIMIZERS:
        yield from _named("optimizer", target)
    elif SCHEDULERS.search(made):
        yield from _named("scheduler", target)
    elif made == "GradScaler":
        yield from _named("scaler", target)
    elif made.endswith("Dataset"):
        yield from _named("dataset", target)
    elif made.endswith("Loss"):
        yield from _named("loss_fn", target)
    elif made in modules and isinstance(target, ast.Name):
        yield "model", target.id


def _of_loss(here: Here, losses: set[str]) -> dict[str, dict[str, None]]:
    """What goes into the loss that failed: its output and its target."""
    call = failing_call(here)
    if call is None or len(call.args) < 2:
        return {}
    named = dict(_named("loss_fn", call.func)).get("loss_fn")
    if named not in losses and not LOSSES.search(last_name(call.func)):
        return {}
    pairs = zip(("output", "target"), call.args, strict=False)
    return {role: {name: None} for role, node in pairs for _, name in _named(role, node)}


def _loop(node: ast.For) -> Iterator[tuple[str, str]]:
    """`for epoch in range(EPOCHS)`; `for x, y in batches` around a backward()."""
    iterated = node.iter
    call = iterated if isinstance(iterated, ast.Call) else None
    if call is not None and last_name(call.func) == "range" and len(call.args) == 1:
        if isinstance(node.target, ast.Name) and "epoch" in node.target.id.lower():
            yield from _named("epochs", call.args[0])
        return
    if call is not None and last_name(call.func) in ("enumerate", "tqdm") and call.args:
        iterated = call.args[0]
    trains = any(isinstance(each, ast.Attribute) and each.attr == "backward" for each in ast.walk(node))
    if trains and isinstance(node.target, ast.Tuple):
        yield from _named("loader", iterated)


def _named(role: str, node: ast.expr) -> Iterator[tuple[str, str]]:
    """A plain name, or an attribute of `self`; anything else could not be written in another place."""
    if isinstance(node, ast.Name):
        yield role, node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        yield role, f"self.{node.attr}"


def in_own_names(change: Change, names: Mapping[str, str]) -> Change:
    """The change with the program's names in its code, and in the code within its sentences."""
    if not names:
        return change

    def span(found: re.Match[str]) -> str:
        return f"`{renamed(found[1], names)}`"

    return replace(
        change,
        code=renamed(change.code, names),
        text=SPAN.sub(span, change.text),
        alternative=SPAN.sub(span, change.alternative),
    )


def renamed(code: str, names: Mapping[str, str]) -> str:
    """Code with these names replaced, as it stands where it does not read as Python or already uses one of
    the new names; a keyword's name, an attribute, a string and a comment stay.
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return code
    if any(token.type == tokenize.ERRORTOKEN for token in tokens):
        return code
    written = {token.string for token in tokens if token.type == tokenize.NAME}
    lines = code.split("\n")
    depth = 0
    places: list[tuple[int, int, int, str]] = []
    for number, token in enumerate(tokens):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        if token.type != tokenize.NAME or token.string not in names:
            continue
        before = tokens[number - 1].string if number else ""
        after = tokens[number + 1].string if number + 1 < len(tokens) else ""
        if before == "." or (after == "=" and depth > 0) or names[token.string] in written:
            continue
        places.append((token.start[0] - 1, token.start[1], token.end[1], names[token.string]))
    for line, start, end, new in reversed(places):
        lines[line] = lines[line][:start] + new + lines[line][end:]
    return "\n".join(lines)
