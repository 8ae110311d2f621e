"""The result of load_state_dict taken for the model."""

# the script prints the report, and assigns nothing
from torchwhy.lint import patterns as p

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
        if p.assigned(module, call) == p.text(call.func.value):
            yield p.wrong(above, code=p.text(above, 70), call=p.text(call, 60))
        elif getattr(above, "attr", "") in ("eval", "to", "cuda", "train", "cpu", "half"):
            yield p.wrong(call, code=p.text(above, 70), call=p.text(call, 60))
