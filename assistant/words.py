"""The fixed words of torchwhy's output in both languages. Nothing here comes from a paste or an entry."""

from __future__ import annotations

WORDS = {
    "sure": ("{percent} sure", "把握 {percent}"),
    "uncalibrated": ("probabilities are uncalibrated for this knowledge base or model", "概率未针对当前知识库或模型校准"),
    "says": ("What the message says", "这条信息说明了什么"),
    "why": ("Why", "原因"),
    "fix": ("Fix", "解决办法"),
    "check": ("How to check it", "如何确认"),
    "for": ("What speaks for it", "判断依据"),
    "signature": ("the message matches", "报错文字吻合"),
    "context": ("and so does its surroundings", "上下文也吻合"),
    "words": ("its words fit", "用词相近"),
    "meaning": ("its meaning is near (cosine {value})", "语义相近（余弦 {value}）"),
    "fact": ("this machine", "这台机器"),
    "guess": ("no message settles it: this is inferred from the words", "没有决定性的报错文字：这是从描述推断的"),
    "alike": ("Easily confused with", "容易混淆"),
    "rival": ("The text fits this one as well", "文字同样符合另一种情况"),
    "sources": ("Sources", "参考"),
    "prove": ("Prove it here", "在本机验证"),
    "noproof": ("No script can show this one", "无法用脚本演示"),
    "wrapper": ("`{name}` only carries the error; the cause is the one above", "`{name}` 只是外层包装；根源是上面这个错误"),
    "wrapper_only": ("this is a wrapper: the cause stands elsewhere in the log", "这是外层包装：真正的原因在日志的其他位置"),
    "unknown": ("I don't know this one.", "这个问题我不知道。"),
    "unknown_foreign": ("This looks like {names}, not PyTorch: not something I know.", "这看起来是 {names} 的问题，与 PyTorch 无关：我不了解。"),
    "unknown_error": ("The error that I found in the text", "在文中找到的错误"),
    "nearest": ("Nearest, but not near enough", "最接近但不足以下结论的"),
    "tell": ("what would tell", "如何判断"),
    "nothing": ("No error was found in the text. Paste the traceback, or describe what you see.", "文中没有找到错误。请粘贴完整的报错，或描述看到的现象。"),
    "document": ("document {key}", "文档 {key}"),
    "verdict": ("Verdict", "结论"),
    "broken": ("broken leg", "出错版本"),
    "fixed": ("fixed leg", "修正版本"),
    "printed": ("this machine printed", "本机输出"),
    "pasted": ("you pasted", "你粘贴的"),
    "same": ("the same message, other numbers aside", "同一条信息（数字除外）"),
    "wording": ("the same pitfall in another wording", "同一个坑，措辞不同"),
    "nomatch": ("the paste does not show this entry's message", "粘贴的文字里没有这一条的信息"),
    "notshown": (
        "This shows that this machine fails this way, and that the fix ends it. It does not show that your program has no second cause.",
        "这说明本机会以这种方式出错，而且修正后不再出错；并不能说明你的程序没有别的原因。",
    ),
    "diagnosed": ("What that output looks like", "该输出看起来是"),
    "confirmed": ("confirmed: this machine fails with the message that was pasted, and the fix ends it", "confirmed：本机出现了粘贴的报错，修正后消失"),
    "reproduces-here": ("reproduces-here: this machine fails this way, and the fix ends it", "reproduces-here：本机会这样出错，修正后消失"),
    "not-reproduced": ("not-reproduced: the broken version ran through here", "not-reproduced：出错版本在本机正常运行"),
    "different-failure": ("different-failure: it failed, but in another way", "different-failure：出错了，但不是这种方式"),
    "fix-not-shown": ("fix-not-shown: it fails this way, but the fixed version did not end cleanly", "fix-not-shown：会这样出错，但修正版本没有正常结束"),
    "broken-entry": ("broken-entry: the script cannot be loaded", "broken-entry：脚本无法加载"),
    "timeout": ("timeout: it outlived its limit", "timeout：超过时限"),
    "cannot-run": ("cannot-run: it cannot run here", "cannot-run：无法在此运行"),
}  # fmt: skip


def word(key: str, lang: str, /, **values: str) -> str:
    """The word or phrase for `key` in `lang`, with {name} filled in."""
    text = WORDS[key][1 if lang == "zh" else 0]
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text
