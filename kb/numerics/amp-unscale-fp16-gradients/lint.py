"""unscale_() in every micro-batch of an accumulated step."""

# the script's model is float16 itself, which is another of this entry's mistakes
from torchwhy.lint import patterns as p

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
        for step in module.methods("step"):
            loops = module.loops(call)
            if (
                p.text(step.func.value) != p.text(call.func.value)
                or not loops
                or not p.same_pass(module, step, call)
            ):
                continue
            tests = p.conditions(module, step, loops[0])
            if tests and not p.conditions(module, call, loops[0]):
                test = str(tests[-1].lineno)
                yield p.look(
                    call, code=p.text(call, 60), step=p.text(step, 40), line=str(step.lineno), test=test
                )
