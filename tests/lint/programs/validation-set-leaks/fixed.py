import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

table = torch.rand(300, 4).numpy()
scaler = StandardScaler()
train, held_out = train_test_split(table)
train = scaler.fit_transform(train)
held_out = scaler.transform(held_out)
