"""A module whose forward is misspelt, or defined inside __init__."""

# the script's class is reached by both legs
import ast
import difflib

from torchwhy.lint.kinds import MODULE_BASES
from torchwhy.lint.rule import wrong

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
    for owner in module.classes.values():
        if (
            "forward" in owner.methods
            or owner.bases != ["torch.nn.Module"]
            or "__init__" not in owner.methods
        ):
            continue
        for node in ast.walk(owner.methods["__init__"]):
            if (
                isinstance(node, ast.FunctionDef)
                and node.name == "forward"
                and "self.forward" not in ast.unparse(owner.node)
            ):
                yield wrong(
                    node,
                    name=owner.node.name,
                    problem=("it is defined inside __init__", "它被定义在 __init__ 内部"),
                )
        for name, method in owner.methods.items():
            if (
                name != "forward"
                and difflib.SequenceMatcher(None, name.lower(), "forward").ratio() >= 0.85
                and not name.startswith("forward_")
            ):
                if not any(node.attr == name for node in module.by_type[ast.Attribute]):
                    yield wrong(method, name=owner.node.name, problem=(f"it has `{name}`", f"只有 `{name}`"))
