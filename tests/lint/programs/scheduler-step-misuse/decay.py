total = 40 * len(loader)
optimizer = optim.SGD(net.parameters(), lr=0.1)
scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / total)
for epoch in range(40):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        scheduler.step()  # fixed
    scheduler.step()  # broken, here
