import torch


def as_rows(values):
    return values.resize_(values.numel() // 2, 2)  # broken, here
    return values.reshape(values.numel() // 2, 2)  # fixed


pairs = torch.arange(8)
print(as_rows(pairs), pairs.shape)
