"""EM of a mixture of Bernoulli in numpy and scipy, as one would write it."""
import numpy as np
from common import Clock, job, rows
from scipy.special import logsumexp

j = job()
x = rows(j["data"])
n, d = x.shape
k = j["k"]
rng = np.random.default_rng(1)
p = 0.005 + 0.02 * rng.random((d, k))
w = np.full(k, 1 / k)
steps = 5
clock = Clock()
for _ in range(steps):
    score = x @ (np.log(p) - np.log1p(-p)) + (np.log1p(-p).sum(axis=0) + np.log(w))
    r = np.exp(score - logsumexp(score, axis=1, keepdims=True))
    count = r.sum(axis=0)
    w = count / n
    p = np.clip((x.T @ r + 0.01) / (count + 1), 1e-6, 1 - 1e-6)
clock.stop()
clock.report(work=steps)
