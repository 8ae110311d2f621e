"""Raw outputs into BCELoss, which wants probabilities."""

from torchwhy.lint import patterns as p

NOT_LIMITED = ("not limited to [0, 1]", "取值不限于 [0, 1]")
LESS_EXACT = ("less exact than BCEWithLogitsLoss", "数值上不如 BCEWithLogitsLoss 精确")

SAYS = {
    "en": "`{given}` goes into BCELoss: {problem}",
    "zh": "`{given}` 直接进入 BCELoss：{problem}",
}
FIX = {
    "en": "use BCEWithLogitsLoss on the raw output",
    "zh": "对原始输出使用 BCEWithLogitsLoss",
}
IN_REPRO = "train(lambda output, y: F.binary_cross_entropy(output"


def find(module):
    for call, made in p.inputs_of(module, "bce"):
        raw = all(each.op in ("linear", "conv", "relu", "tanh") for each in made)
        for each in made:
            if raw:
                yield p.wrong(call, given=p.text(each.node, 60), problem=NOT_LIMITED)
            elif each.op == "sigmoid":
                yield p.look(
                    each.within(module, call), raises=False, given=p.text(each.node, 60), problem=LESS_EXACT
                )
