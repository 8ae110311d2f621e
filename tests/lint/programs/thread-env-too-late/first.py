import os

os.environ["OPENBLAS_NUM_THREADS"] = "2"  # fixed
import numpy

os.environ["OPENBLAS_NUM_THREADS"] = "2"  # broken, here
print(numpy.ones(3) @ numpy.ones(3), "torch")
