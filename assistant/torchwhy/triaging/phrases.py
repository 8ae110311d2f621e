"""What is said of a triage, in both languages."""

from __future__ import annotations

from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "triage_title": ("What kills the jobs", "作业因何失败"),
    "triage_counts": (
        "{jobs} jobs, {failed} failed; {logs} logs, {unreadable} files not read",
        "{jobs} 个作业，{failed} 个失败；{logs} 份日志，{unreadable} 个文件未能读取",
    ),
    "triage_quiet": (
        "A job whose logs show no error ended well, or was killed without a word: a log cannot tell these apart.",
        "日志中没有错误的作业，可能正常结束，也可能被无声终止：仅凭日志无法区分。",
    ),
    "triage_causes": ("Causes by jobs lost", "按损失作业数排列的原因"),
    "triage_cause": ("Cause", "原因"),
    "triage_jobs": ("Jobs", "作业"),
    "triage_hours": ("GPU hours", "GPU 小时"),
    "triage_trend": ("By day", "按日"),
    "triage_new": ("New since the earlier data set", "自上一数据集以来新出现"),
    "triage_new_mark": ("new", "新"),
    "triage_nothing_new": ("Nothing new.", "没有新的错误。"),
    "triage_hosts": ("Hosts that stand out", "异常突出的主机"),
    "triage_no_hosts": ("No host fails more often than chance explains.", "没有主机的失败率高于偶然。"),
    "triage_host": (
        "{name}: {failed} of {jobs} jobs failed; so many by chance: p = {chance}",
        "{name}：{jobs} 个作业中失败 {failed} 个；偶然如此的概率 p = {chance}",
    ),
    "triage_hosts_how": (
        "Fisher's exact test, one-sided, with Holm's correction over all hosts; p below 0.01.",
        "单侧 Fisher 精确检验，对全部主机作 Holm 校正；p 小于 0.01。",
    ),
    "triage_unknown": ("Teach torchwhy these first", "请优先补充这些"),
    "triage_unread": ("Not read", "未能读取"),
    "triage_python": ("{name}, an error of the program's own Python", "{name}：程序自身的 Python 错误"),
    "triage_unexplained": ("{name}, not explained by any entry", "{name}：没有条目能解释"),
    "triage_more": ("and {count} more", "以及另外 {count} 项"),
}
register(PHRASES)
