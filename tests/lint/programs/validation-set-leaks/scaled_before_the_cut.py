import numpy as np


def load(path, n):
    series = np.loadtxt(path)
    low, high = series.min(), series.max()  # broken, here
    low, high = series[:n].min(), series[:n].max()  # fixed
    series = (series - low) / (high - low)
    return series[:n], series[n:]
