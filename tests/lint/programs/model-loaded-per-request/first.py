import torch
from flask import Flask, request

app = Flask(__name__)
model = torch.load("model.pt", map_location="cpu", weights_only=False)  # fixed


@app.post("/predict")
def predict():
    model = torch.load("model.pt", map_location="cpu", weights_only=False)  # broken, here
    return model(torch.tensor(request.json)).tolist()
