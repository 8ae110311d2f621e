"""What NumPy is given, cut off the graph for gradients."""

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone

CUT = {"tensor": "{it}.detach()", "list": "[each.detach() for each in {it}]"}


def cut_off(line: FailingLine, values: Values) -> LineEdit | None:
    """Each argument of the failing call that wants gradients, or holds what does. A list gives an array of its
    own, whose names below never had another value.
    """
    given = [*line.failed.args, *(each.value for each in line.failed.keywords)]
    kinds = {each: kind for each in given if (kind := line.record.in_graph(each))}
    if line.source is None or not kinds:
        return None
    places = {each: line.source.place_of(each) for each in kinds}
    edit = line.put_all(
        [
            (place, CUT[kinds[each]].replace("{it}", place.written) if place else "")
            for each, place in places.items()
        ]
    )
    return edit if "tensor" in kinds.values() else alone(edit)
