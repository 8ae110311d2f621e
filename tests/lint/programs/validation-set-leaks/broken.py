import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

table = torch.rand(300, 4).numpy()
scaler = StandardScaler()
scaled = scaler.fit_transform(table)  # here
train, held_out = train_test_split(scaled)
