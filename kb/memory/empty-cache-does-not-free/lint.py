"""empty_cache() in every step."""

# the script calls it once, after its loop
import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` in every step frees nothing that is still held, and slows each allocation",
    "zh": "每一步都调用 `{call}` 不会释放仍被持有的显存，还会拖慢每次分配",
}
FIX = {
    "en": "drop the references instead (del, .item(), no_grad), and leave the cache alone",
    "zh": "改为去掉引用（del、.item()、no_grad），不必清缓存",
}
IN_REPRO = None


def find(module):
    for loop, _ in p.training_loops(module):
        for call in module.calls("torch.cuda.empty_cache"):
            sometimes = any(isinstance(each, ast.If | ast.ExceptHandler) for each in module.above(call))
            if module.loops(call)[:1] == [loop] and not sometimes:
                yield p.look(call, call=p.text(call))
