import torch


def as_rows(values):
    return values.reshape(values.numel() // 2, 2)


pairs = torch.arange(8)
print(as_rows(pairs), pairs.shape)
