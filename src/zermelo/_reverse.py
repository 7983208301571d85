"""Reverse moves: stand-in."""

import numpy as np

from zermelo._kernels.reverse import reverse


def build_reverse(indptr, indices):
    a = np.zeros(len(indptr), np.int64)
    b = np.empty(len(indices), np.int32)
    reverse(indptr, indices, a, b)
    return a, b
