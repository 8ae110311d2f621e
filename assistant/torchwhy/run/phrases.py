"""What is said of a run, in both languages."""

from __future__ import annotations

from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "run_here": ("Here", "出错的位置"),
    "run_here_in": ("{place} in {function}", "{place}，函数 {function}"),
    "run_here_rank": ("rank {rank}", "rank {rank}"),
    "run_here_thread": ("thread {thread}", "线程 {thread}"),
    "run_sample": (
        "while reading sample {sample}; to read it alone: dataset[{sample}]",
        "正在读取样本 {sample}；可单独读取：dataset[{sample}]",
    ),
    "run_operand_of": ("{name} of {owner}", "{owner} 的 {name}"),
    "run_no_error_printed": (
        "{command} ended with {status}, and printed no error that can be looked up",
        "{command} 已结束（{status}），输出中没有可供查询的错误",
    ),
    "run_only_errors_read": (
        "its standard output was not read; to read both: COMMAND 2>&1 | torchwhy",
        "未读取标准输出；若要两者都读取：COMMAND 2>&1 | torchwhy",
    ),
    "run_try_faulthandler": (
        "`PYTHONFAULTHANDLER=1 torchwhy run ...` shows where Python was when it crashed.",
        "`PYTHONFAULTHANDLER=1 torchwhy run ...` 会显示崩溃时 Python 所处的位置。",
    ),
    "run_status_exit": ("exit status {number}", "退出状态 {number}"),
    "run_status_signal": ("signal {name}", "信号 {name}"),
    "run_status_named": ("exit status {number} ({name})", "退出状态 {number}，{name}"),
    "run_killed_memory": (
        "The kernel's out-of-memory killer ended a process during this run ({source}).",
        "运行期间，内核因内存不足终止了进程（{source}）。",
    ),
    "run_killed_unknown": (
        "It was killed from outside, and no out-of-memory kill was counted here during the run: look at who may send "
        "signals (a job scheduler's limit, a container's, a person).",
        "进程被外部终止，而运行期间此处没有内存不足的终止记录：请检查谁可能发送信号（作业调度器的限制、容器的限制、某个人）。",
    ),
    "run_apply": (
        "write this change into your file: torchwhy last --apply",
        "把这个改动写进文件：torchwhy last --apply",
    ),
    "run_apply_asks": ("Write this into {path}?", "把这个改动写进 {path} 吗？"),
    "run_applied": ("written; the file as it was: {copy}", "已写入；原来的文件保存在：{copy}"),
    "run_again_asks": ("Run it again? {command}", "再运行一次吗？{command}"),
    "run_since_gone": (
        "the error of the last run is gone ({what})",
        "上次运行的错误已消失（{what}）",
    ),
    "run_since_same": (
        "The same error in the same place as in the last run.",
        "与上次运行相同的错误，位置相同。",
    ),
    "run_since_moved": (
        "The same error as in the last run, in a different place (it was {what}).",
        "与上次运行相同的错误，但位置不同（上次在 {what}）。",
    ),
    "run_since_another": (
        "A different error from the last run (which was {what}).",
        "与上次运行不同的错误（上次是 {what}）。",
    ),
    "run_try_anomaly": (
        "`torchwhy run --anomaly` runs it again and names the line of the forward pass (slower).",
        "`torchwhy run --anomaly` 会重新运行并指出前向计算中的那一行（较慢）。",
    ),
    "run_try_blocking": (
        "`torchwhy run --blocking` runs it again with CUDA_LAUNCH_BLOCKING=1, so that the line shown is the right one.",
        "`torchwhy run --blocking` 会以 CUDA_LAUNCH_BLOCKING=1 重新运行，使显示的行准确。",
    ),
    "run_forward_line": (
        "The forward pass created it at {place}: {code}",
        "前向计算在 {place} 产生了它：{code}",
    ),
    "run_no_last": (
        "no run is kept; `torchwhy run COMMAND` keeps its answer",
        "没有保存的运行；`torchwhy run COMMAND` 会保存结果",
    ),
    "run_last_ended": ("{command} ended with {status} at {at}", "{command} 已于 {at} 结束（{status}）"),
    "run_stalled": (
        "the same lines of Python for {seconds} s; the stacks of its Python processes follow (it goes on)",
        "{seconds} 秒内一直停在相同的 Python 行；以下是各 Python 进程的调用栈（程序继续运行）",
    ),
    "run_stall_blind": (
        "--stall sees no Python process of this command that it can look into: installing py-spy may help",
        "--stall 找不到可以查看的 Python 进程；安装 py-spy 可能有帮助",
    ),
    "run_waits": ("{who} waits in {call} at {place}", "{who} 停在 {call}（{place}）"),
    "run_several_wait": ("{who} wait in {call} at {place}", "{who} 停在 {call}（{place}）"),
    "run_is_at": ("{who} is at {place}", "{who} 位于 {place}"),
    "run_several_are_at": ("{who} are at {place}", "{who} 位于 {place}"),
    "run_comma": (", ", "，"),
    "run_ranks_gone": (
        "no process is left here of rank {ranks}: it has ended, and the others wait for it",
        "rank {ranks} 的进程已经结束，其余 rank 在等它",
    ),
    "run_moves": (
        "process {pids} moved within {seconds} s: it may be slow, and not stand still",
        "进程 {pids} 在 {seconds} 秒内有进展：可能只是慢，并未停住",
    ),
    "run_wait_entry": (
        "a usual cause: {title} (torchwhy show {id})",
        "常见原因：{title}（torchwhy show {id}）",
    ),
    "watch_finding": (
        "{place} (step {step}): {message} [torchwhy show {id}]",
        "{place}（第 {step} 步）：{message} [torchwhy show {id}]",
    ),
    "watch_off": ("the guard {id} failed and was switched off: {why}", "检查项 {id} 出错，已关闭：{why}"),
    "watch_no_training": (
        "--watch: no training step was seen in a Python process below this command",
        "--watch：在此命令的 Python 进程中没有看到训练步骤",
    ),
    "watch_seen": (
        "--watch: {steps} optimizer steps in {seconds} s, checked by {guards} guards; findings: {findings}",
        "--watch：{seconds} 秒内 {steps} 个优化步，{guards} 个检查项；发现：{findings}",
    ),
    "watch_wait": (
        "--watch: {share}% of the time ({wait} s) was spent waiting for data loaders",
        "--watch：{share}% 的时间（{wait} 秒）在等待数据加载器",
    ),
    "watch_compiled": (
        "--watch: the program uses torch.compile; from there on only its loss, gradients, optimizers and loaders were watched",
        "--watch：程序使用了 torch.compile；此后只检查损失、梯度、优化器和数据加载器",
    ),
    "watch_title": ("What was seen while it trained", "训练期间的观察"),
    "watch_step": ("step {step}", "第 {step} 步"),
    "watch_fine": ("Checked, and not found", "检查过且未发现"),
}
register(PHRASES)
