"""What is said to an agent around an answer. Imported by whoever says it, which registers it."""

from __future__ import annotations

import torchwhy.answers.phrases
import torchwhy.proof.phrases  # noqa: F401 (the phrases of both are said here as well)
from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "agent_evidence": ("Evidence", "依据"),
    "agent_others": ("Less likely", "可能性较小"),
    "agent_more": ("More: sections", "更多：sections"),
    "agent_cut": (
        "[… {count} more characters: ask for fewer sections]",
        "[……另有 {count} 个字符：请少要几个 sections]",
    ),
    "agent_found": ("Nearest entries", "最接近的条目"),
    "agent_none": ("No entry is near to these words.", "没有与这些词接近的条目。"),
    "agent_no_finding": ("No mistake that the rules know.", "没有发现规则所知道的错误。"),
    "agent_findings_left": (
        "[… {count} more findings: check fewer files]",
        "[……另有 {count} 处：请少检查一些文件]",
    ),
    "agent_ask": (
        "Run the script of “{id}” on this machine, without and with the fix ({seconds} s at most each)?\n{script}",
        "在本机运行“{id}”的脚本（不带修复、带修复各一次，每次最多 {seconds} 秒）？\n{script}",
    ),
    "agent_no": ("The user said no: nothing was run.", "用户没有同意：什么也没有运行。"),
    "agent_no_repro": ("No script can prove this entry: {why}", "没有脚本能证明这个条目：{why}"),
    "agent_cannot_ask": (
        "Nothing was run: this client cannot ask its user (no elicitation). The user can run: {command}",
        "什么也没有运行：这个客户端无法询问用户（不支持 elicitation）。用户可以自己运行：{command}",
    ),
    "agent_not_trusted": (
        "Nothing was run: this script did not come with torchwhy, and nobody has said yes to it here. "
        "The user can read it (torchwhy repro {id}) and run: torchwhy confirm {id} --trust",
        "什么也没有运行：这个脚本不是随 torchwhy 提供的，也没有人在本机同意过运行它。"
        "用户可以先阅读（torchwhy repro {id}），再运行：torchwhy confirm {id} --trust",
    ),
}
register(PHRASES)
