"""Names that mean the same in nearly every program; a pasted piece seldom brings its imports along."""

from __future__ import annotations

from .nodes import words

_MEMBERS = {
    "torch.nn": "Sequential Linear Conv2d ReLU Dropout CrossEntropyLoss NLLLoss MSELoss BCELoss"
    " BCEWithLogitsLoss Module Parameter DataParallel",
    "torch.optim": "Adam AdamW SGD RMSprop Adagrad lr_scheduler",
    "torch.optim.lr_scheduler": "StepLR MultiStepLR ExponentialLR CosineAnnealingLR ReduceLROnPlateau",
    "torch.utils.data": "DataLoader Dataset TensorDataset IterableDataset Subset random_split",
    "torch.utils.data.distributed": "DistributedSampler",
    "torch.nn.parallel": "DistributedDataParallel",
    "torch.autograd": "Variable",
    "torch.cuda.amp": "autocast GradScaler",
    "torchvision": "transforms datasets models",
    "tqdm": "tqdm trange",
}
# what a name stands for where its file says nothing else
CONVENTIONS = {name: f"{home}.{name}" for home, names in _MEMBERS.items() for name in words(names)} | {
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "optim": "torch.optim",
    "np": "numpy",
    "dist": "torch.distributed",
    "mp": "torch.multiprocessing",
    "DDP": "torch.nn.parallel.DistributedDataParallel",
}
# what kind of thing a name is that a piece of code uses and does not make
KINDS = {
    **dict.fromkeys(words("model net network"), "module"),
    **dict.fromkeys(words("criterion loss_fn loss_func loss_function criteria"), "loss"),
    **dict.fromkeys(words("optimizer opt optim"), "optimizer"),
    "scheduler": "scheduler",
    "scaler": "scaler",
}
