"""The values that the parts of torchwhy hand to one another: named tuples, with no heavy import."""

# Annotations are evaluated here: as texts, a record's are compiled one by one, half of this file's import.
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Literal, NamedTuple

from torchwhy.text.language import Bilingual
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.plain import escaped

ID = lazy_compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")  # of an entry, and of a category
Kind = Literal["error", "warning", "silent"]
KINDS: tuple[Kind, ...] = ("error", "warning", "silent")
EFFECTS = ("crash", "wrong-result", "memory", "slow", "hang", "not-reproducible", "practice")


class Says(NamedTuple):
    """What the numbers in a message mean; shown when `when` holds for the pattern's groups (None: always)."""

    text: Bilingual
    when: str | None = None


# What a template may ask of a group beside its text: the product of a list of sizes, how many they are, the
# list backwards and without its first, the name without its last part (`fc` of fc.weight), twice the number
# and the whole numbers next to it; of `got`, how many samples of `want` numbers its `rows` are if flattened.
DERIVED = ("count", "dims", "reversed", "tail", "layer", "twice", "above", "below", "samples")
# In a condition: whose line raised, `own` or `torch` (a layer, a loss); unknown without a traceback
CALLER = "caller"
# In a condition, what is known of the failing line: its function and what failed (a call, `and`, `if` ...);
# from a record of the crash also the shape, each size, the number of sizes, the product of the last two and
# the dtype of what went into it, and the first number that a layer of torch's was made with (in_features)
# (dotted: no word that a condition compares with is one of them)
FUNCTION, OPERATION, INPUT, MAX_INPUT_DIMS = "line.function", "line.op", "input", 5
LAST_TWO, LAYER_FIRST = f"{INPUT}.last2", "layer.first"
OF_INPUT = ("shape", "dims", "dtype", *range(MAX_INPUT_DIMS))
LINE_FACTS = frozenset(
    [FUNCTION, OPERATION, LAST_TWO, LAYER_FIRST, *(f"{INPUT}.{each}" for each in OF_INPUT)]
)
# What the user's file fills in. In an edit, as it stands there: what is written anew, the first argument of
# the failing call, what a method is called on; in the words beside one, what a Function's forward takes.
OF_THE_SOURCE = frozenset(["it", "argument0", "object", "parameters"])
# Where Python misses a package, what is known on this machine: the Python that failed, the command that
# installs packages into it, and the program's under another Python, which has the package.
OF_THE_PYTHON = frozenset(["python", "install", "rerun"])
# The group of a pattern that names a row of the entry's `rows.json`, and the column by which it is known
ROW, ROW_ID = "row", "id"
# How a change was applied to a program that then ran: as an edit of a line, or its code in place of one; code
# that did not fix one
Form = Literal["edit", "code", "not code"]
FORMS: tuple[Form, ...] = ("edit", "code")
REFUTED_CODE: Form = "not code"


class EditTemplate(NamedTuple):
    """How a line of the user's is changed.

    `line`: a text of the failing line, which becomes `to`. `to`: stands in the place of an argument of the
    failing call, or of the only call of the name `call` in that line, and has {it} in it where the argument
    stays; `append`: goes behind it. `argument`: its place (-1 is the last), its keyword behind a bar:
    `1|target`. In place of a name `[]` is the failing index, `@` the only matrix product, of operands 0
    and 1. `keyword`: is added to the only call of that name in the file. `function`: what these cannot say, a
    function of the entry's `edit.py`.
    """

    call: str | None = None
    argument: str | None = None
    to: str | None = None
    append: str | None = None
    keyword: str | None = None
    line: str | None = None
    function: str | None = None


class ChangeTemplate(NamedTuple):
    """What to change, with the numbers of a message: `says` what they mean in a sentence, `do` or `code` the
    change.

    `when` compares groups of the patterns, or facts of the machine. `other` is one alternative. A change that
    belongs to one signature may leave `says` to that signature's own sentences. `only_as_edit`: it is shown
    only where one of its edits fits the user's file, which then shows that it holds. `applied`: in which
    forms it was applied to a program that then ran (`witness.json`), and whether its code did not fix one.
    `proved`: how many programs its edits fixed, where the law of changes holds for the entry.
    """

    says: Bilingual | None
    when: str | None = None
    do: Bilingual | None = None
    code: str | None = None
    edits: tuple[EditTemplate, ...] = ()
    other: Bilingual | None = None
    only_as_edit: bool = False
    applied: tuple[Form, ...] = ()
    proved: int = 0


