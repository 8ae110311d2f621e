"""Where an example was really printed: `printed.yaml` in an entry's folder, one record an example.

    - example: the example as it stands in the entry
      repro: 2.13.0                  the entry's own script printed it under this release of torch
      torch: 1.4.0 + program: ...    this program printed it under this release
      thread: https://...            not to be had on a CPU with Linux: somebody pasted it there
      but: what differs              beside thread: what of the example stands otherwise there (numbers)
      source: where                  the statement that prints it (release, file, function), or what was run
                                     where no program can replay it

An example without a record is one that the entry's own script prints under today's torch. In place of
`example`, `also` is a real text, or a list of them, that the entry claims as well: it shows a part of a
pattern, a sentence or a change that no example shows. Read by `torchwhy kb check` and the tests; no answer
needs it, so a wheel does not carry it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.files import read_text
from torchwhy.knowledge.wordings import Wordings

FORMS = ({"repro"}, {"torch", "program"}, {"thread"}, {"thread", "but"}, {"source"})

Record = Mapping[str, str]


def read_records(entry: Pitfall) -> list[Record]:
    """The records of an entry, one a text; [] where it has none.

    Raises yaml.YAMLError, ValueError, OSError.
    """
    path = Path(entry.folder) / "printed.yaml"
    if not path.is_file():
        return []
    from torchwhy.knowledge.schema import load_yaml

    data = load_yaml(read_text(path)) or []
    if not isinstance(data, list) or not all(isinstance(record, dict) for record in data):
        raise ValueError("it holds no list of records")
    return [
        {name: str(value).strip("\n") for name, value in {**record, **shown}.items()}
        for record in data
        for shown in _shown(record)
    ]


def _shown(record: Mapping[str, object]) -> list[dict[str, object]]:
    """Each of the texts that a record lists under `also`; of another record nothing of its own."""
    also = record.get("also")
    return [{"also": text} for text in also] if isinstance(also, list) else [{}]


def check_records(entry: Pitfall) -> list[Problem]:
    """Every record that names no example of the entry and no other text that it claims, or does not say in
    one way where it was printed.
    """
    import yaml

    from torchwhy.knowledge.schema import yaml_problem

    file = f"{entry.category}/{entry.id}/printed.yaml"
    wanted = "one of " + "; ".join(" and ".join(sorted(form)) for form in FORMS)
    try:
        records = read_records(entry)
    except yaml.YAMLError as error:
        return [yaml_problem(file, read_text(Path(entry.folder) / "printed.yaml"), error)]
    except (OSError, ValueError) as error:
        return [Problem(file, "(file)", str(error), "a list of records, one an example")]
    examples = {signature.example for signature in entry.signatures}
    wordings = Wordings.of([entry])
    problems = []
    for number, record in enumerate(records):
        names = set(record) - {"example", "also"}
        if "also" in record and "example" not in record:
            if not wordings.claimants(record["also"]):
                wanted_text = "a text that one of the signatures matches"
                problems.append(Problem(file, f"[{number}].also", repr(record["also"]), wanted_text))
        elif record.get("example", "").strip() not in examples:
            found = repr(record.get("example"))
            problems.append(
                Problem(file, f"[{number}].example", found, "an example of one of the signatures")
            )
        if names not in FORMS:
            found = ", ".join(sorted(names)) or "nothing"
            problems.append(Problem(file, f"[{number}]", found, wanted))
        elif not record.get("thread", "https://").startswith("https://"):
            problems.append(
                Problem(file, f"[{number}].thread", record["thread"], "a page that opens with https://")
            )
    return problems
