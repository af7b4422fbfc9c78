"""Other tools choose a number of groups for tables that the experiment drew.

Takes a file of JSON lines (name, kind, rows, cols, values, labels) and prints one line
for every table and tool: the number of groups and the agreement with the labels. A tool
that is missing is named once and left out. No tool is told the number.
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture

warnings.filterwarnings("ignore")
MOST = 10  # groups that are tried


def say(t, peer, labels, truth):
    used = np.unique(labels[labels >= 0])
    print(json.dumps({"key": t["key"], "name": t["name"], "peer": peer, "groups": max(1, len(used)), "ari": adjusted_rand_score(truth, labels)}), flush=True)


def note(text):
    print(json.dumps({"note": "skipped: " + text}), flush=True)


def plain(x, kind):
    """Columns as tools for measurements take them: filled, standardised, at most ten leading directions."""
    x = x.copy()
    if kind == "documents":
        x = np.sqrt(x / np.maximum(x.sum(1, keepdims=True), 1))
    if kind == "counts":
        x = np.log1p(x)
    mean = np.nanmean(x, 0)
    x = np.where(np.isnan(x), mean, x)
    x = x[:, x.std(0) > 0]
    x = (x - x.mean(0)) / x.std(0)
    if x.shape[1] > 10:
        u, s, _ = np.linalg.svd(x, full_matrices=False)
        x = u[:, :10] * s[:10]
    return x


def density(x, kind, r, base):
    """Log density of every record in every group, after an M-step with responsibilities r."""
    n = r.sum(0)[:, None]
    s = r.T @ x
    if kind in ("documents", "counts"):
        p = (s + 50 * base) / (s.sum(1, keepdims=True) + 50)
        return x @ np.log(p).T, s.shape[1] - 1
    trials = 2 if kind == "genotypes" else 1
    p = np.clip((s + base) / (trials * n + 2), 1e-4, 1 - 1e-4)
    if kind == "answers":
        return x @ np.log(p).T, s.shape[1]
    return x @ np.log(p).T + (trials - x) @ np.log(1 - p).T, s.shape[1]


def em(x, kind, k, rng, steps=60):
    base = x.sum(0) / x.sum() if kind in ("documents", "counts") else np.full(x.shape[1], 1.0)
    best = None
    for _ in range(3):
        r = np.eye(k)[rng.integers(k, size=len(x))] * 0.5 + 0.5 / k
        old = -np.inf
        for _ in range(steps):
            w = (r.sum(0) + 1) / (len(x) + k)
            log, free = density(x, kind, r, base)
            log = log + np.log(w)
            top = log.max(1, keepdims=True)
            sums = top[:, 0] + np.log(np.exp(log - top).sum(1))
            r = np.exp(log - sums[:, None])
            if sums.sum() - old < 1e-3 * len(x):
                break
            old = sums.sum()
        if best is None or sums.sum() > best[0]:
            entropy = -(r * np.log(np.maximum(r, 1e-300))).sum()
            best = sums.sum(), k * free + k - 1, entropy, r.argmax(1)
    return best


def criteria(x, kind, rng):
    fits, worse, low = [], 0, np.inf
    for k in range(1, MOST + 1):
        l, free, entropy, labels = em(x, kind, k, rng)
        bic = -2 * l + free * np.log(len(x))
        fits.append((bic, bic + 2 * entropy, labels))
        low, worse = (bic, 0) if bic < low else (low, worse + 1)
        if worse == 3:
            break
    return min(fits, key=lambda f: f[0])[2], min(fits, key=lambda f: f[1])[2]


def gaussian(x, rng):
    best = None
    for shape in ("full", "tied", "diag"):
        worse, low = 0, np.inf
        for k in range(1, MOST + 1):
            m = GaussianMixture(n_components=k, covariance_type=shape, random_state=0, reg_covar=1e-4).fit(x)
            b = m.bic(x)
            if best is None or b < best[0]:
                best = b, m.predict(x)
            low, worse = (b, 0) if b < low else (low, worse + 1)
            if worse == 2:
                break
    return best[1]


def hdp(x):
    from gensim.models import HdpModel

    bags = [[(int(j), int(v)) for j, v in zip(np.nonzero(row)[0], row[np.nonzero(row)[0]])] for row in x]
    m = HdpModel(bags, {j: str(j) for j in range(x.shape[1])}, T=30, K=10, random_state=0)
    out = np.zeros(len(x), int)
    for i, bag in enumerate(bags):
        topics = m[bag]
        out[i] = max(topics, key=lambda t: t[1])[0] if topics else 0
    names, sizes = np.unique(out, return_counts=True)
    few = set(names[sizes < 0.01 * len(x)])
    main = names[sizes.argmax()]
    return np.array([main if v in few else v for v in out])


R = """
suppressMessages(library(mclust))
dir <- commandArgs(TRUE)[1]
for (f in list.files(dir, pattern = "[.]csv$")) {
  x <- as.matrix(read.csv(file.path(dir, f), header = FALSE))
  m <- try(Mclust(x, G = 1:8, verbose = FALSE), silent = TRUE)
  if (!inherits(m, "try-error") && !is.null(m)) writeLines(as.character(m$classification), file.path(dir, sub("csv$", "out", f)))
}
"""


def mclust(tasks):
    if not shutil.which("Rscript") or subprocess.run(["Rscript", "-e", "suppressMessages(library(mclust))"], capture_output=True).returncode:
        note("mclust: no R with the package mclust")
        return
    with tempfile.TemporaryDirectory() as folder:
        for i, (t, x, truth) in enumerate(tasks):
            np.savetxt(os.path.join(folder, "%04d.csv" % i), x, delimiter=",", fmt="%.6g")
        script = os.path.join(folder, "run.R")
        with open(script, "w") as f:
            f.write(R)
        subprocess.run(["Rscript", script, folder], capture_output=True)
        for i, (t, x, truth) in enumerate(tasks):
            path = os.path.join(folder, "%04d.out" % i)
            if os.path.exists(path):
                say(t, "mclust", np.loadtxt(path).astype(int), truth)


def main():
    try:
        import gensim  # noqa: F401
    except ImportError:
        gensim = None
        note("HDP: no gensim")
    real = []
    for line in open(sys.argv[1]):
        t = json.loads(line)
        x = np.frombuffer(base64.b64decode(t["values"]), np.float32).reshape(t["rows"], t["cols"]).astype(float)
        truth, kind, rng = np.array(t["labels"]), t["kind"], np.random.default_rng(0)
        y = plain(x, kind)
        m = BayesianGaussianMixture(n_components=MOST, max_iter=60, random_state=0, reg_covar=1e-4).fit(y)
        got = m.predict(y)
        names, sizes = np.unique(got, return_counts=True)
        main_group = names[sizes.argmax()]
        say(t, "Bayesian Gaussian mixture", np.where(np.isin(got, names[sizes >= 0.01 * len(y)]), got, main_group), truth)
        say(t, "HDBSCAN", HDBSCAN(min_cluster_size=10, copy=True).fit_predict(y), truth)
        if kind in ("measurements", "mixed columns"):
            say(t, "Gaussian mixture, BIC", gaussian(y, rng), truth)
            real.append((t, y, truth))
            continue
        bic, icl = criteria(np.nan_to_num(x), kind, rng)
        say(t, "EM, BIC", bic, truth)
        say(t, "EM, ICL", icl, truth)
        if gensim and kind in ("documents", "counts"):
            say(t, "HDP (gensim)", hdp(x), truth)
    if real:
        mclust(real)


main()
