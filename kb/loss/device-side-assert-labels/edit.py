"""The loss that is to leave a label out."""

from torchwhy.source.edits import Edit, FailingLine, Values


def ignored_by_its_loss(line: FailingLine, values: Values) -> Edit | None:
    return line.with_keyword(line.makers("CrossEntropyLoss|NLLLoss"), f"ignore_index={values['label']}")
