"""The area under the ROC curve of labels instead of scores: all thresholds but one are lost, and the figure is far lower than that of the model's scores."""

import json
import sys

import torch
from sklearn.metrics import roc_auc_score
from torch import nn

torch.manual_seed(0)
x = torch.randn(2000, 4)
labels = (x[:, 0] + torch.randn(2000) > 2.2).long()
model = nn.Linear(4, 2)
with torch.no_grad():
    model.weight.zero_(), model.bias.copy_(torch.tensor([2.0, 0.0]))
    model.weight[1, 0] = 1.0


def measure(auc):
    with torch.no_grad():
        best = roc_auc_score(labels, model(x).softmax(1)[:, 1])
    print(json.dumps({"auc_told": round(float(auc), 3), "auc_of_the_scores": round(float(best), 3)}))
    if auc < best - 0.1:
        sys.exit(f"symptom: the area under the curve is told to be {auc:.2f}; of the scores it is {best:.2f}")


def broken():
    predicted = model(x).argmax(1)
    auc = roc_auc_score(labels, predicted)
    measure(auc)


def fixed():
    scores = model(x).softmax(1)[:, 1].detach()
    auc = roc_auc_score(labels, scores)
    measure(auc)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
