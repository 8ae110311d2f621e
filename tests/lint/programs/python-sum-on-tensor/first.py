import torch


def accuracy(logits, labels):
    correct = logits.argmax(dim=1) == labels
    return sum(correct) / len(labels)  # broken, here
    return correct.sum() / len(labels)  # fixed


print(accuracy(torch.rand(1000, 5), torch.randint(0, 5, (1000,))))
