"""The result of load_state_dict taken for the model."""

# the script prints the report, and assigns nothing
import ast

from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}` replaces the model by what load_state_dict returns, which is a report of keys",
    "zh": "`{code}` 用 load_state_dict 的返回值（键的报告）替换了模型",
}
FIX = {
    "en": "call it alone: `{call}`",
    "zh": "单独调用：`{call}`",
}
IN_REPRO = None


def find(module):
    for call in module.methods("load_state_dict"):
        above = module.parent[call]
        shown = {"call": ast.unparse(call)[:60]}
        if isinstance(above, ast.Assign) and ast.unparse(above.targets[0]) == ast.unparse(call.func.value):
            yield wrong(above, code=ast.unparse(above)[:70], **shown)
        elif isinstance(above, ast.Attribute) and above.attr in (
            "eval",
            "to",
            "cuda",
            "train",
            "cpu",
            "half",
        ):
            yield wrong(call, code=ast.unparse(above)[:70], **shown)
