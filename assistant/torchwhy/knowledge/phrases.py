"""Where facts come from, and why one is unknown. Imported by whoever says them, which registers them."""

from __future__ import annotations

from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "facts_gpu": ("GPU and driver", "GPU 与驱动"),
    "facts_software": ("Python, torch and libraries", "Python、torch 与库"),
    "facts_memory": ("Memory and disk", "内存与磁盘"),
    "facts_system": ("System and limits", "系统与限制"),
    "facts_env": ("Environment variables", "环境变量"),
    "python_given": ("from --python", "由 --python 指定"),
    "python_paste": ("the environment that the paste names", "粘贴内容中的环境"),
    "python_last": (
        "the Python of the last run, which failed so",
        "上次运行所用的 Python，当时就是这样失败的",
    ),
    "python_virtual_env": ("the active VIRTUAL_ENV", "当前的 VIRTUAL_ENV"),
    "python_conda_prefix": ("the active CONDA_PREFIX", "当前的 CONDA_PREFIX"),
    "python_own": ("torchwhy's own; --python names another", "torchwhy 自己的；可用 --python 指定"),
    "note_missed": (
        "named, but not used, because it is not on this machine or holds no torch: {detail}",
        "提到但未使用（不在本机，或其中没有 torch）：{detail}",
    ),
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
    "fact_container_processes": (
        "other processes are not visible from inside a container or WSL",
        "在容器或 WSL 内看不到其他进程",
    ),
    "fact_platform": ("not read on this system", "在此系统上不读取"),
    "fact_not_here": ("there is no {detail} here", "这里没有 {detail}"),
    "fact_unreadable": ("cannot be read ({detail})", "无法读取（{detail}）"),
}
register(PHRASES)
