EPOCHS = 40
optimizer = optim.SGD(net.parameters(), lr=0.1)
scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[20, 30])
for epoch in range(EPOCHS):
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        scheduler.step()  # broken, here
    scheduler.step()  # fixed
