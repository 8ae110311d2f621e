"""Batches of workers are kept, and with each of them its place in shared memory."""

from torchwhy_watch import Watching

MESSAGES = {
    "kept": (
        "`{name}` holds {count} results in shared memory (/dev/shm), {size}, and {each} more with every step since step {first}; the process has grown by {grown} there since then, and {free} are free: keep result.clone(), or a number",
        "`{name}` 在共享内存（/dev/shm）里保存了 {count} 个结果，共 {size}，自第 {first} 步起每步增加 {each}；其间进程在那里增长了 {grown}，尚余 {free} 空闲：应保存 result.clone() 或数值",
    )
}


class Guard(Watching):
    def on_growth(self, place, at, told):
        """What the guard of host-memory-grows found to grow there."""
        if place == "shared":
            self.report("kept", at, **told)
