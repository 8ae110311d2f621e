import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler


def prepare(table, labels):
    scaler = MinMaxScaler()
    table = scaler.fit_transform(table)  # broken, here
    x_train, x_val, y_train, y_val = train_test_split(table, labels, test_size=0.2)
    x_train, x_val = scaler.fit_transform(x_train), scaler.transform(x_val)  # fixed
    return torch.tensor(x_train), torch.tensor(x_val), y_train, y_val
