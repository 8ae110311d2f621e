"""What is said of a check, in both languages."""

from __future__ import annotations

from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "lint_wrong": ("wrong", "错误"),
    "lint_look": ("look", "请确认"),
    "lint_fix": ("Fix: {fix}", "修改：{fix}"),
    "lint_cell": ("cell {cell}", "单元格 {cell}"),
    "lint_count": ("{count} found in {files}", "在 {files} 中发现 {count} 处"),
    "lint_none": ("nothing found in {files}", "在 {files} 中没有发现问题"),
    "lint_file": ("1 file", "1 个文件"),
    "lint_files": ("{number} files", "{number} 个文件"),
    "lint_fixed": ("changed {count} of them", "已修改其中 {count} 处"),
}

register(PHRASES)
