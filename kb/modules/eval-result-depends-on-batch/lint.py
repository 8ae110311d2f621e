"""The last column of a padded batch taken for each sequence's last step."""

# the script packs by a flag that its class keeps
import ast

from torchwhy.lint import patterns as p

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
    packed = module.calls("torch.nn.utils.rnn.pack_padded_sequence")
    if packed or not module.calls("torch.nn.utils.rnn.pad_sequence"):
        return
    for node, call in p.last_steps(module):
        if isinstance(node.value, ast.Name):
            if any(module.name(made.func) in p.RECURRENT for made in p.makers(module, call.func)):
                yield p.wrong(node, use=p.text(node))
