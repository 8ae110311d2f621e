"""A model that is loaded inside the function that answers a request."""

# the script plays the server without a web framework
import ast

from torchwhy.lint.rule import wrong

ROUTES = frozenset("route get post put websocket api_route endpoint".split())
LOADS = (
    "torch.load",
    "torch.jit.load",
    "torch.hub.load",
    "transformers.pipeline",
    "safetensors.torch.load_file",
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
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef):
        for function in module.by_type[kind]:
            if not any(is_route(each) for each in function.decorator_list):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and (
                    module.name(node.func) in LOADS
                    or isinstance(node.func, ast.Attribute)
                    and node.func.attr == "from_pretrained"
                ):
                    if not any(isinstance(above, ast.If) for above in module.above(node)):
                        yield wrong(node, call=ast.unparse(node)[:60])


def is_route(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ROUTES
