"""torch.load without map_location."""

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` puts the tensors where they were saved, which may be a GPU that is not there",
    "zh": "`{call}` 会把张量放回保存时的设备，而那块 GPU 可能不存在",
}
FIX = {
    "en": 'pass map_location="cpu" (or the device)',
    "zh": '传入 map_location="cpu"（或目标设备）',
}
IN_REPRO = "model.load_state_dict(torch.load("


def find(module):
    for call in module.calls("torch.load"):
        if p.argument(call, 1, "map_location") is None and not p.is_open(call):
            yield p.look(call, call=p.text(call, 60))
