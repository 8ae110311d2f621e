"""Verdicts, and the fixed parts of a bug report. Imported by whoever says them, which registers them."""

from __future__ import annotations

import torchwhy.answers.phrases
import torchwhy.knowledge.phrases  # noqa: F401 (its phrases are said here as well)
from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "verdict": ("Verdict", "结论"),
    "verdict_heading": ("{text}:", "{text}："),
    "verdict_chosen": (" ({how})", "（{how}）"),
    "broken": ("without the fix", "修正前"),
    "fixed": ("with the fix", "修正后"),
    "leg_line": (
        "{leg}: {shows} (exit status {status}, {seconds} s)",
        "{leg}：{shows}（退出码 {status}，{seconds} 秒）",
    ),
    "shows_shown": ("it fails in this way", "就是这样出错"),
    "shows_clean": ("it runs to its end", "正常运行到底"),
    "shows_different": ("it fails, but in another way", "出错了，但不是这种方式"),
    "shows_cannot-run": ("it cannot run here", "无法在此运行"),
    "shows_timeout": ("it outlived its limit", "超过时限"),
    "shows_unloadable": ("the script cannot be loaded", "脚本无法加载"),
    "lesson": ("What the fix changes (`-` fails, `+` runs)", "修正改了什么（`-` 出错，`+` 正常）"),
    "printed": ("this machine printed", "本机输出"),
    "pasted": ("you pasted", "你粘贴的"),
    "same": ("the same message, other numbers aside", "同一条信息（数字除外）"),
    "wording": ("the same pitfall in another wording", "同一个坑，措辞不同"),
    "nomatch": ("the paste does not show this entry's message", "粘贴的文字里没有这一条的信息"),
    "notshown": (
        "This shows that this machine fails this way, and that the fix ends it. It does not show that "
        "your program has no second cause.",
        "这说明本机会以这种方式出错，而且修正后不再出错；并不能说明你的程序没有别的原因。",
    ),
    "diagnosed": ("What that output looks like", "该输出看起来是"),
    "confirmed": (
        "confirmed: this machine fails with the message that was pasted, and the fix ends it",
        "confirmed：本机出现了粘贴的报错，修正后消失",
    ),
    "reproduces-here": (
        "reproduces-here: this machine fails this way, and the fix ends it",
        "reproduces-here：本机会这样出错，修正后消失",
    ),
    "not-reproduced": (
        "not-reproduced: the broken version ran through here",
        "not-reproduced：出错版本在本机正常运行",
    ),
    "different-failure": (
        "different-failure: it failed, but in another way",
        "different-failure：出错了，但不是这种方式",
    ),
    "fix-not-shown": (
        "fix-not-shown: it fails this way, but the fixed version did not end cleanly",
        "fix-not-shown：会这样出错，但修正版本没有正常结束",
    ),
    "broken-entry": ("broken-entry: the script cannot be loaded", "broken-entry：脚本无法加载"),
    "timeout": ("timeout: it outlived its limit", "timeout：超过时限"),
    "cannot-run": ("cannot-run: it cannot run here", "cannot-run：无法在此运行"),
    "rep_error": ("The error", "报错"),
    "rep_words": ("What was seen", "现象"),
    "rep_none": ("torchwhy knows nothing that fits.", "torchwhy 没有找到吻合的条目。"),
    "rep_maybe": ("The text fits this one as well", "文字同样符合"),
    "rep_verdict": ("Confirmed on this machine?", "本机验证"),
    "rep_unrun": (
        "Not run; `torchwhy report --confirm` runs the script here.",
        "未运行；`torchwhy report --confirm` 会在本机运行脚本。",
    ),
    "rep_environment": ("Environment", "环境"),
    "rep_script": (
        "A script that fails in this way: `torchwhy repro {id}`",
        "能复现这种错误的脚本：`torchwhy repro {id}`",
    ),
    "rep_seen": ("Seen with {where}.", "已在以下环境验证：{where}。"),
    "rep_unseen": ("Not yet seen on any machine that is on record.", "尚无任何机器上的验证记录。"),
    "rep_run": (
        "Run it with the Python whose torch failed; it needs {packages} alone:",
        "用报错的那个 Python 运行，只需要 {packages}：",
    ),
    "rep_fails": ("it fails", "会出错"),
    "rep_shows": ("it shows the problem", "会显示问题"),
    "rep_fixed": ("the same with the fix", "修正后的版本"),
    "rep_redacted": (
        "Words of the error that torchwhy does not know were replaced by `...`, known forms of secrets by `<redacted>` "
        "(`--full-text` leaves the words). Read it through before you post it.",
        "报错中 torchwhy 不认识的词已替换为 `...`，形式已知的密钥替换为 `<redacted>`（`--full-text` 保留原词）。发布前请通读一遍。",
    ),
    "rep_full": (
        "Known forms of secrets were replaced by `<redacted>`; everything else stands as it was. "
        "Read it through before you post it.",
        "形式已知的密钥已替换为 `<redacted>`，其余保持原样。发布前请通读一遍。",
    ),
    "measured": ("What the script measured", "脚本测得的数值"),
    "same_words": ("You pasted the same message, word for word.", "与你粘贴的一字不差。"),
    "guards_missing": (
        "Guards that this system did not give the script: {names}.",
        "本系统未能为脚本提供的防护：{names}。",
    ),
    "guard_advice": (
        " bubblewrap (`bwrap`) gives them, where users may make namespaces.",
        "安装 bubblewrap（`bwrap`）并允许用户创建命名空间，即可获得这些防护。",
    ),
    "guard_files": (
        "it could read and write whatever you can",
        "它能读写你能读写的一切",
    ),
    "guard_network": ("it had the network", "它可以使用网络"),
    "guard_processes": (
        "it saw your other processes, and one that leaves its process group could outlive it",
        "它能看到你的其他进程，而且离开了进程组的进程可能在它结束后继续运行",
    ),
    "guard_tree": ("its memory was not watched", "它的内存用量未受监视"),
    "verdict_facts": ("What this machine's facts say", "这台机器的事实说明了什么"),
}
register(PHRASES)
