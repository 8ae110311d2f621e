"""unscale_() in every micro-batch of an accumulated step."""

# the script's model is float16 itself, which is another of this entry's mistakes
import ast

from torchwhy.lint.rule import look

SAYS = {
    "en": "`{code}` runs in each pass of the loop, `{step}` (line {line}) only in some: the second time it raises",
    "zh": "`{code}` 在循环的每一次都执行，而 `{step}`（第 {line} 行）只在部分次数执行：第二次就会报错",
}
FIX = {
    "en": "move it, and what clips the gradients, below the `if` of line {test}, before `{step}`",
    "zh": "把它和裁剪梯度的代码移到第 {test} 行的 `if` 里、`{step}` 之前",
}
IN_REPRO = None


def find(module):
    for call in module.methods("unscale_"):
        scaler = ast.unparse(call.func.value)
        for step in module.methods("step"):
            if ast.unparse(step.func.value) != scaler or module.function(step) is not module.function(call):
                continue
            loops = module.loops(call)
            if not loops or module.loops(step)[:1] != loops[:1]:
                continue
            test = within(module, step, loops[0])
            if test is not None and within(module, call, loops[0]) is None:
                yield look(
                    call,
                    code=ast.unparse(call)[:60],
                    step=ast.unparse(step)[:40],
                    line=str(step.lineno),
                    test=str(test.lineno),
                )


def within(module, node, loop):
    """The outermost `if` of the loop in which a node stands."""
    found = None
    for above in module.above(node):
        if above is loop:
            return found
        if isinstance(above, ast.If):
            found = above
    return found
