import os

os.environ["OPENBLAS_NUM_THREADS"] = "2"
import numpy

print(numpy.ones(3) @ numpy.ones(3), "torch")
