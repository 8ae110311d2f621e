"""A model that is loaded inside the function that answers a request."""

# the script plays the server without a web framework
import ast

from torchwhy.lint import patterns as p

ROUTES = frozenset("route get post put websocket api_route endpoint".split())
LOADS = (
    *("torch.load", "torch.jit.load", "torch.hub.load"),
    *("transformers.pipeline", "safetensors.torch.load_file"),
)

SAYS = {
    "en": "`{call}` loads the model anew for every request",
    "zh": "`{call}` 在每次请求时都重新加载模型",
}
FIX = {
    "en": "load it once when the server starts, and use it in the function",
    "zh": "在服务启动时加载一次，在函数中使用",
}
IN_REPRO = None


def find(module):
    for function in [*module.by_type[ast.FunctionDef], *module.by_type[ast.AsyncFunctionDef]]:
        if any(p.method(each) in ROUTES for each in function.decorator_list):
            for call in p.inside(function, ast.Call):
                loads = module.name(call.func) in LOADS or p.method(call) == "from_pretrained"
                if loads and not p.conditions(module, call, None):
                    yield p.wrong(call, call=p.text(call, 60))
