"""The result of load_state_dict taken for the model."""

# the script prints the report, and assigns nothing
from torchwhy.lint.patterns import assigned, text, wrong

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
        if assigned(module, call) == text(call.func.value):
            yield wrong(above, code=text(above, 70), call=text(call, 60))
        elif getattr(above, "attr", "") in ("eval", "to", "cuda", "train", "cpu", "half"):
            yield wrong(call, code=text(above, 70), call=text(call, 60))
