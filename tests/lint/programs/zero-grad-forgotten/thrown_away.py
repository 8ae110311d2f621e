for inputs, labels in train_loader:
    optimizer.zero_grad()  # fixed
    loss = criterion(net(inputs), labels)
    loss.backward()
    optimizer.zero_grad()  # broken, here
    optimizer.step()
