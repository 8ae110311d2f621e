"""Libraries that stand on torch: the names of their folders, where projects take reports, and how pip knows a
package whose folder has another name.
"""

from torchwhy.text.lazy_re import lazy_compile

HUGGING_FACE = ("transformers", "accelerate", "datasets", "diffusers", "peft", "tokenizers", "trl")
TRACKERS = {
    **{name: f"huggingface/{name}" for name in HUGGING_FACE},
    "torch": "pytorch/pytorch",
    "numpy": "numpy/numpy",
    "bitsandbytes": "bitsandbytes-foundation/bitsandbytes",
    "deepspeed": "deepspeedai/DeepSpeed",
    "flash_attn": "Dao-AILab/flash-attention",
    "lightning": "Lightning-AI/pytorch-lightning",
    "mmcv": "open-mmlab/mmcv",
    "mmengine": "open-mmlab/mmengine",
    "monai": "Project-MONAI/MONAI",
    "pytorch_lightning": "Lightning-AI/pytorch-lightning",
    "timm": "huggingface/pytorch-image-models",
    "torch_geometric": "pyg-team/pytorch_geometric",
    "torchaudio": "pytorch/audio",
    "torchmetrics": "Lightning-AI/torchmetrics",
    "torchvision": "pytorch/vision",
    "triton": "triton-lang/triton",
    "ultralytics": "ultralytics/ultralytics",
    "vllm": "vllm-project/vllm",
    "xformers": "facebookresearch/xformers",
}
OTHERS = lazy_compile(
    r"(?:apex|basicsr|botorch|compressed_tensors|detectron2|dgl|e3nn|fairseq|fastai|gpytorch|gsplat|"
    r"huggingface_hub|ignite|kornia|lightning_fabric|mm(?:cls|det|det3d|pose|seg)|nerfstudio|open_clip|pyro|"
    r"pytorch3d|segmentation_models_pytorch|sentence_transformers|spconv|speechbrain|"
    r"torch(?:_scatter|_sparse|ao|sparse|text|tune)|unsloth|yolox)\Z"
)
DISTRIBUTIONS = {
    "PIL": "pillow",
    "cv2": "opencv-python",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "yaml": "PyYAML",
    "lightning_fabric": "lightning",
    "bs4": "beautifulsoup4",
    "open_clip": "open-clip-torch",
    "whisper": "openai-whisper",
}


def pip_name(package: str) -> str:
    """The name that pip knows a package by; what is none stays."""
    return DISTRIBUTIONS.get(package, package if " " in package else package.replace("_", "-"))


def is_library(folder: str) -> bool:
    """Whether a package of that folder stands on torch."""
    known = folder in TRACKERS and folder not in ("torch", "numpy")
    return known or OTHERS.match(folder) is not None
