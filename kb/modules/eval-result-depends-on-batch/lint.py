"""The last column of a padded batch taken for each sequence's last step."""

# the script packs by a flag that its class keeps
import ast

from torchwhy.lint.kinds import makers
from torchwhy.lint.module import constant
from torchwhy.lint.rule import wrong

LAYERS = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN")

SAYS = {
    "en": "`{use}` is padding for all but the longest sequence of the batch",
    "zh": "除批次中最长的序列外，`{use}` 取到的都是填充",
}
FIX = {
    "en": "pack the batch (pack_padded_sequence) and use the returned state, or gather at lengths - 1",
    "zh": "用 pack_padded_sequence 打包并使用返回的状态，或按 lengths - 1 取值",
}
IN_REPRO = None


def find(module):
    pads = module.calls("torch.nn.utils.rnn.pad_sequence")
    if not pads or module.calls("torch.nn.utils.rnn.pack_padded_sequence"):
        return
    for node in module.by_type[ast.Subscript]:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if (
            len(parts) < 2
            or constant(parts[1]) != -1
            or not isinstance(parts[0], ast.Slice)
            or not isinstance(node.value, ast.Name)
        ):
            continue
        for each in module.bindings(node.value)[:1]:
            if each.part == "item" and each.index == 0 and isinstance(each.value, ast.Call):
                if any(module.name(made.func) in LAYERS for made in makers(module, each.value.func)):
                    yield wrong(node, use=ast.unparse(node))
