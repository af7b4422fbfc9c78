"""Text files to sparse rows by pandas."""
import numpy as np
import pandas as pd
import scipy.sparse as sp
from common import Clock, job

j = job()
clock = Clock()
if j["method"] == "pandas long":
    t = pd.read_csv(j["data"], dtype={"patient": "category", "code": "category", "date": "category"})
    row, col = t["patient"].cat.codes.to_numpy(), t["code"].cat.codes.to_numpy()
    m = sp.csr_matrix((np.ones(len(t)), (row, col)))
else:
    t = pd.read_csv(j["data"], sep=" ", skiprows=3, header=None, names=["d", "w", "c"], dtype=np.int32)
    m = sp.csr_matrix((t["c"].to_numpy(np.float64), (t["d"].to_numpy() - 1, t["w"].to_numpy() - 1)))
clock.stop()
clock.report()
