"""Which language a paste is answered in."""

from __future__ import annotations

import pytest

from torchwhy.text.language import language_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RuntimeError: CUDA out of memory", "en"),
        ("为什么显存不够\nRuntimeError: CUDA out of memory", "zh"),
        # kohya's scripts print Japanese beside their English
        ("running training / 学習開始\n  num reg images / 正則化画像の数: 0\nRuntimeError: boom", "en"),
        ("running training / 学習開始\nnum reg images / 正則化画像の数: 0\nRuntimeError: boom", "en"),
        ("如何解决显存不足\nrunning training / 学習開始\n正則化画像の数: 0\nRuntimeError: boom", "zh"),
        ("显存不足，如何处理\nC:\\Users\\ユーザー\\train.py", "zh"),
        ("学習を没にする。画像の数を確認", "en"),
        ("请问这是什么问题\nrunning training / 学習開始\n  num reg images / 正則化画像の数: 0", "zh"),
    ],
)
def test_japanese_in_a_log_is_no_chinese(text: str, expected: str) -> None:
    assert language_of(text) == expected
