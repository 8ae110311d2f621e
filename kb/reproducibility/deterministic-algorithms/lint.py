"""An operation without a deterministic form, on the GPU, where nothing asks for determinism."""

# the script asks for determinism and is refused
import ast

from torchwhy.lint.rule import look

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
    function_on = [module.scope(call) for call in module.calls("torch.use_deterministic_algorithms")]
    for call in module.calls("torch.bmm", "torch.sparse.mm"):
        text = " ".join(ast.unparse(value) for given in call.args for value in module.values(given))
        if (
            "sparse" in text
            and "cuda" in text
            and module.scope(call) not in function_on
            and module.tree not in function_on
        ):
            yield look(call, call=ast.unparse(call.func))
