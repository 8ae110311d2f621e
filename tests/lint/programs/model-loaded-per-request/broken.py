import torch
from flask import Flask, request

app = Flask(__name__)


@app.post("/predict")
def predict():
    model = torch.load("model.pt", map_location="cpu", weights_only=False)  # here
    return model(torch.tensor(request.json)).tolist()
