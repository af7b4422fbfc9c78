"""What other methods make of the sets that fetch.py wrote, and what a classifier does that
has seen labels: adjusted Rand indices, written to peers.csv (set,method,told,groups,ari).

    pip install scikit-learn numpy
    python3 bank/sets/peers.py FOLDER [-only REGEXP] [-out FILE]

Left alone (told 0): k-means with the silhouette, Gaussian mixtures of four covariances
with BIC (of answers, presences and genotypes latent classes with BIC; of texts and counts
multinomial mixtures with BIC), HDBSCAN. Told the number (told 1): k-means, tied and full
Gaussian mixtures, Ward, multinomial mixtures, latent classes. K goes from 1 (k-means: 2)
to 10; a mixture has one start where K is sought and four where it is told. "classifier" is
the best of naive Bayes, logistic regression and a forest, cross-validated in five folds. A
method that fails or takes more than a minute of CPU is left out. Rows of other sets stay.
"""
import csv
import os
import re
import signal
import sys
import warnings

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from sklearn import (cluster, decomposition, ensemble, feature_extraction, linear_model, metrics, mixture,
                     model_selection, naive_bayes)

import fetch

warnings.filterwarnings("ignore")
most = 10  # groups
patience = 60  # seconds of CPU for one method
kept_at = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.csv")


def load(row, folder):
    """rows of cells, or texts, and the classes"""
    into = os.path.join(folder, row["name"].replace(" ", "-"))
    classes = None
    if row["label"]:
        with open(os.path.join(into, "labels.csv"), encoding="utf-8") as f:
            classes = f.read().split("\n")[1:-1]
    if row["kind"] == "texts":
        with open(os.path.join(into, "data.txt"), encoding="utf-8") as f:
            return f.read().split("\n")[:-1], classes
    with open(os.path.join(into, "data.csv"), encoding="utf-8", newline="") as f:
        names, *cells = csv.reader(f)
    if row["kind"] == "sequences":
        cells = [c[1:] for c in cells]
    return cells, classes


def number(v):
    try:
        return float(v)
    except ValueError:
        return None


def columns(cells, labels):
    """measurements standardized, answers as 0 and 1; with labels all columns are answers"""
    real, hot = [], []
    for column in zip(*cells):
        values = [number(v) for v in column]
        if not labels and all(v is not None or c == "" for v, c in zip(values, column)) and any(column):
            x = np.array([np.nan if v is None else v for v in values])
            x[np.isnan(x)] = np.nanmean(x)
            if x.std() > 0:
                real.append((x - x.mean()) / x.std())
            continue
        kinds = sorted(set(column) - {""})
        if 1 < len(kinds) <= 50:
            hot.append([kinds.index(v) if v else -1 for v in column])
    plain = [np.array(h) == j for h in hot for j in range(max(h) + 1)]
    return np.array(real + plain, float).T.reshape(len(cells), -1), hot


def words(texts):
    v = feature_extraction.text.CountVectorizer(stop_words="english", min_df=3, max_df=.9, max_features=2000)
    return v.fit_transform(texts)


def em(k, n, rate, seed):
    """EM of a mixture: rate(z) re-estimates and returns log densities and parameters"""
    z = np.random.default_rng(seed).dirichlet(np.ones(k) * .3, n)
    last = -np.inf
    for _ in range(100):
        logs = rate(z) + np.log((z.sum(0) + 1) / (n + k))
        top = logs.max(1, keepdims=True)
        p = np.exp(logs - top)
        total = (top[:, 0] + np.log(p.sum(1))).sum()
        z = p / p.sum(1, keepdims=True)
        if total - last < 1e-6 * abs(total):
            break
        last = total
    return total, z.argmax(1)


def multinomial(x, k, seed):
    def rate(z):
        m = np.asarray((x.T @ z).T) + .1
        return x @ np.log(m / m.sum(1, keepdims=True)).T
    total, found = em(k, x.shape[0], rate, seed)
    return total, k * (x.shape[1] - 1) + k - 1, found


def classes_of(hot):
    """latent classes of these columns"""
    each = [(np.array(h)[:, None] == np.arange(max(h) + 1)).astype(float) for h in hot]
    whole = np.concatenate(each, 1)
    ends = np.cumsum([e.shape[1] for e in each])

    def fit(_, k, seed):
        def rate(z):
            m = z.T @ whole + .1
            for a, b in zip([0, *ends], ends):
                m[:, a:b] /= m[:, a:b].sum(1, keepdims=True)
            return whole @ np.log(m).T
        total, found = em(k, len(whole), rate, seed)
        return total, k * (whole.shape[1] - len(each)) + k - 1, found
    return fit


def best(fit, x, k, starts=4):
    """the best of some starts, and its BIC"""
    total, free, found = max((fit(x, k, s) for s in range(starts if k > 1 else 1)), key=lambda t: t[0])
    return free * np.log(x.shape[0]) - 2 * total, found


def by_bic(fit, x):
    return min((best(fit, x, k, 1) for k in range(1, limit(x) + 1)), key=lambda t: t[0])[1]


