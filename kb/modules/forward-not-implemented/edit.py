"""A forward under another name."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values


def renamed(line: FailingLine, values: Values) -> LineEdit | None:
    """The only method of the class that nothing calls and that takes something gets the name; it has never
    run, so nothing else can change.
    """
    source = line.file
    classes = [each for each in source.of(ast.ClassDef) if each.name == values["name"]]
    methods = [each for cls in classes for each in cls.body if isinstance(each, ast.FunctionDef)]
    used = {each.attr for each in source.of(ast.Attribute)} | {"forward"}
    left = [each for each in methods if each.name not in used and not each.name.startswith("__")]
    left = [each for each in left if len(each.args.args) > 1]
    edit = line.shown(left[0].lineno) if len(left) == 1 else None
    if edit is None or any(each.name == "forward" for each in methods):
        return None
    after = edit.place.text.strip().replace(f"def {left[0].name}(", "def forward(")
    return edit._replace(after=after, alone=True)
