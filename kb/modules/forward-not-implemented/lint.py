"""A module whose forward is misspelt, or defined inside __init__."""

# the script's class is reached by both legs
import ast
import difflib

from torchwhy.lint import patterns as p

INSIDE = ("it is defined inside __init__", "它被定义在 __init__ 内部")

SAYS = {
    "en": "`{name}` has no forward: {problem}",
    "zh": "`{name}` 没有 forward：{problem}",
}
FIX = {
    "en": "define `def forward(self, ...)` at the level of the class",
    "zh": "在类的层级定义 `def forward(self, ...)`",
}
IN_REPRO = None


def find(module):
    read = {each.attr for each in module.by_type[ast.Attribute]}
    for owner in p.classes(module, ("torch.nn.Module",), "__init__"):
        if "forward" in owner.methods or owner.bases != ["torch.nn.Module"]:
            continue
        for node in p.inside(owner.methods["__init__"], ast.FunctionDef):
            if node.name == "forward" and "self.forward" not in ast.unparse(owner.node):
                yield p.wrong(node, name=owner.node.name, problem=INSIDE)
        for name, function in owner.methods.items():
            near = difflib.SequenceMatcher(None, name.lower(), "forward").ratio() >= 0.85
            if near and not name.startswith("forward_") and name not in read:
                yield p.wrong(function, name=owner.node.name, problem=(f"it has `{name}`", f"只有 `{name}`"))
