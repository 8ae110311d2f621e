"""What a last layer gives, as what it is."""

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.flow import made_by


def as_logits(line: FailingLine, values: Values) -> LineEdit | None:
    """`logits=` for what comes out of a layer without a softmax behind it."""
    source = line.source
    calls = [each for each in line.calls("Categorical") if each.lineno == line.here.line]
    given = given_at(calls[0], "0|probs") if len(calls) == 1 else None
    made = made_by(source, given) if source is not None else []
    place = source.place_of(given) if source is not None else None
    if place is None or not made or any(each.op not in ("linear", "conv") for each in made):
        return None
    if place.text[: place.start].endswith("probs="):
        place = place._replace(start=place.start - len("probs="))
    elif given is not calls[0].args[0]:
        return None
    written = place.written.removeprefix("probs=")
    return alone(LineEdit(place, place.with_text(f"logits={written}")))
