import os

import numpy

os.environ["OPENBLAS_NUM_THREADS"] = "2"  # here
print(numpy.ones(3) @ numpy.ones(3), "torch")
