"""Who asks whom for what it lacks, as Python itself prints it of packages that really do not fit."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from torchwhy.paste.out_of_step import out_of_step
from torchwhy.paste.parse import parse

TIMM = {
    "site-packages/timm/__init__.py": "",
    "site-packages/timm/layers.py": "class Mlp:\n    def __init__(self, width): ...\n",
}
CASES = {
    "a name": (
        {"site-packages/open_clip.py": "from timm.layers import Swish\n", "main.py": "import open_clip\n"},
        "out of step (name): open-clip-torch asks timm.layers of timm for Swish",
    ),
    "a module": (
        {"site-packages/open_clip.py": "import timm.blocks\n", "main.py": "import open_clip\n"},
        "out of step (name): open-clip-torch asks timm of timm for blocks",
    ),
    "an attribute of a module": (
        {"main.py": "import timm\n\ntimm.create_model()\n"},
        "out of step (name): your code asks timm of timm for create_model",
    ),
    "an argument": (
        {"site-packages/lora.py": "from timm.layers import Mlp\nMlp(3, bias=True)\n", "main.py": "import lora\n"},
        "out of step (argument): lora asks Mlp.__init__ for got an unexpected keyword argument 'bias'",
    ),
    "an attribute": (
        {"site-packages/lora.py": "from timm.layers import Mlp\nMlp(3).fuse()\n", "main.py": "import lora\n"},
        "out of step (attribute): lora asks Mlp for fuse",
    ),
    "its own other release": (
        {"site-packages/peft/__init__.py": "from .tuners import lora\n", "site-packages/peft/tuners.py": "", "main.py": "import peft\n"},
        "out of step (mixed): peft asks peft.tuners of peft for lora",
    ),
    "a file in the way": (
        {"timm.py": "", "main.py": "from timm import create_model\n"},
        "out of step (file): your code asks timm of timm for create_model",
    ),
}  # fmt: skip


def failure(folder: Path, files: Mapping[str, str]) -> str:
    """What Python prints of main.py beside these files, its packages in site-packages."""
    for name, text in {**TIMM, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    search = f"import sys; sys.path.append({str(folder / 'site-packages')!r}); sys.path[0] = {str(folder)!r}"
    (folder / "sitecustomize.py").write_text(search)
    done = subprocess.run(
        [sys.executable, str(folder / "main.py")],
        env={"PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stderr


@pytest.mark.parametrize("case", CASES)
def test_who_asks_whom(case: str, tmp_path: Path) -> None:
    files, line = CASES[case]
    step = out_of_step(parse(failure(tmp_path, files)))
    assert step is not None and step.line == line and step.sure


@pytest.mark.parametrize(
    "files",
    [
        {"helpers.py": "", "main.py": "from helpers import load\n"},
        {"main.py": "class Net:\n    def __init__(self, width): ...\n\n\nNet(widht=3)\n"},
        {"main.py": "class Net: ...\n\n\nNet().widht\n"},
    ],
)
def test_a_slip_in_the_users_own_program_is_not_sure(files: dict[str, str], tmp_path: Path) -> None:
    step = out_of_step(parse(failure(tmp_path, files)))
    assert step is not None and not step.sure


@pytest.mark.parametrize(
    "files",
    [
        {"main.py": "from collections import Mapping\n"},
        {"main.py": "import a\n", "a.py": "import b\n", "b.py": "import a\na.go()\n"},
        {"main.py": "None.wrap\n"},
    ],
)
def test_python_itself_a_cycle_and_none_are_no_two_releases(files: dict[str, str], tmp_path: Path) -> None:
    assert out_of_step(parse(failure(tmp_path, files))) is None
