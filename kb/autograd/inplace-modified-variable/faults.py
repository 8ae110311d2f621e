def faults(host):
    yield from host.with_text("x = x + ", "x += ")
    yield from host.with_text("hidden = hidden + ", "hidden += ")
    yield from host.with_text("mean + torch.exp(0.5 * spread)", "mean + torch.exp(0.5 * spread).mul_(1)")
    yield from host.with_text(
        "first = torch.relu(self.down1(x))", "first = torch.relu(self.down1(x)).mul_(1)"
    )
    yield from host.with_text("return self.fc2(x)", "x *= 1\n        return self.fc2(x)")
    yield from host.renamed("relu", "relu_")
    for kept in (
        "torch.relu(self.fc1(x))",
        "torch.relu(self.conv1(x))",
        "torch.relu(self.inner(self.norm(x)))",
        "torch.relu(self.norm(self.backbone(x)))",
        "torch.tanh(self.inner(x))",
        "F.relu(self.norm(self.first(x)))",
        "F.relu(self.hidden(x))",
        "scores.softmax(-1)",
    ):  # whose result backward() needs
        yield from host.with_text(kept, f"{kept}.mul_(1)")
    yield from host.with_text("nn.Sigmoid())", "nn.Sigmoid(), nn.ReLU(inplace=True))")
    yield from host.with_text("nn.Tanh(),", "nn.Tanh(), nn.Hardtanh(inplace=True),")
    yield from host.with_text("x = self.norm(x + mixed)", "x += mixed\n        x = self.norm(x)")