def limit(x):
    return min(most, x.shape[0] // 3)


def gaussian(x, k, shape, starts=4):
    return mixture.GaussianMixture(k, covariance_type=shape, n_init=starts, reg_covar=1e-4, random_state=1).fit(x)


def gaussians_by_bic(x):
    fits = [gaussian(x, k, s, 1) for s in ("full", "tied", "diag", "spherical") for k in range(1, limit(x) + 1)]
    return min(fits, key=lambda f: f.bic(x)).predict(x)


def k_means(x, k, starts=10):
    return cluster.KMeans(k, n_init=starts, random_state=1).fit_predict(x)


def by_silhouette(x):
    return max((k_means(x, k, 3) for k in range(2, limit(x) + 1)),
               key=lambda g: metrics.silhouette_score(x, g, sample_size=min(1000, len(x)), random_state=1))


def methods(row, data):
    """name, told, and how, for what the records are"""
    kind, k = row["kind"], int(row["groups"])
    counted, hot = None, []
    if kind == "texts":
        counted = words(data)
        tfidf = feature_extraction.text.TfidfTransformer(sublinear_tf=True).fit_transform(counted)
        x = decomposition.TruncatedSVD(min(50, counted.shape[1] - 1), random_state=1).fit_transform(tfidf)
        x /= np.linalg.norm(x, axis=1, keepdims=True) + 1e-9
    else:
        x, hot = columns(data, kind in ("answers", "presences", "genotypes"))
        if kind == "counts":
            counted = np.array(data, float)
            x = decomposition.PCA(min(10, *counted.shape)).fit_transform(np.log1p(counted))
        elif x.shape[1] > 50:
            x = decomposition.PCA(min(50, *x.shape)).fit_transform(x)
    narrow = x[:, :10] if x.shape[1] > 30 else x
    yield "k-means + silhouette", 0, lambda: by_silhouette(x)
    yield "HDBSCAN", 0, lambda: cluster.HDBSCAN(min_cluster_size=max(5, len(x) // 50)).fit_predict(x)
    if counted is not None:
        yield "mixture + BIC", 0, lambda: by_bic(multinomial, counted)
    elif hot and kind != "mixed":
        yield "mixture + BIC", 0, lambda: by_bic(classes_of(hot), x)
    else:
        yield "mixture + BIC", 0, lambda: gaussians_by_bic(narrow)
    if k == 1:
        return
    yield "k-means", 1, lambda: k_means(x, k)
    yield "Ward", 1, lambda: cluster.AgglomerativeClustering(k).fit_predict(x)
    yield "tied Gaussians", 1, lambda: gaussian(narrow, k, "tied").predict(narrow)
    yield "full Gaussians", 1, lambda: gaussian(narrow, k, "full").predict(narrow)
    if counted is not None:
        yield "multinomials", 1, lambda: best(multinomial, counted, k)[1]
    if hot:
        yield "latent classes", 1, lambda: best(classes_of(hot), x, k)[1]


def classifier(row, data, classes):
    """the best of three, cross-validated, and never in sight of the fold it is judged by"""
    if row["kind"] == "texts":
        x, ways = words(data), [naive_bayes.MultinomialNB(.1)]
        ways.append(linear_model.LogisticRegression(max_iter=300))
    else:
        x, _ = columns(data, row["kind"] in ("answers", "presences", "genotypes"))
        ways = [linear_model.LogisticRegression(max_iter=300), ensemble.RandomForestClassifier(100, random_state=1)]
        ways.append(naive_bayes.GaussianNB())
    folds = model_selection.StratifiedKFold(5, shuffle=True, random_state=1)
    return max((model_selection.cross_val_predict(w, x, classes, cv=folds) for w in ways),
               key=lambda g: metrics.adjusted_rand_score(classes, g))


def late(*_):
    raise TimeoutError("more than a minute of CPU")


def scores(row, data, classes):
    todo = list(methods(row, data))
    if classes:
        todo.append(("classifier", 2, lambda: classifier(row, data, classes)))
    for name, told, find in todo:
        signal.setitimer(signal.ITIMER_PROF, patience)
        try:
            found = find()
            ari = "%.3f" % metrics.adjusted_rand_score(classes, found) if classes else ""
            yield row["name"], name, str(told), str(len(set(found) - {-1}) or 1), ari
        except Exception as e:  # a method may fail in any way
            print("without %s of %s: %s" % (name, row["name"], str(e)[:100]), flush=True)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def main():
    flags = sys.argv[2:]
    only = flags[flags.index("-only") + 1] if "-only" in flags else ""
    out = flags[flags.index("-out") + 1] if "-out" in flags else kept_at
    signal.signal(signal.SIGPROF, late)
    kept = {}
    if os.path.exists(out):
        with open(out, encoding="utf-8", newline="") as f:
            for r in list(csv.reader(f))[1:]:
                kept.setdefault(r[0], []).append(tuple(r))
    _, rows = fetch.sets()
    for row in rows:
        if not re.search(only, row["name"]):
            continue
        try:
            kept[row["name"]] = list(scores(row, *load(row, sys.argv[1])))
        except OSError:
            print("skipped: %s is not there" % row["name"])
        print(row["name"], len(kept.get(row["name"], [])), flush=True)
        with open(out, "w", encoding="utf-8", newline="") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(["set", "method", "told", "groups", "ari"])
            w.writerows(r for s in rows for r in kept.get(s["name"], []))


if __name__ == "__main__":
    main()
