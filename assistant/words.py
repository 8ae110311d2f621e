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
    "say_from": ("from", "出自"),
    "say_line": ("Your line that failed", "出错的那一行代码"),
    "say_nothing_about": ("The knowledge base has nothing on “{about}” here.", "关于“{about}”，知识库里没有相关内容。"),
    "say_not_a_question": ("I have no rule and no passage for that.", "这句话我没有对应的规则，也没有找到相关段落。"),
    "say_elsewhere": ("Other entries speak of it; whether that bears on your case, they do not say", "别的条目提到了它；是否与你的情况有关，条目里没有说"),
    "say_about": ("What the knowledge base says of “{about}”", "知识库里关于“{about}”的内容"),
    "say_guess_neighbour": (
        "“{about}” belongs to another entry, not to `{id}`. What decides between them:",
        "“{about}”属于另一个条目，而不是 `{id}`。区分两者的办法：",
    ),
    "say_guess_own": ("`{id}` itself speaks of “{about}”. Whether it is so in your program, the check decides:", "`{id}` 本身就提到了“{about}”。你的程序是否如此，要看下面的检查："),
    "say_next": ("Not `{id}`, then. The next that fits:", "排除 `{id}`。下一个较为吻合的是："),
    "say_no_next": (
        "Nothing else that I know fits this text. Paste the whole traceback, or describe what you see in other words.",
        "我所知道的里面，没有别的与这段文字吻合。请粘贴完整的报错，或换个说法描述现象。",
    ),
    "say_others": ("What else it could be", "还可能是"),
    "say_no_others": ("No other entry of the knowledge base comes near this text.", "知识库里没有其他接近的条目。"),
    "say_unsettled": ("Nothing is settled yet. Pick one of these (“the first one”), or paste more:", "还没有结论。请从下面选一个（“第一个”），或粘贴更多内容："),
    "say_no_topic": (
        "There is nothing to follow up yet. Paste an error, or describe what you see.",
        "还没有可以继续讨论的问题。请先粘贴报错，或描述看到的现象。",
    ),
    "say_no_code": ("`{id}` has no code in its fix; its script shows the two versions:", "`{id}` 的解决办法里没有代码；它的脚本给出了两个版本："),
    "say_no_line": ("The text names no line of your own code. Paste the traceback with its `File \"...\"` lines.", "文字里没有指出你自己的代码行。请连同 `File \"...\"` 各行一起粘贴。"),
    "say_no_such": ("There is no candidate number {n}.", "没有第 {n} 个候选。"),
    "say_more_fixes": ("If the first fix was not it", "如果第一个办法不奏效"),
    "say_prove": ("It runs the entry's script here, first the broken version, then the fixed one:", "在本机运行条目的脚本，先是出错版本，再是修正版本："),
    "say_repro": ("The script: `broken()` fails, `fixed()` does not", "脚本：`broken()` 会出错，`fixed()` 不会"),
    "say_code": ("Code", "代码"),
    "say_short": ("In short", "简而言之"),
    "say_language": ("Continuing in English.", "以下用中文回答。"),
    "say_thanks": ("Glad if it helped. Paste the next error whenever there is one.", "希望有帮助。有新的报错，随时粘贴。"),
    "say_help": (
        "Paste an error or a log, or describe what goes wrong. Then ask on: *why?*, *how do I fix it?*, *show me the code*, *how do I check it?*, "
        "*is it the batch size?*, *what if I use DDP?*, *not that one*, *what else could it be?*, *prove it*, *in Chinese*. "
        "Answers come from the knowledge base alone; where it has nothing, I say so.",
        "粘贴报错或日志，或者描述出了什么问题。之后可以接着问：*为什么？*、*怎么解决？*、*看看代码*、*怎么确认？*、*是不是 batch size 的问题？*、*如果用 DDP 呢？*、"
        "*不是这个*、*还有别的原因吗？*、*证明一下*、*用英文*。回答只来自知识库；没有的内容我会直说。",
    ),
    "say_back": ("Back to the earlier one:", "回到前面的问题："),
    "say_no_numbers": ("The entry says nothing about numbers in this message; here is what it says of the cause.", "条目没有解释这条信息里的数字；下面是它对原因的说明。"),
    "fact_report": ("the pasted report", "粘贴的环境报告"),
    "fact_line": ("{whose}: {said} ({values})", "{whose}：{said}（{values}）"),
    "fact_against": ("against it: ", "反对的依据："),
    "facts_silent": ("no fact speaks for it or against it", "没有支持或反对它的事实"),
    "facts_of_machine": ("{python}, torch {torch} ({chosen})", "{python}，torch {torch}（{chosen}）"),
    "facts_of_report": ("the report of torch.utils.collect_env, torch {torch}", "torch.utils.collect_env 的报告，torch {torch}"),
    "facts_machine": ("This machine", "这台机器"),
    "facts_report": ("The machine of the report", "报告中的机器"),
    "facts_whose": ("Facts of", "事实来自"),
    "facts_gpu": ("GPU and driver", "GPU 与驱动"),
    "facts_software": ("Python, torch and libraries", "Python、torch 与库"),
    "facts_memory": ("Memory and disk", "内存与磁盘"),
    "facts_system": ("System and limits", "系统与限制"),
    "facts_env": ("Environment variables", "环境变量"),
    "col_fact": ("fact", "事实"),
    "col_value": ("value", "值"),
    "col_how": ("from", "来源"),
    "col_means": ("meaning", "含义"),
    "python_given": ("from --python", "由 --python 指定"),
    "python_paste": ("the environment that the paste names", "粘贴内容中的环境"),
    "python_virtual_env": ("the active VIRTUAL_ENV", "当前的 VIRTUAL_ENV"),
    "python_conda_prefix": ("the active CONDA_PREFIX", "当前的 CONDA_PREFIX"),
    "python_own": ("torchwhy's own; --python names another", "torchwhy 自己的；可用 --python 指定"),
    "note_missed": ("named, but not used, because it is not on this machine or holds no torch: {detail}", "提到但未使用（不在本机，或其中没有 torch）：{detail}"),
    "note_error": ("the interpreter could not be asked: {detail}", "无法询问该解释器：{detail}"),
    "note_import": ("torch cannot be imported there: {detail}", "那里无法导入 torch：{detail}"),
    "note_cudnn": ("cuDNN does not load there: {detail}", "那里的 cuDNN 无法加载：{detail}"),
    "fact_not_looked": ("nobody looked", "未查看"),
    "fact_not_in_report": ("the report does not say", "报告里没有"),
    "fact_no_python": ("the interpreter could not be asked", "无法询问解释器"),
    "fact_no_torch": ("no torch is installed there", "那里没有安装 torch"),
    "fact_full": ("only a running torch tells: --full", "需要运行 torch 才知道：--full"),
    "fact_no_nvml": ("the NVIDIA driver does not answer ({detail})", "NVIDIA 驱动没有应答（{detail}）"),
    "fact_driver_silent": ("the driver does not say", "驱动没有提供"),
    "fact_container_processes": ("other processes are not visible from inside a container or WSL", "在容器或 WSL 内看不到其他进程"),
    "fact_platform": ("not read on this system", "在此系统上不读取"),
    "fact_not_here": ("there is no {detail} here", "这里没有 {detail}"),
    "fact_unreadable": ("cannot be read ({detail})", "无法读取（{detail}）"),
    "report_alone": (
        "The text holds a report of torch.utils.collect_env and no error: paste the error as well.",
        "文中只有 torch.utils.collect_env 的报告，没有报错：请把报错也一起粘贴。",
    ),
    "seen": ("Last confirmed on {device}, torch {torch}, {date}.", "最近一次验证：{device}，torch {torch}，{date}。"),
    "seen_stale": (
        "Confirmed on {device}, torch {torch}, {date}, but the script has changed since: that is stale.",
        "曾于 {date} 在 {device}、torch {torch} 上验证，但脚本此后有改动：该结果已过时。",
    ),
    "rep_error": ("The error", "报错"),
    "rep_words": ("What was seen", "现象"),
    "rep_diagnosis": ("Diagnosis", "诊断"),
    "rep_none": ("torchwhy knows nothing that fits.", "torchwhy 没有找到吻合的条目。"),
    "rep_maybe": ("The text fits this one as well", "文字同样符合"),
    "rep_verdict": ("Confirmed on this machine?", "本机验证"),
    "rep_unrun": ("Not run; `torchwhy report --confirm` runs the script here.", "未运行；`torchwhy report --confirm` 会在本机运行脚本。"),
    "rep_environment": ("Environment", "环境"),
    "rep_script": ("A script that fails in this way: `torchwhy repro {id}`", "能复现这种错误的脚本：`torchwhy repro {id}`"),
    "rep_seen": ("Seen with {where}.", "已在以下环境验证：{where}。"),
    "rep_unseen": ("Not yet seen on any machine that is on record.", "尚无任何机器上的验证记录。"),
    "rep_run": ("Run it with the Python whose torch failed; it needs {packages} alone:", "用报错的那个 Python 运行，只需要 {packages}："),
    "rep_fails": ("it fails", "会出错"),
    "rep_shows": ("it shows the problem", "会显示问题"),
    "rep_fixed": ("the same with the fix", "修正后的版本"),
    "rep_redacted": ("Names and secrets were replaced by `<redacted>`. Read it through before you post it.", "名称和密钥已替换为 `<redacted>`。发布前请通读一遍。"),
    "ui_placeholder": ("Paste an error, or ask. Enter sends, Ctrl+J makes a new line", "粘贴报错，或直接提问。Enter 发送，Ctrl+J 换行"),
    "ui_opening": ("opening the knowledge base …", "正在打开知识库…"),
    "ui_model": ("loading the model …", "正在加载模型…"),
    "ui_building": ("{what} {done}/{total}", "{what} {done}/{total}"),
    "ui_ready": ("{count} pitfalls · ready", "{count} 个坑 · 就绪"),
    "ui_plain": ("{count} pitfalls · without the model", "{count} 个坑 · 未用模型"),
    "ui_broken": ("the knowledge base cannot be opened", "知识库无法打开"),
    "ui_thinking": ("looking it up …", "正在查找…"),
    "ui_reading": ("reading standard input …", "正在读取标准输入…"),
    "ui_wait": ("Still opening the knowledge base; your message is kept and answered next.", "知识库还在打开；你的消息已保留，随后回答。"),
    "ui_folded": ("{lines} lines, {size} (Enter or a click unfolds)", "{lines} 行，{size}（Enter 或点击展开）"),
    "ui_attached": ("pasted: {lines} lines, {size} (Backspace removes, Enter sends)", "已粘贴：{lines} 行，{size}（Backspace 删除，Enter 发送）"),
    "ui_cut": ("[… {lines} more lines]", "[… 还有 {lines} 行]"),
    "ui_copied": ("Copied: {what}", "已复制：{what}"),
    "ui_nothing_to_copy": ("Nothing to copy yet", "还没有可复制的内容"),
    "ui_candidates": ("Candidates", "候选"),
    "ui_no_candidates": ("No candidates yet. Paste an error first.", "还没有候选。请先粘贴报错。"),
    "ui_decides": ("What decides between the first two", "如何区分前两个"),
    "ui_no_proof": ("Nothing to prove yet: no entry is at hand", "还没有可验证的条目"),
    "ui_proof_running": ("{id}: running here (Esc cancels)", "{id}：正在本机运行（Esc 取消）"),
    "ui_proof_asking": ("{id}: asking your Python what it has (Esc cancels)", "{id}：正在查询你的 Python 环境（Esc 取消）"),
    "ui_proof_leg": ("{id}: {leg}, {seconds} s (Esc cancels)", "{id}：{leg}，{seconds} 秒（Esc 取消）"),
    "ui_proof_busy": ("One proof runs already; Esc cancels it", "已有一个验证在运行；按 Esc 取消"),
    "ui_cancelled": ("{id}: cancelled", "{id}：已取消"),
    "ui_failed": ("{id}: could not be run", "{id}：无法运行"),
    "ui_browse": ("Knowledge base", "知识库"),
    "ui_search_entries": ("Search the knowledge base", "搜索知识库"),
    "ui_none_found": ("nothing found", "没有找到"),
    "ui_pick_entry": ("Choose an entry; Enter takes it into the chat", "选择一个条目；按 Enter 带入对话"),
    "ui_sessions": ("Earlier chats", "历史对话"),
    "ui_search_sessions": ("Search what was said", "搜索说过的内容"),
    "ui_no_sessions": ("No chat is kept yet", "还没有保存的对话"),
    "ui_history_off": ("History is off (TORCHWHY_HISTORY=off)", "历史记录已关闭（TORCHWHY_HISTORY=off）"),
    "ui_deleted": ("Deleted", "已删除"),
    "ui_exported": ("Written to {path}", "已写入 {path}"),
    "ui_nothing_to_export": ("Nothing has been said yet", "还没有内容"),
    "ui_resumed": ("Resumed: {title}", "已恢复：{title}"),
    "ui_close": ("Esc closes", "Esc 关闭"),
    "ui_key_help": ("Help", "帮助"),
    "ui_key_browse": ("Browse", "浏览"),
    "ui_key_candidates": ("Candidates", "候选"),
    "ui_key_sessions": ("History", "历史"),
    "ui_key_prove": ("Prove it", "验证"),
    "ui_key_copy_fix": ("Copy fix", "复制办法"),
    "ui_key_copy_repro": ("Copy repro", "复制脚本"),
    "ui_key_copy_answer": ("Copy answer", "复制回答"),
    "ui_key_language": ("中文", "English"),
    "ui_key_theme": ("Light/dark", "明暗"),
    "ui_key_new_chat": ("New chat", "新对话"),
    "ui_key_export": ("Export this chat", "导出对话"),
    "ui_key_close": ("Back", "返回"),
    "ui_key_take": ("Into the chat", "带入对话"),
    "ui_key_source": ("Script", "脚本"),
    "ui_key_delete": ("Delete", "删除"),
    "ui_key_resume": ("Resume", "恢复"),
    "ui_key_quit": ("Quit", "退出"),
    "ui_key_export_session": ("Export", "导出"),
    "ui_key_palette": ("palette", "命令"),
    "web_opening": ("Opening the chat …", "正在打开对话…"),
    "web_ended": ("This chat has ended.", "对话已结束。"),
    "web_again": ("Start again", "重新开始"),
    "ui_help": (
        """# torchwhy chat

Paste an error, a whole log, or describe what goes wrong. **Enter** sends, **Ctrl+J** (or Shift+Enter) makes a new line. A large paste is folded into one line.

Then ask on: *why?* · *how do I fix it?* · *show me the code* · *how do I check it?* · *is it the batch size?* · *what if I use DDP?* · *not that one* · *what else could it be?* · *which line?* · *source?* · *prove it* · *in Chinese*

| key | what it does |
|---|---|
| F1 | this page |
| F2 | browse and search the knowledge base |
| F3 | candidates with their probability and reasons; moving through them changes the answer |
| F4 | earlier chats: search, resume, export, delete |
| F5 | prove it: run the entry's script here, both versions |
| Esc | cancel a proof, close a page, back to the input |
| F6 / F7 / F8 | copy the fix, the script, the whole answer |
| F9 | language |
| F10 | light or dark |
| F11 | this machine: GPU, driver, torch, memory, and what they say of the answer |
| Ctrl+O | the answer in the words of your own language model, if one is configured; again: the plain answer |
| Ctrl+N | new chat |
| Ctrl+S | export this chat as Markdown |
| Ctrl+P | command palette |
| PgUp / PgDn | scroll |
| Ctrl+Q | quit |

Answers come from the knowledge base alone. Nothing is sent anywhere, unless you configured a model and press Ctrl+O (secrets are taken out). Chats are kept in your data folder with secrets taken out; `TORCHWHY_HISTORY=off` keeps nothing.
""",
        """# torchwhy chat

粘贴报错、整份日志，或描述出了什么问题。**Enter** 发送，**Ctrl+J**（或 Shift+Enter）换行。很长的粘贴会折叠成一行。

之后可以接着问：*为什么？* · *怎么解决？* · *看看代码* · *怎么确认？* · *是不是 batch size 的问题？* · *如果用 DDP 呢？* · *不是这个* · *还有别的原因吗* · *哪一行？* · *出处？* · *证明一下* · *用英文*

| 按键 | 作用 |
|---|---|
| F1 | 本页 |
| F2 | 浏览、搜索知识库 |
| F3 | 候选及其概率和依据；上下移动即切换回答 |
| F4 | 历史对话：搜索、恢复、导出、删除 |
| F5 | 验证：在本机运行条目的脚本，两个版本 |
| Esc | 取消验证、关闭页面、回到输入框 |
| F6 / F7 / F8 | 复制解决办法、脚本、整个回答 |
| F9 | 语言 |
| F10 | 明暗主题 |
| F11 | 这台机器：GPU、驱动、torch、内存，以及它们对回答的支持与否 |
| Ctrl+O | 用你自己配置的语言模型换个说法；再按一次回到原回答 |
| Ctrl+N | 新对话 |
| Ctrl+S | 把对话导出为 Markdown |
| Ctrl+P | 命令面板 |
| PgUp / PgDn | 滚动 |
| Ctrl+Q | 退出 |

回答只来自知识库，不会向任何地方发送数据；除非你配置了模型并按下 Ctrl+O（会先去除密钥）。对话保存在你的数据目录，其中的密钥会被去除；`TORCHWHY_HISTORY=off` 则什么都不保存。
""",
    ),
    "wording_newer": ("the same pitfall; the torch here words it in a newer way", "同一个坑；本机的 torch 较新，措辞已变"),
    "wording_older": ("the same pitfall; the torch here words it in an older way", "同一个坑；本机的 torch 较旧，措辞更早"),
    "gpu_own": ("yours", "你的"),
    "gpu_other": ("another user's", "其他用户的"),
    "say_neighbour": (
        "`{id}` itself says nothing of “{about}”. Its neighbour `{other}` does; that applies only if yours is that case:",
        "`{id}` 本身没有提到“{about}”。相邻条目 `{other}` 提到了；只有属于那种情况时才适用：",
    ),
    "say_serious": ("How serious it is", "有多严重"),
    "effect_crash": ("It stops the program: nothing after that line runs until it is mended.", "程序会在这里终止：不修正，后面的代码不会执行。"),
    "effect_wrong-result": ("Do not ignore it: the program runs on, but its results are wrong.", "不能忽略：程序会继续运行，但结果是错的。"),
    "effect_memory": ("It costs memory, until there is none left; the results themselves are not affected.", "它占用内存或显存，直到耗尽；计算结果本身不受影响。"),
    "effect_slow": ("It costs time only: the results are right.", "只是变慢：结果是对的。"),
    "effect_hang": ("The program waits and does not go on by itself.", "程序会一直等待，不会自己继续。"),
    "effect_not-reproducible": ("Each run is valid, but two runs differ.", "每次运行都有效，但两次运行的结果不同。"),
    "effect_practice": ("Nothing breaks at once; it is a habit that costs later.", "不会马上出错；但这种写法迟早会带来麻烦。"),
    "effect_warning": ("The message is a warning: the program itself goes on.", "这条信息只是警告：程序本身会继续运行。"),
    "say_releases": ("Which releases of torch", "涉及哪些 torch 版本"),
    "say_run": ("torch {torch} on {device}, {date}: {verdict}", "torch {torch}，{device}，{date}：{verdict}"),
    "run_good": ("the script failed this way, and the fix ended it", "脚本以这种方式出错，修正后消失"),
    "run_not-reproduced": ("the broken version ran through", "出错版本正常运行"),
    "run_different-failure": ("it failed in another way", "以另一种方式出错"),
    "run_fix-not-shown": ("it failed this way, and the fix did not end it", "以这种方式出错，修正后仍未消失"),
    "say_all_releases": ("Every release that is on record shows it, old and new: another one would not help, the fix does.", "有记录的版本新旧都会这样：换个版本没有用，要按解决办法改。"),
    "say_next_alike": (
        "Not `{id}`, then. Nothing else fits this text well; most easily confused with it is:",
        "排除 `{id}`。没有别的与这段文字很吻合；最容易与它混淆的是：",
    ),
    "say_needs_torch": ("the entry holds for torch {range}", "本条目适用于 torch {range}"),
    "say_wording_of": ("wording of torch {range}: {example}", "torch {range} 的措辞：{example}"),
    "say_no_release": ("No run under torch {release} is on record.", "没有在 torch {release} 下运行的记录。"),
    "say_no_releases": ("No release is on record for this entry.", "这个条目没有版本方面的记录。"),
    "say_machine_bears": ("What the machine's facts say of it", "这台机器的事实说明了什么"),
    "say_machine_more": ("`torchwhy machine` prints all of them.", "`torchwhy machine` 会列出全部。"),
    "measured": ("What the script measured", "脚本测得的数值"),
    "aligned": ("`-` you pasted, `+` this machine printed, `^` where they differ:", "`-` 为你粘贴的，`+` 为本机输出，`^` 标出不同之处："),
    "same_words": ("You pasted the same message, word for word.", "与你粘贴的一字不差。"),
    "same_marked": ("the same message; it differs where it is marked", "同一条信息；不同之处已标出"),
    "here": ("this machine", "本机"),
    "verdict_facts": ("What this machine's facts say", "这台机器的事实说明了什么"),
    "rewritten": (
        "In the words of {model} ({host}), a language model, from the passages of {entries}. It may be wrong where the plain answer is not.",
        "以下为语言模型 {model}（{host}）根据 {entries} 的段落改写的文字；可能有误，以原回答为准。",
    ),
    "rewritten_plain": ("The plain answer: the same command without `--rewrite`.", "原回答：去掉 `--rewrite` 重新运行。"),
    "rewritten_key": ("Ctrl+O shows the plain answer.", "按 Ctrl+O 查看原回答。"),
    "ui_key_rewrite": ("In other words", "换个说法"),
    "ui_rewriting": ("{model} ({host}) is writing … (Esc cancels)", "{model}（{host}）正在改写…（Esc 取消）"),
    "ui_no_model": (
        "No model is configured: set TORCHWHY_LLM_URL and TORCHWHY_LLM_MODEL. Nothing was sent.",
        "没有配置模型：请设置 TORCHWHY_LLM_URL 和 TORCHWHY_LLM_MODEL。没有发送任何内容。",
    ),
    "ui_not_rewritten": ("The plain answer stands: {reason}", "保留原回答：{reason}"),
    "ui_key_machine": ("This machine", "这台机器"),
    "ui_nothing_to_rewrite": ("Nothing to put in other words yet", "还没有可以换个说法的内容"),
}  # fmt: skip


def word(key: str, lang: str, /, **values: str) -> str:
    """The word or phrase for `key` in `lang`, with {name} filled in."""
    text = WORDS[key][1 if lang == "zh" else 0]
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text
