"""The result of an in-place method under a second name."""

# the script changes its tensor in a statement of its own
import ast

from assistant.lint.kinds import kind
from assistant.lint.rule import look

METHODS = tuple(
    f"{name}_"
    for name in "add mul sub div clamp relu sigmoid tanh exp neg sqrt pow squeeze unsqueeze t masked_fill".split()
)

SAYS = {
    "en": "`{code}` gives a second name to the tensor that `{method}` has changed",
    "zh": "`{code}` 只是给被 `{method}` 改变的张量取了第二个名字",
}
FIX = {
    "en": "use the method without the underscore, or keep one name",
    "zh": "使用不带下划线的方法，或只保留一个名字",
}
IN_REPRO = None


def find(module):
    for call in module.methods(*METHODS):
        statement = module.parent[call]
        if (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and isinstance(call.func.value, ast.Name)
        ):
            if statement.targets[0].id != call.func.value.id and kind(module, call.func.value) == "tensor":
                yield look(statement, code=ast.unparse(statement)[:60], method=call.func.attr)
