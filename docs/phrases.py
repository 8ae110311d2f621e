"""The words of the site's pages, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "tagline": ("Why did my PyTorch program fail?", "我的 PyTorch 程序为什么失败？"),
    "skip": ("Skip to the content", "跳到正文"),
    "home": ("Start", "首页"),
    "search": ("Search", "搜索"),
    "pitfalls": ("Pitfalls", "常见错误"),
    "messages": ("Messages", "报错信息"),
    "releases": ("Releases", "版本"),
    "guides": ("Guides", "使用指南"),
    "reference": ("Reference", "参考手册"),
    "other_language": ("中文", "English"),
    "theme": ("Light or dark", "切换深浅色"),
    "main_nav": ("Main", "主导航"),
    "message": ("The message", "报错信息"),
    "messages_of": ("All its messages", "全部报错信息"),
    "all_messages": ("all its messages", "全部报错信息"),
    "fix": ("Fix", "解决办法"),
    "why": ("Why", "原因"),
    "check": ("How to check it", "如何确认"),
    "proof": ("Proof", "验证"),
    "proof_text": (
        "The script fails this way, and with the fix it does not. Run it on your machine:",
        "这个脚本会以同样的方式失败，用上解决办法后则不会。在你的机器上运行：",
    ),
    "script": ("The script", "脚本"),
    "no_script": ("No script can reproduce this one", "无法用脚本演示"),
    "runs": ("What it printed, by release", "各版本下的实际输出"),
    "runs_earlier": (
        "The record is of an earlier form of this script, which was run under torch {releases}; a run of the present one was not recorded yet.",
        "现有记录来自这个脚本较早的写法，在 torch {releases} 下运行过；现在的写法还没有运行记录。",
    ),
    "runs_need": (
        "No run of this script is on record yet: it needs {needs}, and no machine that has it was recorded on.",
        "这个脚本还没有运行记录：它需要 {needs}，而有这个条件的机器上还没有记录过。",
    ),
    "runs_none": ("No run of this script is on record yet.", "这个脚本还没有运行记录。"),
    "a_gpu": ("a GPU", "GPU"),
    "release": ("Release", "版本"),
    "device": ("Device", "设备"),
    "verdict": ("Verdict", "结论"),
    "printed": ("Printed", "输出"),
    "date": ("Date", "日期"),
    "alike": ("Easily confused with", "容易混淆"),
    "this": ("this page", "本页"),
    "entry": ("Entry", "条目"),
    "says": ("Message", "报错信息"),
    "tell": ("How to tell", "如何区分"),
    "no_message": ("no message: it is silent", "没有报错：它不声不响"),
    "sources": ("Sources", "参考"),
    "families_of": ("Part of", "所属症状"),
    "families": ("Symptoms with several causes", "可能有多种原因的症状"),
    "members": ("What it may be", "可能是"),
    "checks": ("What tells them apart", "如何区分"),
    "answer_is": ("If it is", "如果是"),
    "speaks_for": ("it speaks for", "则更可能是"),
    "speaks_none": ("none of them in particular", "不特别指向哪一个"),
    "printed_by_script": (
        "printed by this entry's script under torch {torch}; numbers and names may be others there",
        "本条脚本在 torch {torch} 下打印；其中的数字和名字可能不同",
    ),
    "printed_by_program": (
        "printed by a small program under torch {torch}",
        "一段小程序在 torch {torch} 下打印",
    ),
    "printed_in_thread": ("seen in a public thread", "见于公开讨论"),
    "printed_in_source": ("known from the source: {source}", "来自源码：{source}"),
    "printed_today": (
        "printed by this entry's script under today's torch; numbers and names may be others there",
        "本条脚本在当前版本的 torch 下打印；其中的数字和名字可能不同",
    ),
    "by_category": ("All pitfalls, by category", "全部条目（按类别）"),
    "by_message": ("All messages, by exception", "全部报错信息（按异常）"),
    "by_release": ("What changed with a release", "随版本变化的报错"),
    "by_release_text": (
        "Messages that only some releases of torch print, and the releases under which the scripts were run.",
        "只在某些 torch 版本中出现的报错，以及脚本在哪些版本下运行过。",
    ),
    "recorded_runs": ("Recorded runs", "运行记录"),
    "without_exception": ("without an exception's name", "没有异常名"),
    "search_title": ("Paste an error, or search", "粘贴报错，或搜索"),
    "search_label": ("An error, a whole traceback, or words", "一条报错、整段调用栈，或几个词"),
    "search_hint": (
        "Nothing leaves this page: the text is compared here, in your browser, with every message known.",
        "内容不会离开这个页面：比较就在你的浏览器里进行。",
    ),
    "search_button": ("Search", "搜索"),
    "search_settled": ("The message settles it", "由报错信息确定"),
    "search_open": (
        "No message settles it. The nearest pages, by their messages and words:",
        "没有报错信息能确定。按报错与用词最接近的页面：",
    ),
    "search_family": ("Several causes look like this", "几种原因看起来都是这样"),
    "search_others": ("If it is something else", "如果不是它"),
    "search_none": ("Nothing fits.", "没有符合的条目。"),
    "search_offline": (
        "The search needs JavaScript; without it, the index by message lists every message.",
        "搜索需要 JavaScript；没有它时，可以看按报错信息排列的索引。",
    ),
    "search_failed": ("The tables could not be loaded.", "数据表加载失败。"),
    "try_here": ("Find your error", "查找你的报错"),
    "session": ("One sitting", "一次实际使用"),
    "session_text": (
        "Recorded by a command, on a machine without a GPU; only the names of two folders were shortened.",
        "由命令录制，机器没有 GPU；只把两个文件夹的名字改短了。",
    ),
    "english_only": ("in English", "英文"),
    "commands": ("Commands", "命令"),
    "python_api": ("Python", "Python 接口"),
    "json_forms": ("JSON", "JSON 格式"),
    "settings": ("Settings", "设置"),
    "verdict.confirmed": ("fails like this; the fix solves it", "如此失败；修复后消失"),
    "verdict.reproduces-here": ("fails like this; the fix solves it", "如此失败；修复后消失"),
    "verdict.not-reproduced": ("does not fail under this release", "该版本下不失败"),
    "verdict.different-failure": ("fails in another way", "以另一种方式失败"),
    "verdict.fix-not-shown": (
        "fails so; the fixed version did not end cleanly",
        "如此失败；修复版未正常结束",
    ),
}


def say(key: str, lang: str, **values: str) -> str:
    """A phrase in a language, with {name} filled in. Raises KeyError for one that is not there."""
    text = WORDS[key][1 if lang == "zh" else 0]
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text
