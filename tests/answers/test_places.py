"""What a line is called."""

from __future__ import annotations

import pytest

from torchwhy.answers.places import place_words


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        ("train.py", 12, "train.py:12"),
        ("train.py", None, "train.py"),
        ("Cell In[4]", 2, "Cell 4, line 2"),
        ("Input In [4]", 2, "Cell 4, line 2"),
        ("<ipython-input-4-0a1b2c3d4e5f>", 2, "Cell 4, line 2"),
        ("Cell In[4]", None, "Cell 4"),
        ("Cell In[4].py", 2, "Cell In[4].py:2"),
    ],
)
def test_a_cell_is_called_by_its_number(file: str, line: int | None, said: str) -> None:
    assert place_words(file, line, "en") == said
