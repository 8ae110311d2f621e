"""The loss that is to leave a label out."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def ignored_by_its_loss(line: FailingLine, values: Values) -> LineEdit | None:
    return line.with_keyword(line.makers("CrossEntropyLoss|NLLLoss"), f"ignore_index={values['label']}")
