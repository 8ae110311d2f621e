"""An operation without a deterministic form, on the GPU, where nothing asks for determinism."""

# the script asks for determinism and is refused
import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` of a sparse tensor on the GPU gives other last digits in each run",
    "zh": "`{call}` 在 GPU 上处理稀疏张量，每次运行的末位数字都会不同",
}
FIX = {
    "en": "call torch.use_deterministic_algorithms(True) where runs must agree",
    "zh": "需要结果一致时调用 torch.use_deterministic_algorithms(True)",
}
IN_REPRO = None


def find(module):
    asked_in = [module.scope(call) for call in module.calls("torch.use_deterministic_algorithms")]
    for call in module.calls("torch.bmm", "torch.sparse.mm"):
        values = " ".join(ast.unparse(value) for each in call.args for value in module.values(each))
        if "sparse" in values and "cuda" in values:
            if module.scope(call) not in asked_in and module.tree not in asked_in:
                yield p.look(call, call=p.text(call.func))
