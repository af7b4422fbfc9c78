"""What all drivers share: the data, the clock, the report."""
import json
import os
import resource
import sys
import time

import numpy as np
import scipy.sparse as sp


def job():
    return json.loads(sys.argv[1])


def rows(folder):
    n, d = np.fromfile(os.path.join(folder, "shape"), dtype="<i8")
    ptr = np.fromfile(os.path.join(folder, "ptr"), dtype="<i8")
    index = np.fromfile(os.path.join(folder, "index"), dtype="<u4").astype(np.int32)
    path = os.path.join(folder, "value")
    if os.path.exists(path):
        value = np.fromfile(path, dtype="<f4").astype(np.float64)
    else:
        value = np.ones(len(index))
    return sp.csr_matrix((value, index, ptr.astype(np.int32)), shape=(n, d))


def peak():
    try:
        with open("/proc/self/status") as f:
            return next(int(line.split()[1]) / 1024 for line in f if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Clock:
    def __init__(self):
        self.base = peak()
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def stop(self):
        self.cost = {
            "wall": time.perf_counter() - self.wall,
            "cpu": time.process_time() - self.cpu,
            "peak": peak(),
            "base": self.base,
        }

    def report(self, **more):
        print(json.dumps({**self.cost, **more}))


def save(folder, name, array, kind):
    np.ascontiguousarray(array).astype(kind).tofile(os.path.join(folder, name))
