import numpy as np
from sklearn.model_selection import train_test_split


def windows(series, size):
    x, y = [], []
    for i in range(len(series) - size):
        x.append(series[i : i + size])
        y.append(series[i + size])
    return train_test_split(np.array(x), np.array(y), test_size=0.2)  # broken, here
    return train_test_split(np.array(x), np.array(y), test_size=0.2, shuffle=False)  # fixed
