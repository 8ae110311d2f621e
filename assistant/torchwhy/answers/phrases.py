"""The headings and fixed sentences of an answer. Imported by whoever says them, which registers them."""

from __future__ import annotations

import torchwhy.knowledge.phrases  # noqa: F401 (its phrases are said here as well)
from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "sure": ("{percent} sure", "把握 {percent}"),
    "uncalibrated": (
        "probabilities are uncalibrated for this knowledge base or model",
        "概率未针对当前知识库或模型校准",
    ),
    "says": ("What the message says", "这条信息说明了什么"),
    "why": ("Why", "原因"),
    "fix": ("Fix", "解决办法"),
    "check": ("How to check it", "如何确认"),
    "for": ("What speaks for it", "判断依据"),
    "family": ("several causes look like this", "几种原因看起来都是这样"),
    "family_members": ("What it may be", "可能是"),
    "family_checks": ("What tells them apart", "如何区分"),
    "family_said": ("From what you wrote", "根据你写的"),
    "screen_may_be": ("May be  {entry}", "可能是  {entry}"),
    "screen_first_check": ("Check   {check}", "先查    {check}"),
    "screen_asks_on": ("asks on until it is one: ", "逐步追问，直到确定："),
    "screen_all_checks": ("all checks: ", "全部检查："),
    "family_nothing": ("none of them in particular", "不特别指向哪一个"),
    "yes": ("yes", "是"),
    "no": ("no", "否"),
    "signature": ("the message matches", "报错文字吻合"),
    "context": ("and so does its surroundings", "上下文也吻合"),
    "words": ("its words fit", "用词相近"),
    "meaning": ("its meaning is near (cosine {value})", "语义相近（余弦 {value}）"),
    "fact": ("this machine", "这台机器"),
    "code": ("your code shows it", "你的代码里就有"),
    "code_cell": ("cell {cell}", "单元格 {cell}"),
    "code_found": ("Found in {place}", "在 {place} 找到"),
    "code_others": ("also found in your code ({count}): ", "代码里另外发现 {count} 处："),
    "guess": (
        "no message settles it: this is inferred from the words",
        "没有决定性的报错文字：这是从描述推断的",
    ),
    "alike": ("Easily confused with", "容易混淆"),
    "rival": ("The text fits this one as well", "文字同样符合另一种情况"),
    "sources": ("Sources", "参考"),
    "prove": ("Prove it here", "在本机验证"),
    "noproof": ("No script can show this one", "无法用脚本演示"),
    "wrapper": (
        "`{name}` only carries the error; the cause is the one above",
        "`{name}` 只是外层包装；根源是上面这个错误",
    ),
    "screen_sure": ("cause: sure ({percent})", "原因：有把握（{percent}）"),
    "screen_likely": ("cause: most likely, not sure ({percent})", "原因：很可能，但没有把握（{percent}）"),
    "screen_uncalibrated": ("uncalibrated", "未校准"),
    "screen_to_tell": (". To be sure: ", "。要确认："),
    "screen_more": ("why, other fixes: ", "原因与其他办法："),
    "screen_report": ("ready to post, without secrets: ", "生成可发布的报告（不含敏感信息）："),
    "screen_proof": ("proof on this machine: ", "在本机验证："),
    "screen_page": ("its page: ", "网页："),
    "page": ("Page", "网页"),
    "screen_change": ("Change", "改法"),
    "screen_usual": ("Usual fix", "通常改法"),
    "screen_tried": ("tried here: runs", "已在这里试过：能运行"),
    "screen_tried_gives": ("tried here: runs, gives {gives}", "已在这里试过：能运行，得到 {gives}"),
    "screen_example": ("an example, not your code:", "示例（不是你的代码）："),
    "screen_or": ("Or", "或者"),
    "screen_cell": ("Cell {cell}", "第 {cell} 个单元格"),
    "screen_cell_line": ("Cell {cell}, line {line}", "第 {cell} 个单元格第 {line} 行"),
    "screen_line": ("line {line}: ", "第 {line} 行："),
    "screen_in": ("{place} in {function}", "{place}，{function} 中"),
    "screen_package": ("in the package {package}", "出错的行在 {package} 包里"),
    "screen_package_called": (
        "in the package {package}, called from your {place}",
        "出错的行在 {package} 包里，由 {place} 调用",
    ),
    "screen_package_says": (
        "{name} asks torch for something that this release of torch does not have: see `pip show {name} torch`, then "
        "upgrade {name} or pin a release that fits your torch.",
        "{name} 用到了这个版本的 torch 里没有的东西：先看 `pip show {name} torch`，再升级 {name}，或固定到与 torch 相配的版本。",
    ),
    "screen_rank": ("rank {rank} failed", "出错的是 rank {rank}"),
    "screen_echo": (
        "rank {rank} failed first; what rank {others} printed only followed from it",
        "rank {rank} 最先出错；rank {others} 的报错只是它引起的",
    ),
    "screen_echo_process": (
        "process {rank} failed first; what process {others} printed only followed from it",
        "进程 {rank} 最先出错；进程 {others} 的报错只是它引起的",
    ),
    "screen_no_error": (
        "No error in these {count} lines. If something is wrong, say in words what you expected.",
        "这 {count} 行里没有报错。如果有什么不对，请用一句话说说你期望看到什么。",
    ),
    "screen_nearest": ("Nearest, but not near enough: {entry}", "最接近但不足以下结论的：{entry}"),
    "screen_tell": ("What would tell: {check}", "如何判断：{check}"),
    "own": (
        "Python's own error, not PyTorch's: nothing of torch stands in it.",
        "这是 Python 自身的报错，与 PyTorch 无关：报错里没有 torch 的内容。",
    ),
    "own_raised": (
        "Your own program raised this: the line above says why, PyTorch has no part in it.",
        "这是你自己的程序抛出的：原因就在上面那一行，与 PyTorch 无关。",
    ),
    "own_near": ("Near it in your code: {names}", "代码里相近的名字：{names}"),
    "own_none": (
        "The value is None: the call that made it returned nothing, or it was never set.",
        "这个值是 None：产生它的调用没有返回值，或者从未赋值。",
    ),
    "own_index": (
        "It has fewer items than the index asks for, perhaps none: print its len() before this line.",
        "元素比下标要求的少，也可能一个都没有：在这一行之前打印它的 len()。",
    ),
    "own_KeyError": (
        "The dictionary has no such key: print its keys before this line, or use .get().",
        "字典里没有这个键：在这一行之前打印它的 keys()，或者用 .get()。",
    ),
    "own_NameError": (
        "No such name is defined here: a slip, or an import that is missing.",
        "这里没有定义这个名字：拼写有误，或者漏了 import。",
    ),
    "own_UnboundLocalError": (
        "The function sets this name, but not on the way that was taken before this line.",
        "函数里给这个名字赋过值，但走到这一行之前的分支没有赋值。",
    ),
    "own_AttributeError": (
        "The object has no such attribute: print type() and dir() of it before this line.",
        "对象没有这个属性：在这一行之前打印它的 type() 和 dir()。",
    ),
    "own_ZeroDivisionError": (
        "The divisor is 0: often a count of something that is empty, such as a loader without batches.",
        "除数为 0：往往是某个空集合的计数，例如一个批次都没有的加载器。",
    ),
    "own_StopIteration": (
        "next() was called on an iterator that has nothing left; next(it, None) says so without an error.",
        "对已经取完的迭代器调用了 next()；next(it, None) 会返回 None 而不报错。",
    ),
    "own_FileNotFoundError": (
        "Nothing lies at this path; a relative one starts at the current folder: print os.getcwd().",
        "这个路径下什么都没有；相对路径从当前目录算起：打印 os.getcwd() 看看。",
    ),
    "own_ModuleNotFoundError": (
        "This Python has no such module: see `python -m pip list` of the same python.",
        "这个 Python 里没有该模块：用同一个 python 运行 `python -m pip list` 看看。",
    ),
    "own_RecursionError": ("The function calls itself without an end.", "函数无止境地调用自己。"),
    "own_CalledProcessError": (
        "Another program failed; its own message stands above this one.",
        "是另一个程序失败了；它自己的报错在这之前。",
    ),
    "unknown": ("I don't know this one.", "这个问题我不知道。"),
    "unknown_cut_off": (
        "This traceback stops before its last line, which names the error: paste that line as well.",
        "这段调用栈在最后一行之前断了，而说明错误的正是那一行：请把它也贴上来。",
    ),
    "unknown_foreign": (
        "This looks like {names}, not PyTorch: not something I know.",
        "这看起来是 {names} 的问题，与 PyTorch 无关：我不了解。",
    ),
    "unknown_error": ("The error that I found in the text", "在文中找到的错误"),
    "nearest": ("Nearest, but not near enough", "最接近但不足以下结论的"),
    "tell": ("what would tell", "如何判断"),
    "onward": ("Where to go on", "接下来怎么办"),
    "kind_build": ("It fails while a package is built.", "失败发生在编译安装某个包的时候。"),
    "kind_import": (
        "It fails while something is imported or loaded.",
        "失败发生在导入模块或加载动态库的时候。",
    ),
    "kind_killed": (
        "The process was ended or crashed in native code: look at the exit status and at the system's log.",
        "进程被杀，或在原生代码里崩溃：请看退出码和系统日志。",
    ),
    "kind_cuda": (
        "The GPU's runtime reports it; `CUDA_LAUNCH_BLOCKING=1` makes the traceback name the call.",
        "由 GPU 运行时报出；设 `CUDA_LAUNCH_BLOCKING=1` 后，报错位置才准确。",
    ),
    "kind_library": ("An installed package raises it.", "由已安装的某个包抛出。"),
    "kind_own": ("Your own code raises it, as far as the text shows.", "就文中所见，由你自己的代码抛出。"),
    "raised_by": (
        "The failing line is in `{package}`.",
        "出错的那一行在 `{package}` 里。",
    ),
    "search_for": ("Search for exactly", "用这一行原样搜索"),
    "takes_issues": ("Its project takes reports at", "这个项目在这里受理问题"),
    "report_ready": (
        "`torchwhy report` makes a report that is ready to post, with secrets taken out.",
        "`torchwhy report` 可以生成能直接发布的报告，其中的敏感信息已去除。",
    ),
    "nothing": (
        "No error was found in the text. Paste the traceback, or describe what you see.",
        "文中没有找到错误。请粘贴完整的报错，或描述看到的现象。",
    ),
    "effect_word_crash": ("crash", "崩溃"),
    "effect_word_wrong-result": ("wrong result", "结果错误"),
    "effect_word_memory": ("memory", "内存/显存"),
    "effect_word_slow": ("slow", "慢"),
    "effect_word_hang": ("hang", "卡住"),
    "effect_word_not-reproducible": ("not reproducible", "不可复现"),
    "effect_word_practice": ("practice", "用法"),
    "kind_word_error": ("error", "报错"),
    "kind_word_warning": ("warning", "警告"),
    "kind_word_silent": ("silent", "无报错"),
    "document": ("document {key}", "文档 {key}"),
    "fact_report": ("the pasted report", "粘贴的环境报告"),
    "fact_line": ("{whose}: {said} ({values})", "{whose}：{said}（{values}）"),
    "fact_against": ("against it: ", "反对的依据："),
    "facts_silent": ("no fact speaks for it or against it", "没有支持或反对它的事实"),
    "facts_of_machine": ("{python}, torch {torch} ({chosen})", "{python}，torch {torch}（{chosen}）"),
    "facts_of_report": (
        "the report of torch.utils.collect_env, torch {torch}",
        "torch.utils.collect_env 的报告，torch {torch}",
    ),
    "facts_machine": ("This machine", "这台机器"),
    "facts_report": ("The machine of the report", "报告中的机器"),
    "facts_whose": ("Facts of", "事实来自"),
    "col_fact": ("fact", "事实"),
    "col_value": ("value", "值"),
    "col_how": ("from", "来源"),
    "col_means": ("meaning", "含义"),
    "report_alone": (
        "The text holds a report of torch.utils.collect_env and no error: paste the error as well.",
        "文中只有 torch.utils.collect_env 的报告，没有报错：请把报错也一起粘贴。",
    ),
    "seen": (
        "Last confirmed on {device}, torch {torch}, {date}.",
        "最近一次验证：{device}，torch {torch}，{date}。",
    ),
    "seen_stale": (
        "Confirmed on {device}, torch {torch}, {date}, but the script has changed since: that is stale.",
        "曾于 {date} 在 {device}、torch {torch} 上验证，但脚本此后有改动：该结果已过时。",
    ),
    "rep_diagnosis": ("Diagnosis", "诊断"),
    "gpu_own": ("yours", "你的"),
    "gpu_other": ("another user's", "其他用户的"),
    "rewritten": (
        "In the words of {model} ({host}), a language model, from the passages of {entries}. It may be "
        "wrong where the plain answer is not.",
        "以下为语言模型 {model}（{host}）根据 {entries} 的段落改写的文字；可能有误，以原回答为准。",
    ),
}
register(PHRASES)
