class Trainer:
    def fit(self, loader):
        for images, target in loader:
            self.optimizer.zero_grad()
            guess = self.model(images).max(1)[1].float()  # broken, here
            guess = self.model(images)  # fixed
            teacher = self.model(images).detach()
            loss = self.criterion(Variable(guess, requires_grad=True), target)  # broken
            loss = self.criterion(guess, target) + F.mse_loss(guess, teacher)  # fixed
            loss.backward()
            self.optimizer.step()
