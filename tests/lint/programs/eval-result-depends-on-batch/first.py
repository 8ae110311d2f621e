from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

steps = nn.LSTM(20, 30, batch_first=True)


def summary(rows, lengths):
    padded = pad_sequence(rows, batch_first=True)
    states, (last, _) = steps(padded)  # broken
    return states[:, -1]  # broken, here
    states, (last, _) = steps(pack_padded_sequence(padded, lengths, batch_first=True, enforce_sorted=False))  # fixed
    return last[-1]  # fixed
