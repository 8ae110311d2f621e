"""The field's Chinese terms and their English ones. The default encoder reads English well and Chinese hardly: a
Chinese question is searched by its characters *and* by the English terms that stand here. Longest term first.
"""

from __future__ import annotations

import re

TERMS = {
    "显存": "gpu memory", "爆显存": "cuda out of memory", "显存不足": "cuda out of memory", "显存不够": "cuda out of memory",
    "显存溢出": "cuda out of memory", "内存": "host memory ram", "内存不足": "host out of memory", "内存泄漏": "memory leak", "泄漏": "leak",
    "共享内存": "shared memory shm", "显卡": "gpu", "显卡驱动": "nvidia driver", "驱动": "driver", "多卡": "multiple gpus", "单卡": "single gpu",
    "双卡": "two gpus", "几张卡": "several gpus", "卡上": "on gpu", "主卡": "gpu 0", "多机": "multiple nodes", "分布式": "distributed",
    "训练": "training", "训": "train", "推理": "inference", "预测": "prediction", "验证": "validation", "测试": "test", "评估": "evaluation",
    "梯度": "gradient", "梯度裁剪": "gradient clipping", "梯度累加": "gradient accumulation", "梯度累积": "gradient accumulation",
    "梯度爆炸": "exploding gradients", "梯度消失": "vanishing gradients", "梯度清零": "zero_grad zero gradients", "清零": "zero_grad",
    "反向传播": "backward backpropagation", "反传": "backward", "反向": "backward", "前向": "forward", "前向传播": "forward", "计算图": "computation graph",
    "求导": "differentiate autograd", "自动求导": "autograd", "叶子": "leaf", "叶子节点": "leaf tensor", "原地": "inplace", "就地": "inplace",
    "损失": "loss", "损失函数": "loss function", "交叉熵": "cross entropy", "均方误差": "mse loss", "学习率": "learning rate", "优化器": "optimizer",
    "调度器": "scheduler", "衰减": "decay", "权重衰减": "weight decay", "权重": "weights", "权值": "weights", "参数": "parameters", "参数组": "parameter group",
    "冻结": "freeze frozen", "初始化": "initialization", "随机种子": "random seed", "种子": "seed", "随机": "random", "复现": "reproduce reproducible",
    "不一样": "different", "不一致": "different mismatch", "不匹配": "mismatch", "不同": "different", "一致": "same", "张量": "tensor", "标量": "scalar", "矩阵": "matrix",
    "相乘": "multiply matmul", "向量": "vector", "维度": "dimension", "维": "dimension", "形状": "shape", "尺寸": "size", "大小": "size", "广播": "broadcast",
    "拼接": "concatenate cat", "堆叠": "stack", "转置": "transpose", "连续": "contiguous", "索引": "index", "越界": "out of range out of bounds", "下标": "index",
    "掩码": "mask", "切片": "slice", "展平": "flatten", "通道": "channels", "卷积": "convolution conv", "池化": "pooling", "全连接": "linear fully connected",
    "嵌入": "embedding", "词表": "vocabulary", "隐藏状态": "hidden state", "循环神经网络": "rnn", "注意力": "attention", "批归一化": "batchnorm batch normalization",
    "归一化": "normalization", "标准化": "normalization", "批量": "batch", "批次": "batch", "批大小": "batch size", "样本": "sample", "标签": "label target",
    "类别": "class", "分类": "classification", "独热": "one-hot", "目标": "target", "数据": "data", "数据集": "dataset", "数据加载": "data loading dataloader",
    "加载": "load", "读取": "read load", "预处理": "preprocess", "增强": "augmentation", "进程": "process", "子进程": "subprocess worker", "多进程": "multiprocessing",
    "线程": "threads", "核": "cores", "卡住": "hang stuck", "卡死": "hang stuck", "不动": "stuck", "死锁": "deadlock hang", "超时": "timeout", "端口": "port",
    "被占用": "already in use", "占用": "used occupied", "被杀": "killed", "杀死": "killed", "崩溃": "crash", "中断": "interrupted", "报错": "error", "警告": "warning",
    "慢": "slow", "很慢": "very slow", "变慢": "slow", "加速": "speed up", "速度": "speed", "耗时": "time takes long", "利用率": "utilization", "空闲": "idle",
    "保存": "save", "模型": "model", "权重文件": "checkpoint", "断点": "checkpoint", "恢复": "resume restore", "键": "key", "缺少": "missing", "多余": "unexpected",
    "设备": "device", "同一设备": "same device", "放到": "move to", "搬到": "move to", "移到": "move to", "编号": "index number", "指定": "specify select", "可见": "visible",
    "版本": "version", "不兼容": "incompatible", "安装": "install", "编译": "compile build", "扩展": "extension", "动态库": "shared library", "环境": "environment",
    "半精度": "half precision fp16", "混合精度": "mixed precision amp", "精度": "precision accuracy", "单精度": "float32", "双精度": "float64 double", "浮点": "float",
    "整数": "integer", "整型": "integer long", "类型": "type dtype", "溢出": "overflow", "钩子": "hook", "缓存": "cache", "释放": "free release", "清空": "empty clear",
    "回收": "free", "碎片": "fragmentation", "峰值": "peak", "上涨": "grows", "增长": "grows", "越来越": "more and more grows", "一直涨": "keeps growing", "累加": "accumulate",
    "累积": "accumulate", "裁剪": "clipping", "中间层": "intermediate layer", "某一层": "one layer", "各层": "each layer", "层": "layer", "网络": "network", "结构": "architecture",
    "继承": "subclass", "属性": "attribute", "列表": "list", "图片": "image", "图像": "image", "灰度": "grayscale", "单张": "single image", "不等长": "unequal length",
    "变长": "variable length", "填充": "padding", "补齐": "padding", "同步": "synchronize", "异步": "asynchronous", "计时": "timing", "曲线": "curve", "画": "plot",
    "打印": "print", "查看": "inspect view", "概要": "summary", "全是": "all", "为空": "empty none", "空的": "empty", "没有变化": "does not change", "不更新": "not updated",
    "不下降": "does not decrease", "不变": "unchanged", "变成": "becomes", "概率": "probability", "采样": "sampling", "生成": "generation", "断言": "assert",
    "触发": "triggered", "非法": "illegal", "访问": "access", "找不到": "not found", "无法": "cannot", "不支持": "not supported", "共享": "shared", "容器": "container docker",
    "打开的文件": "open files", "文件": "file", "主机": "host", "锁页": "pinned", "拷贝": "copy", "复制": "copy", "两次": "twice", "第二次": "second time", "多个": "several",
    "第一个": "first", "每个": "each", "顺序": "order", "之前": "before", "之后": "after", "忘记": "forgot", "关闭": "disable", "启用": "enable", "禁用": "disable", "切换": "switch",
    "动量": "momentum", "统计量": "running statistics", "均值": "mean", "方差": "variance", "丢弃": "dropout", "除以零": "division by zero", "对数": "log", "开方": "sqrt",
    "负数": "negative", "无穷": "inf", "脏数据": "dirty data nan", "过拟合": "overfitting", "发散": "diverge", "收敛": "converge", "跳过": "skip", "图优化": "graph",
}  # fmt: skip
_PATTERN = re.compile("|".join(sorted(map(re.escape, TERMS), key=len, reverse=True)))
_HAN = re.compile(r"[\u3400-\u9fff]")


def translate(text: str) -> str:
    """The English terms for the Chinese ones in `text`, in order, with its Latin words kept; "" without Chinese."""
    if not _HAN.search(text):
        return ""
    words = _PATTERN.sub(lambda found: f" {TERMS[found[0]]} ", text)
    return " ".join(_HAN.sub(" ", words).replace("，", " ").replace("。", " ").replace("？", " ").split())
