"""The phrases of a conversation. Imported by whoever says them, which registers them."""

from __future__ import annotations

from torchwhy.text.phrases import is_phrase, phrase, register

__all__ = ["PHRASES", "is_phrase", "phrase"]

PHRASES = {
    # what a key asks for, as it stands in the thread; the first can be asked next as well
    "ask_machine": ("check my machine", "看看我的机器"),
    "key_language": ("English", "中文"),
    # what can be asked next, as it is said
    "ask_prove": ("prove it", "证明一下"),
    "ask_line": ("which line?", "哪一行？"),
    "ask_others": ("what else could it be?", "还有别的原因吗"),
    "ask_failed": ("and if that doesn't help?", "如果还不行呢"),
    "ask_serious": ("is it serious?", "严重吗"),
    "ask_source": ("source?", "有出处吗"),
    "ask_not_known": ("I don't know", "不知道"),
    "say_question": ("One question", "先问一句"),
    "say_reply": (
        "Reply with the number, in words, or “I don't know”.",
        "回复编号或直接描述都可以；不知道就说“不知道”。",
    ),
    "say_heard": ("Your answer: {heard}.", "你的回答：{heard}。"),
    "say_not_known": ("unknown", "不知道"),
    "say_so_far": (
        "So far: {said}. If something is wrong in it, say it again as it is.",
        "目前了解到：{said}。哪里不对，直接更正即可。",
    ),
    "say_against": ("That speaks against {ids}.", "这排除了 {ids}。"),
    "heard_done": (" (done)", "（已做）"),
    "heard_failed": (" (tried)", "（试过）"),
    "heard_helped": (" (helps)", "（有用）"),
    "heard_not": (" (not so)", "（没有）"),
    "heard_unknown": (" (unknown)", "（不清楚）"),
    "say_then": ("Then it is most likely `{id}`:", "那么最可能是 `{id}`："),
    "say_then_likely": (
        "That does not settle it: `{id}` comes first, `{other}` is possible as well.",
        "这还不能下结论：首先考虑 `{id}`，也可能是 `{other}`。",
    ),
    "say_from": ("from", "出自"),
    "say_line": ("Your line that failed", "出错的那一行代码"),
    "say_nothing_about": (
        "The knowledge base has nothing on “{about}” here.",
        "关于“{about}”，知识库里没有相关内容。",
    ),
    "say_elsewhere": (
        "Other entries mention it; they do not say whether it applies to your case",
        "别的条目提到了它；是否与你的情况有关，条目里没有说",
    ),
    "say_about": ("What the knowledge base says about “{about}”", "知识库里关于“{about}”的内容"),
    "say_guess_own": (
        "`{id}` itself mentions “{about}”. The check tells whether that is so in your program:",
        "`{id}` 本身就提到了“{about}”。你的程序是否如此，要看下面的检查：",
    ),
    "say_next": ("Not `{id}`, then. The next one that fits:", "排除 `{id}`。下一个较为吻合的是："),
    "say_no_next": (
        "Nothing else that I know fits this text. Paste the whole traceback, or describe what you see in "
        "other words.",
        "我所知道的里面，没有别的与这段文字吻合。请粘贴完整的报错，或换个说法描述现象。",
    ),
    "say_others": ("What else it could be", "还可能是"),
    "say_no_others": (
        "No other entry of the knowledge base is close to this text.",
        "知识库里没有其他接近的条目。",
    ),
    "say_unsettled": (
        "Nothing is settled yet. Pick one of these (“the first one”), or paste more:",
        "还没有结论。请从下面选一个（“第一个”），或粘贴更多内容：",
    ),
    "say_no_topic": (
        "There is nothing to follow up yet. Paste an error, or describe what you see.",
        "还没有可以继续讨论的问题。请先粘贴报错，或描述看到的现象。",
    ),
    "say_last_run": ("Of the last `torchwhy run` that failed:", "关于最近一次失败的 `torchwhy run`："),
    "say_no_code": (
        "`{id}` has no code in its fix; its script shows the two versions:",
        "`{id}` 的解决办法里没有代码；它的脚本给出了两个版本：",
    ),
    "say_no_line": (
        'The text names no line of your own code. Paste the traceback with its `File "..."` lines.',
        '文字里没有指出你自己的代码行。请连同 `File "..."` 各行一起粘贴。',
    ),
    "say_no_such": ("There is no candidate number {n}.", "没有第 {n} 个候选。"),
    "say_change": ("Change", "改法"),
    "say_usual": ("Usual fix", "通常改法"),
    "say_example": ("An example, not your code:", "示例（不是你的代码）："),
    "say_more_fixes": ("If the first fix does not help", "如果第一个办法不奏效"),
    "say_prove": (
        "It runs the entry's script here, first the broken version, then the fixed one:",
        "在本机运行条目的脚本，先是出错版本，再是修正版本：",
    ),
    "say_repro": (
        "The script: `broken()` fails, `fixed()` does not",
        "脚本：`broken()` 会出错，`fixed()` 不会",
    ),
    "say_code": ("Code", "代码"),
    "say_short": ("In short", "简而言之"),
    "say_language": ("Continuing in English.", "以下用中文回答。"),
    "say_thanks": (
        "Glad if it helped. Paste the next error whenever there is one.",
        "希望有帮助。有新的报错，随时粘贴。",
    ),
    "say_help": (
        "Paste an error or a log, or describe what goes wrong. Then ask more: *why?*, *how do I fix it?*, "
        "*show me the code*, *how do I check it?*, "
        "*is it the batch size?*, *what if I use DDP?*, *not that one*, "
        "*what else could it be?*, *prove it*, *in Chinese*. "
        "Answers come from the knowledge base alone; where it has nothing, I say so.",
        "粘贴报错或日志，或者描述出了什么问题。之后可以接着问：*为什么？*、*怎么解决？*、*看看代码*、"
        "*怎么确认？*、*是不是 batch size 的问题？*、*如果用 DDP 呢？*、"
        "*不是这个*、*还有别的原因吗？*、*证明一下*、*用英文*。回答只来自知识库；没有的内容我会直说。",
    ),
    "say_back": ("Back to the earlier one:", "回到前面的问题："),
    "say_no_numbers": (
        "The entry says nothing about numbers in this message; here is what it says about the cause.",
        "条目没有解释这条信息里的数字；下面是它对原因的说明。",
    ),
    "say_neighbour": (
        "`{id}` itself says nothing about “{about}”. Its neighbour `{other}` does; that applies only if "
        "yours is that case:",
        "`{id}` 本身没有提到“{about}”。相邻条目 `{other}` 提到了；只有属于那种情况时才适用：",
    ),
    "say_serious": ("How serious it is", "有多严重"),
    "effect_crash": (
        "It stops the program: nothing after that line runs until it is fixed.",
        "程序会在这里终止：不修正，后面的代码不会执行。",
    ),
    "effect_wrong-result": (
        "Do not ignore it: the program runs on, but its results are wrong.",
        "不能忽略：程序会继续运行，但结果是错的。",
    ),
    "effect_memory": (
        "It uses up memory until none is left; the results are not affected.",
        "它占用内存或显存，直到耗尽；计算结果本身不受影响。",
    ),
    "effect_slow": ("It costs time only: the results are right.", "只是变慢：结果是对的。"),
    "effect_hang": ("The program waits and does not go on by itself.", "程序会一直等待，不会自己继续。"),
    "effect_not-reproducible": (
        "Each run is valid, but two runs differ.",
        "每次运行都有效，但两次运行的结果不同。",
    ),
    "effect_practice": (
        "Nothing breaks at once; it is a habit that costs later.",
        "不会马上出错；但这种写法迟早会带来麻烦。",
    ),
    "effect_warning": (
        "The message is a warning: the program itself goes on.",
        "这条信息只是警告：程序本身会继续运行。",
    ),
    "say_releases": ("Which releases of torch", "涉及哪些 torch 版本"),
    "say_run": ("torch {torch} on {device}, {date}: {verdict}", "torch {torch}，{device}，{date}：{verdict}"),
    "run_good": ("the script failed this way, and the fix solved it", "脚本以这种方式出错，修正后消失"),
    "run_not-reproduced": ("the broken version ran through", "出错版本正常运行"),
    "run_different-failure": ("it failed in another way", "以另一种方式出错"),
    "run_fix-not-shown": (
        "it failed this way, and the fix did not solve it",
        "以这种方式出错，修正后仍未消失",
    ),
    "say_all_releases": (
        "Every release on record shows it, old and new: another release would not help, the fix does.",
        "有记录的版本新旧都会这样：换个版本没有用，要按解决办法改。",
    ),
    "say_next_alike": (
        "Not `{id}`, then. Nothing else fits this text well; it is most easily confused with:",
        "排除 `{id}`。没有别的与这段文字很吻合；最容易与它混淆的是：",
    ),
    "say_needs_torch": ("the entry holds for torch {range}", "本条目适用于 torch {range}"),
    "say_wording_of": ("wording of torch {range}: {example}", "torch {range} 的措辞：{example}"),
    "say_no_release": ("No run under torch {release} is on record.", "没有在 torch {release} 下运行的记录。"),
    "say_no_releases": ("No release is on record for this entry.", "这个条目没有版本方面的记录。"),
    "say_machine_bears": ("What this machine's facts say about it", "这台机器的事实说明了什么"),
    "say_machine_more": ("`torchwhy machine` prints all of them.", "`torchwhy machine` 会列出全部。"),
}

register(PHRASES)
