"""What the metadata beside two packages says of their releases, in folders as an installation leaves them."""

from pathlib import Path

import pytest

from torchwhy import Assistant
from torchwhy.answers.required import required
from torchwhy.paste.parse import parse


def failure(folder: Path, requires: str) -> str:
    """The traceback of an open_clip in this folder that asks its timm for a name, and both packages' metadata."""
    packages = folder / "site-packages"
    for name, release, line in [("timm", "0.6.13", ""), ("open_clip_torch", "2.30.0", requires)]:
        info = packages / f"{name}-{release}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n{line}")
    return (
        "Traceback (most recent call last):\n"
        f'  File "{packages}/open_clip/model.py", line 14, in <module>\n    from timm.layers import Swish\n'
        f"ImportError: cannot import name 'Swish' from 'timm.layers' ({packages}/timm/layers.py)\n"
    )


@pytest.mark.parametrize(
    ("requires", "said"),
    [
        ("Requires-Dist: timm>=1.0.10\n", "open-clip-torch 2.30.0 wants timm>=1.0.10; 0.6.13 is installed."),
        ("Requires-Dist: timm\n", "Installed are open-clip-torch 2.30.0 and timm 0.6.13, which open-clip-torch itself"),
        ('Requires-Dist: timm>=1; extra == "test"\n', "Installed are open-clip-torch 2.30.0"),
    ],
)  # fmt: skip
def test_what_a_package_wants_of_the_one_that_it_asks(
    requires: str, said: str, tmp_path: Path, real: Assistant
) -> None:
    text = failure(tmp_path, requires)
    known = required(parse(text))
    assert known is not None and known.words("en").startswith(said)
    shown = real.ask(text, source=True, lang="en").to_dict()["screen"]["says"]
    assert said in shown and "asks `timm.layers` for `Swish`" in shown


def test_a_folder_without_metadata_says_nothing(tmp_path: Path) -> None:
    text = failure(tmp_path, "").replace("site-packages", "nowhere/site-packages")
    assert required(parse(text)) is None


def test_a_release_that_cannot_be_compared_says_nothing(tmp_path: Path) -> None:
    text = failure(tmp_path, "Requires-Dist: timm>=1.0.10\n")
    (metadata,) = tmp_path.rglob("timm-*/METADATA")
    metadata.write_text(metadata.read_text().replace("Version: 0.6.13", "Version: unknown"))
    assert required(parse(text)) is None
