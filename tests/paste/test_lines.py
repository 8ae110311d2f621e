"""What a paste lost or gained on its way: quotes of two kinds, time stamps with a zone."""

from __future__ import annotations

import pytest

from torchwhy.paste.lines import lines_of
from torchwhy.paste.parse import parse


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("module 'torch.jit' has no attribute 'trace_it\"", "module 'torch.jit' has no attribute 'trace_it'"),
        ("no attribute \"fx'", 'no attribute "fx"'),
        ('it\'s a "model"', 'it\'s a "model"'),
        ("keys 'a', \"b\"", "keys 'a', \"b\""),
        ("[2022-03-27 12:20:48 +0700] [77] Killed", "[77] Killed"),
        ("2022-03-27T12:20:48+07:00 Killed", "Killed"),
    ],
)
def test_a_line_as_it_was_printed(said: str, read: str) -> None:
    assert lines_of(said) == [(read, None)]


HEAD = "Traceback (most recent call last):"
FRAME = '  File "/me/fit.py", line 12, in <module>'
ERROR = "RuntimeError: CUDA error: invalid argument"
SHOWN = {
    "a serving engine": f"""(EngineCore pid=36) ERROR 10-13 14:00:32 [core.py:708] {HEAD}
(EngineCore pid=36) ERROR 10-13 14:00:33 [core.py:708] {FRAME}
(EngineCore pid=36) ERROR 10-13 14:00:33 [core.py:708]     fit()
(EngineCore pid=36) ERROR 10-13 14:00:33 [core.py:708] {ERROR}""",
    "mpirun": f"[1,0]<stderr>:{HEAD}\n[1,0]<stderr>:{FRAME}\n[1,0]<stderr>:    fit()\n[1,0]<stderr>:{ERROR}",
    "rich": f"""╭────── Traceback (most recent call last) ──────╮
│ /me/fit.py:12 in <module>                     │
│                                               │
│    11 if main:                                │
│ ❱  12 │   fit()                               │
╰───────────────────────────────────────────────╯
{ERROR}""".replace("❱  12", "❱ 12"),
    "Spyder": f"  File ~/fit.py:12 in <module>\n    fit()\n\n{ERROR}".replace("~", "/me"),
    "Visual Studio Code": f"Exception has occurred: RuntimeError\nCUDA error: invalid argument\n{FRAME}\n    fit()",
    "Streamlit": f"{ERROR}\nTraceback:\n{FRAME.strip()}\n    fit()",
    "a title": f"{ERROR}\n\nHere is what I get:\n{HEAD}\n{FRAME}\n    fit()\n",
    "Colab": f"[/me/fit.py](https://localhost:8080/#) in <module>()\n---> 12 fit()\n\n{ERROR}".replace(
        "[/me", "RuntimeError   Traceback (most recent call last)\n[/me"
    ),
    "a page's source": f"{HEAD}\n{FRAME}\n    fit()\n{ERROR}".replace('"', "&quot;").replace("<", "&lt;"),
    "marks of Markdown": f"**{HEAD}\n`{FRAME.strip()}\n    fit()\n{ERROR}**",
}


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_a_traceback_as_others_show_it(text: str) -> None:
    root = parse(text).root
    assert root is not None and root.exception == "RuntimeError"
    assert root.message.startswith("CUDA error: invalid argument")
    assert [(frame.file, frame.code) for frame in root.frames] == [("/me/fit.py", "fit()")]
