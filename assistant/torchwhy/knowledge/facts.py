"""Facts about a machine: the vocabulary that entries may ask for, and what is known of one machine.

`machine_facts` reads this machine's, `collect_env` those of a pasted report of another. A fact has a value
(None: looked for and not there), or it is unknown with a reason. A rule that needs an unknown fact says
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from torchwhy.knowledge.vocabulary import FACT_NAMES, Value, canonical, is_shown_package
from torchwhy.runtime.json_types import JSONObject

# How a report groups them: (the phrase of the heading, beginnings of names).
GROUPS = (
    ("facts_gpu", ("gpu.", "driver.")),
    ("facts_software", ("torch.", "python.", "package.", "library.", "compiler", "shadow.")),
    ("facts_memory", ("ram.", "shm.", "disk.")),
    ("facts_system", ("platform", "container", "cpu.", "limit.")),
    ("facts_env", ("env.",)),
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `value` None: looked for and not there. `how`: where it was read.

    `unknown`: why nothing is known, a phrase's key ("" where something is); `detail`: what that sentence
    quotes.
    """

    value: Value | None = None
    how: str = ""
    unknown: str = ""
    detail: str = ""

    @property
    def known(self) -> bool:
        return not self.unknown


@dataclass(frozen=True, slots=True)
class Process:
    """A process on a GPU. `memory` in bytes, None where the driver does not say; `name` and `own` (is it this
    user's?) from /proc.
    """

    pid: int
    memory: int | None = None
    name: str = ""
    own: bool | None = None


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU (or MIG instance) as the driver describes it; memory in bytes, None where the driver does not
    say.

    `index` is NVML's, which is the order on the PCI bus, not CUDA's own. `uuid` chooses it in
    CUDA_VISIBLE_DEVICES; it is the card's serial number as well, and is never shown. `usable`: False for one
    that no program here can open.
    """

    index: int
    name: str
    memory_total: int | None = None
    memory_free: int | None = None
    memory_used: int | None = None
    processes: int | None = None
    compute_mode: str | None = None
    capability: str | None = None
    uuid: str | None = None
    users: tuple[Process, ...] = ()
    usable: bool = True

    def as_json(self) -> JSONObject:
        rows: list[JSONObject] = [
            {"pid": one.pid, "memory": one.memory, "name": one.name or None, "own": one.own}
            for one in self.users
        ]
        return {
            **{slot: getattr(self, slot) for slot in self.__slots__ if slot not in ("uuid", "users")},
            "users": rows,
        }


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one machine. `origin`: this machine, or a pasted report of another.

    `absent`: beginnings of names that were searched completely: a fact that begins so and is not listed is
    known to be missing. `interpreter`: the Python whose torch this is; `chosen`: why that one, a
    phrase's key; `notes`: (phrase's key, detail).
    """

    origin: Literal["machine", "report"]
    facts: Mapping[str, Fact]
    absent: tuple[str, ...] = ()
    interpreter: str = ""
    chosen: str = ""
    gpus: tuple[Gpu, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> Fact:
        """The fact of that name; unknown where nobody looked."""
        name = canonical(name)
        found = self.facts.get(name)
        if found is not None:
            return found
        return Fact(None, "") if name.startswith(self.absent) else Fact(unknown="fact_not_looked")

    def as_json(self) -> JSONObject:
        from torchwhy.text.phrases import phrase

        rows = {}
        for name in report_names(self):
            fact = self.get(name)
            rows[name] = {
                "value": fact.value,
                "how": fact.how or None,
                "unknown": phrase(fact.unknown, "en", detail=fact.detail) if fact.unknown else None,
            }
        gpus = [gpu.as_json() for gpu in self.gpus]
        notes = [phrase(key, "en", detail=detail) for key, detail in self.notes]
        return {
            "schema": 1,
            "origin": self.origin,
            "interpreter": self.interpreter or None,
            "gpus": gpus,
            "facts": rows,
            "notes": notes,
        }


def report_names(facts: Facts) -> list[str]:
    """Names for a report, in order: the table's, the packages worth showing, the variables."""
    extra = [
        name
        for name in facts.facts
        if name.startswith("env.")
        or (name.startswith("package.") and is_shown_package(name.removeprefix("package.")))
    ]
    return [*FACT_NAMES, *sorted(extra)]
