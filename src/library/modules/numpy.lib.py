import numpy.lib.stride_tricks as stride_tricks
