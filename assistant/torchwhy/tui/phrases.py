"""The phrases of the chat on a screen. Imported by whoever says them, which registers them."""

from __future__ import annotations

import torchwhy.chat.phrases
import torchwhy.proof.phrases  # noqa: F401 (its phrases are said here as well)
from torchwhy.text.phrases import is_phrase, phrase, register

__all__ = ["PHRASES", "is_phrase", "phrase"]

PHRASES = {
    "ui_placeholder": (
        "Paste an error, or ask. Enter sends, Ctrl+J makes a new line",
        "粘贴报错，或直接提问。Enter 发送，Ctrl+J 换行",
    ),
    "ui_greeting": (
        "Why did my PyTorch program fail?\n\n"
        "Paste the error, or the log's last lines, and press Enter. Or try one of these: its number, then Enter.\n",
        "我的 PyTorch 程序为什么失败了？\n\n"
        "粘贴报错，或日志的最后几行，按 Enter。也可以先试一个例子：输入编号，再按 Enter。\n",
    ),
    "ui_greeting_then": (
        "\nThen ask more: why? how do I check it? is there another fix? F5 proves it on this machine. "
        "F2 browses all entries, F1 shows every key, Ctrl+D leaves.",
        "\n然后可以追问：为什么？怎么确认？还有别的办法吗？F5 在本机验证，F2 浏览全部条目，F1 显示所有按键，Ctrl+D 退出。",
    ),
    "ui_leave": ("Ctrl+D leaves.", "按 Ctrl+D 退出。"),
    "ui_example_1": (
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)",
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)",
    ),
    "ui_example_2": ("the loss does not go down", "loss 一直不下降"),
    "ui_example_3": ("GPU memory grows with every epoch", "显存每个 epoch 都在增长"),
    "ui_failed_run": ("the run that failed: {command}", "刚才失败的运行：{command}"),
    "ui_opening": ("opening the knowledge base …", "正在打开知识库…"),
    "ui_model": ("loading the model …", "正在加载模型…"),
    "ui_building": ("{what} {done}/{total}", "{what} {done}/{total}"),
    "ui_ready": ("{count} pitfalls · ready", "{count} 个坑 · 就绪"),
    "ui_plain": ("{count} pitfalls · without the model", "{count} 个坑 · 未用模型"),
    "ui_broken": ("the knowledge base cannot be opened", "知识库无法打开"),
    "ui_thinking": ("looking it up …", "正在查找…"),
    "ui_reading": ("reading standard input …", "正在读取标准输入…"),
    "ui_wait": (
        "Still opening the knowledge base; your message is kept and answered next.",
        "知识库还在打开；你的消息已保留，随后回答。",
    ),
    "ui_folded": (
        "{lines} lines, {size} (Enter or a click unfolds)",
        "{lines} 行，{size}（Enter 或点击展开）",
    ),
    "ui_attached": (
        "pasted: {lines} lines, {size} (Backspace removes, Enter sends)",
        "已粘贴：{lines} 行，{size}（Backspace 删除，Enter 发送）",
    ),
    "ui_cut": ("[… {lines} more lines]", "[… 还有 {lines} 行]"),
    "ui_copied_fix": ("the fix", "办法"),
    "ui_copied_repro": ("the script", "脚本"),
    "ui_copied_answer": ("the answer", "回答"),
    "ui_copied": ("Copied to the clipboard: {what}", "已复制到剪贴板：{what}"),
    "ui_commands": ("Commands: {commands}", "命令：{commands}"),
    "ui_nothing_to_copy": ("Nothing to copy yet", "还没有可复制的内容"),
    "ui_candidates": ("Candidates", "候选"),
    "ui_no_candidates": ("No candidates yet. Paste an error first.", "还没有候选。请先粘贴报错。"),
    "ui_decides": ("How to tell the first two apart", "如何区分前两个"),
    "ui_no_proof": ("Nothing to prove yet: no entry has been found", "还没有可验证的条目"),
    "ui_proof_asking": (
        "{id}: asking your Python what it has (Esc cancels)",
        "{id}：正在查询你的 Python 环境（Esc 取消）",
    ),
    "ui_proof_leg": ("{id}: {leg}, {seconds} s (Esc cancels)", "{id}：{leg}，{seconds} 秒（Esc 取消）"),
    "ui_proof_busy": ("A proof is already running; Esc cancels it", "已有一个验证在运行；按 Esc 取消"),
    "ui_cancelled": ("{id}: cancelled", "{id}：已取消"),
    "ui_failed": ("{id}: could not be run", "{id}：无法运行"),
    "ui_search_entries": ("Search the knowledge base", "搜索知识库"),
    "ui_none_found": ("nothing found", "没有找到"),
    "ui_pick_entry": ("Choose an entry; Enter takes it into the chat", "选择一个条目；按 Enter 带入对话"),
    "ui_search_sessions": ("Search what was said", "搜索说过的内容"),
    "ui_no_sessions": ("No chats found", "没有找到对话"),
    "ui_history_off": ("History is off (TORCHWHY_HISTORY=off)", "历史记录已关闭（TORCHWHY_HISTORY=off）"),
    "ui_deleted": ("Deleted", "已删除"),
    "ui_resumed": ("Resumed: {title}", "已恢复：{title}"),
    "ui_key_help": ("Help", "帮助"),
    "ui_key_browse": ("Browse", "浏览"),
    "ui_key_candidates": ("Candidates", "候选"),
    "ui_key_sessions": ("History", "历史"),
    "ui_key_prove": ("Prove it", "验证"),
    "ui_key_copy_fix": ("Copy fix", "复制办法"),
    "ui_key_copy_repro": ("Copy repro", "复制脚本"),
    "ui_key_copy_answer": ("Copy answer", "复制回答"),
    "ui_key_language": ("中文", "English"),
    "ui_key_new_chat": ("New chat", "新对话"),
    "ui_key_close": ("Back", "返回"),
    "ui_key_take": ("Into the chat", "带入对话"),
    "ui_key_source": ("Script", "脚本"),
    "ui_key_delete": ("Delete", "删除"),
    "ui_key_resume": ("Resume", "恢复"),
    "ui_key_quit": ("Quit", "退出"),
    "ui_key_palette": ("palette", "命令"),
    "web_opening": ("Opening the chat …", "正在打开对话…"),
    "web_ended": ("This chat has ended.", "对话已结束。"),
    "web_large": (
        "This is too large for the page. In a terminal: torchwhy -f FILE",
        "内容太大，网页放不下。请在终端运行：torchwhy -f 文件",
    ),
    "web_again": ("Start again", "重新开始"),
    "ui_help": (
        """# torchwhy chat

Paste an error, a whole log, or describe what goes wrong. **Enter** sends, **Ctrl+J** (or \
Shift+Enter) makes a new line. A large paste is folded into one line; from 120 columns on it stands beside its answer, the error marked.

Then ask more: *why?* · *how do I fix it?* · *show me the code* · *how do I check it?* · *is it the \
batch size?* · *what if I use DDP?* · *not that one* · *what else could it be?* · *which line?* · \
*source?* · *prove it* · *in Chinese*

| key | what it does |
|---|---|
| F1 | this page |
| F2 | browse and search the knowledge base |
| F3 | candidates with their probability and reasons; moving through them shows each, Enter stays, Esc goes back |
| F4 | earlier chats: search, read, resume, delete |
| F5 | prove it: run the entry's script here, both versions |
| Shift+Tab | what can be asked next, above the input: Left and Right choose, Enter asks |
| Esc | cancel a proof, close a page, back to the input |
| F6 / F7 / F8 | copy the fix, the script, the whole answer |
| F9 | language |
| F11 | this machine: GPU, driver, torch, memory, and what they say of the answer |
| Ctrl+O | the answer in the words of your own language model, if one is configured; again: the plain answer |
| Ctrl+N | new chat |
| Ctrl+P | command palette |
| PgUp / PgDn | scroll |
| Ctrl+Q | quit |

Answers come from the knowledge base alone. Nothing is sent anywhere, unless you configured a model \
and press Ctrl+O (secrets are taken out). Chats are kept in your data folder with secrets taken \
out; `TORCHWHY_HISTORY=off` keeps nothing.
""",
        """# torchwhy chat

粘贴报错、整份日志，或描述出了什么问题。**Enter** 发送，**Ctrl+J**（或 Shift+Enter）换行。\
很长的粘贴会折叠成一行；终端宽度达到 120 列时，粘贴内容会显示在回答旁边，并标出报错。

之后可以接着问：*为什么？* · *怎么解决？* · *看看代码* · *怎么确认？* · *是不是 batch size 的问题？\
* · *如果用 DDP 呢？* · *不是这个* · *还有别的原因吗* · *哪一行？* · *出处？* · *证明一下* · \
*用英文*

| 按键 | 作用 |
|---|---|
| F1 | 本页 |
| F2 | 浏览、搜索知识库 |
| F3 | 候选及其概率和依据；上下移动逐个查看，Enter 保留，Esc 恢复 |
| F4 | 历史对话：搜索、查看、恢复、删除 |
| F5 | 验证：在本机运行条目的脚本，两个版本 |
| Shift+Tab | 输入框上方可以接着问的内容：左右键选择，Enter 提问 |
| Esc | 取消验证、关闭页面、回到输入框 |
| F6 / F7 / F8 | 复制解决办法、脚本、整个回答 |
| F9 | 语言 |
| F11 | 这台机器：GPU、驱动、torch、内存，以及它们对回答的支持与否 |
| Ctrl+O | 用你自己配置的语言模型换个说法；再按一次回到原回答 |
| Ctrl+N | 新对话 |
| Ctrl+P | 命令面板 |
| PgUp / PgDn | 滚动 |
| Ctrl+Q | 退出 |

回答只来自知识库，不会向任何地方发送数据；除非你配置了模型并按下 Ctrl+O（会先去除密钥）。\
对话保存在你的数据目录，其中的密钥会被去除；`TORCHWHY_HISTORY=off` 则什么都不保存。
""",
    ),
    "rewritten_key": ("Ctrl+O shows the plain answer.", "按 Ctrl+O 查看原回答。"),
    "ui_key_rewrite": ("In other words", "换个说法"),
    "ui_rewriting": ("{model} ({host}) is writing … (Esc cancels)", "{model}（{host}）正在改写…（Esc 取消）"),
    "ui_no_model": (
        "No model is configured: set TORCHWHY_LLM_URL and TORCHWHY_LLM_MODEL. Nothing was sent.",
        "没有配置模型：请设置 TORCHWHY_LLM_URL 和 TORCHWHY_LLM_MODEL。没有发送任何内容。",
    ),
    "ui_not_rewritten": ("The plain answer stands: {reason}", "保留原回答：{reason}"),
    "ui_key_machine": ("This machine", "这台机器"),
    "ui_nothing_to_rewrite": ("Nothing to rephrase yet", "还没有可以换个说法的内容"),
}

register(PHRASES)