class Signature(NamedTuple):
    """One wording of a message. `pattern` and `context` are RE2; `releases` a PEP 440 range of torch.

    `change`: what this wording asks for, where the entry's other wordings ask for something else.
    """

    pattern: str
    example: str
    releases: str | None = None
    context: str | None = None
    says: tuple[Says, ...] = ()
    change: tuple[ChangeTemplate, ...] = ()


class LookAlike(NamedTuple):
    """A confusable entry; `near_miss` is a paste that the other one owns and this one must not win."""

    id: str
    near_miss: str | None = None


class Neighbour(NamedTuple):
    """A real line that no signature of this entry may match.

    `of`: whose it is, another entry's id or the name of another program or package, whose line no entry at
    all may match.
    """

    of: str
    line: str


class Needs(NamedTuple):
    """What a repro needs. Empty: any machine with a CPU and torch. `seconds` is the limit of one leg."""

    cuda: bool = False
    gpus: int = 0
    gpu_memory: str | None = None
    torch: str | None = None
    python: str | None = None
    packages: tuple[str, ...] = ()
    platform: str | None = None
    compiler: bool = False
    capability: str | None = None
    seconds: float = 120.0


class FactRule(NamedTuple):
    """A condition on facts of the machine, and which way it speaks where it holds."""

    when: str
    speaks: Literal["for", "against"]
    text: Bilingual


class Source(NamedTuple):
    """Where the knowledge comes from: a section of a document of `data/shipped/documents.yaml`, or a page to
    open.
    """

    document: str | None = None
    section: str | None = None
    url: str | None = None
    title: str | None = None


class Pitfall(NamedTuple):
    """One entry of the knowledge base. `id` and `category` are the entry's path; `folder` its directory."""

    id: str
    category: str
    title: Bilingual
    kind: Kind
    effect: str
    asks: Mapping[str, Sequence[str]]
    cause: Bilingual
    fix: Bilingual
    check: Bilingual
    sources: tuple[Source, ...]
    signatures: tuple[Signature, ...] = ()
    change: tuple[ChangeTemplate, ...] = ()
    symptom: str | None = None
    look_alikes: tuple[LookAlike, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    needs: Needs = Needs()
    facts: tuple[FactRule, ...] = ()
    no_repro: Bilingual | None = None
    folder: str = ""

    @property
    def repro(self) -> str | None:
        """Path of repro.py, or None where the entry says why there is none."""
        return None if self.no_repro else f"{self.folder}/repro.py"


def as_data(value: Any) -> Any:
    """A record and the records in it as dicts by the names of their fields; tuples stay tuples."""
    if isinstance(value, tuple):
        names: tuple[str, ...] | None = getattr(value, "_fields", None)
        parts = tuple(map(as_data, value))
        return parts if names is None else dict(zip(names, parts, strict=True))
    return {name: as_data(part) for name, part in value.items()} if isinstance(value, Mapping) else value


def from_data(kind: Any, data: Any) -> Any:
    """The record of type `kind` whose JSON form (`as_data`) this is, by the annotations of its fields."""
    if not isinstance(data, dict | list):
        return data
    if isinstance(kind, UnionType):  # of `Says | None` the first
        return from_data(kind.__args__[0], data)
    if isinstance(data, list):
        return tuple(from_data(kind.__args__[0], each) for each in data)
    if hasattr(kind, "__origin__"):
        return {name: from_data(kind.__args__[1], value) for name, value in data.items()}
    types = kind.__annotations__
    return kind(**{name: from_data(types[name], value) for name, value in data.items()})


class Problem(NamedTuple):
    """One thing wrong with an entry: which file and field, what was found, what is wanted."""

    file: str
    field: str
    found: str
    wanted: str

    def __str__(self) -> str:
        return escaped(f"{self.file}: {self.field}: found {self.found}; wanted {self.wanted}")
