"""What the command line itself says in both languages. Imported by whoever says it, which registers it."""

from __future__ import annotations

import torchwhy.answers.phrases
import torchwhy.lint.phrases
import torchwhy.proof.phrases
import torchwhy.run.phrases
import torchwhy.triaging.phrases  # noqa: F401 (commands say the phrases of all of these)
from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "doctor_good": ("good", "正常"),
    "doctor_mend": ("mend", "需修复"),
    "doctor_absent": ("absent", "未安装"),
    "doctor_all_good": ("Nothing is to be mended.", "没有需要修复的地方。"),
    "doctor_to_mend": ("To be mended: {count}.", "需要修复：{count} 处。"),
    "doctor_entries": ("{count} in {folder}", "共 {count} 条，位于 {folder}"),
    "doctor_broken": ("broken and left out: {count}", "已损坏并跳过：{count} 条"),
    "doctor_encodes": ("a sentence was embedded", "已成功嵌入一个句子"),
    "doctor_writable": ("{folder} ({size} MiB)", "{folder}（{size} MiB）"),
    "doctor_no_torch": (
        "none in {python}: answers need none, proofs do",
        "{python} 中没有 torch：回答不需要它，证明需要",
    ),
    "doctor_no_gpu": (
        "none that the driver tells of: scripts that need one cannot run here",
        "驱动未报告任何 GPU：需要 GPU 的脚本无法在本机运行",
    ),
    "doctor_gpu": ("{name}, {free} GiB free", "{name}，空闲 {free} GiB"),
    "doctor_guards": ("every guard of a proof works here", "证明所需的各项防护都可用"),
    "doctor_no_guards": (
        "of a script that runs here a verdict will say: {names}",
        "对在本机运行的脚本，结论会注明：{names}",
    ),
}
register(PHRASES)
