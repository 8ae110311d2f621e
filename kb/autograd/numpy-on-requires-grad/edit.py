"""What NumPy is given, cut off the graph for gradients."""

from torchwhy.source.edits import FailingLine, LineEdit, Values

CUT = {"tensor": "{it}.detach()", "list": "[each.detach() for each in {it}]"}


def cut_off(line: FailingLine, values: Values) -> LineEdit | None:
    """Each argument of the failing call that wants gradients, or holds what does."""
    given = [*line.failed.args, *(each.value for each in line.failed.keywords)]
    parts = []
    for each in given:
        new, place = CUT.get(line.record.in_graph(each), ""), line.file.place_of(each)
        if new and place is not None:
            parts.append((place, new.replace("{it}", place.written)))
    return line.put_all(parts) if parts else None
