"""A loader whose batch is the whole data set."""

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`batch_size={size}` sends all of `{data}` through the network at once, with its activations",
    "zh": "`batch_size={size}` 会让整个 `{data}` 一次通过网络，连同所有激活值",
}
FIX = {
    "en": "take batches of a fixed size, 32 to 256 samples",
    "zh": "使用固定大小的批次，32 到 256 个样本",
}
IN_REPRO = None


def find(module):
    for call in module.calls(p.LOADER):
        data, size = p.argument(call, 0, "dataset"), p.argument(call, 1, "batch_size")
        counted = (made.args for made in p.values_by(module, size, "builtins.len"))
        if any(each and p.text(each[0]) == p.text(data) for each in counted):
            yield p.look(call, size=p.text(size), data=p.text(data))
