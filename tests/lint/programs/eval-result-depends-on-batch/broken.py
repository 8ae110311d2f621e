from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

steps = nn.LSTM(20, 30, batch_first=True)


def summary(rows, lengths):
    padded = pad_sequence(rows, batch_first=True)
    states, (last, _) = steps(padded)
    return states[:, -1]  # here
