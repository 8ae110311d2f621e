import numpy as np
from sklearn.model_selection import train_test_split


def halves(slices, grades, patients):
    return train_test_split(slices, grades, test_size=0.2)  # broken, here
    known, unknown = train_test_split(np.unique(patients), test_size=0.2)  # fixed
    return slices[np.isin(patients, known)], slices[np.isin(patients, unknown)]  # fixed
