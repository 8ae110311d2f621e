def faults(host):
    yield from host.with_text("x = x + ", "x += ")
    yield from host.with_text("hidden = hidden + ", "hidden += ")
    yield from host.with_text("mean + torch.exp(0.5 * spread)", "mean + torch.exp(0.5 * spread).mul_(1)")
    yield from host.with_text(
        "first = torch.relu(self.down1(x))", "first = torch.relu(self.down1(x)).mul_(1)"
    )
    yield from host.with_text("return self.fc2(x)", "x *= 1\n        return self.fc2(x)")
    yield from host.with_text(
        "return self.out(states)", "states += torch.tanh(states)\n        return self.out(states)"
    )
    yield from host.with_text("(x[:, 0])", "(x[:, 0].sigmoid().mul_(1))")
    yield from host.renamed("relu", "relu_")
    yield from host.with_text("torch.relu(self.fc1(x))", "torch.sigmoid(self.fc1(x)).mul_(2)")
    yield from host.with_text(
        "F.relu(self.norm(self.first(x)))", "self.norm(self.first(x)).sigmoid().mul_(2)"
    )
    yield from host.with_text("nn.Sigmoid())", "nn.Sigmoid(), nn.ReLU(inplace=True))")
    yield from host.with_text("nn.Tanh(),", "nn.Tanh(), nn.Hardtanh(inplace=True),")
    yield from host.with_text("x = self.norm(x + mixed)", "x += mixed\n        x = self.norm(x)")
