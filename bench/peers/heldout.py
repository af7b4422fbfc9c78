"""Laws written after the rules of the verdict, in another language, looked at once: how many
groups does `moiety fit` claim, and how sure is it?

    python bench/peers/heldout.py MOIETY [FIRST SEED] [SEEDS] [PART OF A NAME]

Every law is a table of 200 to 5,000 records with 1 to 7 groups of uneven sizes; some
columns are noise. Printed: right, too few, too many, truth in the range, sure and wrong.
"""
import json
import os
import subprocess
import sys
import tempfile
import zlib

import numpy as np
import pandas as pd


def sizes(r, n, k):
    w = r.dirichlet(np.full(k, 6.0))
    w = np.maximum(w, 0.08)
    return r.choice(k, n, p=w / w.sum())


def table(x, name):
    return pd.DataFrame(x, columns=["%s%d" % (name, j) for j in range(x.shape[1])])


def expit(v):
    return 1 / (1 + np.exp(-v))


def correlated(r, n, d, k, apart, noise):
    """Presences whose logits share two factors inside every group."""
    y = sizes(r, n, k)
    own = r.normal(0, apart, (k, d)) * (np.arange(d) >= noise)
    load = r.normal(0, 0.5, (2, d))
    z = r.normal(size=(n, 2))
    return table((r.random((n, d)) < expit(r.normal(-1, 0.8, d) + own[y] + z @ load)).astype(int), "code"), y


def sparse_codes(r, n, d, k, own, amount):
    y = sizes(r, n, k)
    p = 0.25 / (1 + np.arange(d)) ** 0.7
    up = np.zeros((k, d))
    for g in range(k):
        if k > 1:
            up[g, r.permutation(d)[:own]] = 2.5
    return table((r.random((n, d)) < expit(np.log(p / (1 - p)) + up[y] + amount * r.normal(size=(n, 1)))).astype(int), "code"), y


def ordinal(r, n, d, k, apart, trend, noise):
    """Answers of five steps, moved by a trend and by groups."""
    y = sizes(r, n, k)
    own = r.normal(0, apart, (k, d)) * (np.arange(d) >= noise)
    z = r.normal(0, 0.7, d) + own[y] + trend * r.normal(size=(n, 1)) * r.uniform(0.3, 1.2, d) + r.logistic(0, 0.6, (n, d))
    words = np.array(["never", "seldom", "sometimes", "often", "always"])
    return table(words[np.digitize(z, [-1.6, -0.5, 0.5, 1.6])], "question"), y


def skewed_counts(r, n, d, k, change, scatter):
    """Counts with a long tail of amounts."""
    y = sizes(r, n, k)
    mean = r.gamma(0.8, 6, d) + 0.3
    own = np.where(r.random((k, d)) < 0.3, np.exp(r.normal(0, change, (k, d))), 1.0) if k > 1 else np.ones((1, d))
    m = mean * own[y] * r.lognormal(0, 0.6, (n, 1)) * r.gamma(1 / scatter, scatter, (n, d))
    return table(r.poisson(m), "event"), y


def clouds(r, n, d, k, apart, noise, tail=0, unit=0, skew=False):
    """Measurements: heavy tails, rounded values, skewed clouds; some columns say nothing."""
    y = sizes(r, n, k)
    while True:
        c = r.normal(size=(k, d - noise))
        dist = [np.linalg.norm(c[i] - c[j]) for i in range(k) for j in range(i)]
        if k == 1 or min(dist) > 0.4 * np.median(dist):
            break
    c = c * (apart / min(dist)) if k > 1 else c
    a = r.normal(size=(d, d)) * 0.4 + np.eye(d)
    z = r.normal(size=(n, d)) if not skew else (r.gamma(2, 1, (n, d)) - 2) / np.sqrt(2)
    if tail:
        z = z / np.sqrt(r.chisquare(tail, (n, 1)) / tail)
    full = np.zeros((k, d))
    full[:, : d - noise] = c
    x = (z + full[y]) @ a.T * 10 ** r.uniform(-1, 2, d)
    if unit:
        step = x.std(0) / unit
        x = np.round(x / step) * step
    return table(np.round(x, 5), "value"), y


def mixed(r, n, k, apart, severity):
    """Ages, laboratory values, flags and answers; two columns of noise."""
    y = sizes(r, n, k)
    s = severity * r.normal(size=n)
    t = pd.DataFrame({"age": np.round(np.clip(60 + 8 * apart * r.normal(size=k)[y] + 9 * r.normal(size=n) + 3 * s, 18, 99))})
    for j in range(3):
        t["lab%d" % j] = np.round(np.exp(2 + 0.25 * apart * r.normal(size=k)[y] + 0.3 * r.normal(size=n) + 0.1 * s), 2)
    for j in range(6):
        p = expit(-0.5 + apart * r.normal(size=k)[y] + 0.5 * s)
        t["flag%d" % j] = np.where(r.random(n) < p, "yes", "no")
    for j in range(2):
        z = apart * r.normal(size=k)[y] + r.logistic(size=n) + 0.5 * s
        t["answer%d" % j] = np.array(["low", "middle", "high"])[np.digitize(z, [-0.8, 0.8])]
    t["noise"] = np.round(r.gamma(3, 2, n), 2)
    t["coin"] = np.where(r.random(n) < 0.4, "yes", "no")
    return t, y


LAWS = [
    ("presences: factors, one", 1, 1500, lambda r, n, k: correlated(r, n, 30, k, 0, 0)),
    ("presences: factors, 2", 2, 600, lambda r, n, k: correlated(r, n, 30, k, 1.6, 6)),
    ("presences: factors, 4", 4, 2500, lambda r, n, k: correlated(r, n, 45, k, 1.6, 10)),
    ("presences: factors, 7", 7, 5000, lambda r, n, k: correlated(r, n, 60, k, 1.8, 12)),
    ("codes: one, amount", 1, 3000, lambda r, n, k: sparse_codes(r, n, 90, k, 0, 0.9)),
    ("codes: one, few records", 1, 200, lambda r, n, k: sparse_codes(r, n, 60, k, 0, 0)),
    ("codes: 3, amount", 3, 3000, lambda r, n, k: sparse_codes(r, n, 90, k, 14, 0.6)),
    ("codes: 5", 5, 4000, lambda r, n, k: sparse_codes(r, n, 110, k, 14, 0)),
    ("answers: one trend", 1, 900, lambda r, n, k: ordinal(r, n, 14, k, 0, 1.2, 0)),
    ("answers: one, few records", 1, 250, lambda r, n, k: ordinal(r, n, 12, k, 0, 0.6, 0)),
    ("answers: 2 and a trend", 2, 1000, lambda r, n, k: ordinal(r, n, 16, k, 1.1, 0.6, 4)),
    ("answers: 4 and a trend", 4, 2500, lambda r, n, k: ordinal(r, n, 20, k, 1.2, 0.5, 4)),
    ("answers: 3", 3, 400, lambda r, n, k: ordinal(r, n, 16, k, 1.3, 0, 2)),
    ("answers: 6", 6, 4000, lambda r, n, k: ordinal(r, n, 24, k, 1.3, 0, 4)),
    ("counts: one, long tail", 1, 800, lambda r, n, k: skewed_counts(r, n, 40, k, 0, 0.5)),
    ("counts: one, heavy scatter", 1, 2000, lambda r, n, k: skewed_counts(r, n, 30, k, 0, 1.5)),
    ("counts: 2", 2, 500, lambda r, n, k: skewed_counts(r, n, 60, k, 1.2, 0.4)),
    ("counts: 4", 4, 2000, lambda r, n, k: skewed_counts(r, n, 80, k, 1.2, 0.4)),
    ("counts: 6", 6, 3000, lambda r, n, k: skewed_counts(r, n, 100, k, 1.3, 0.5)),
    ("values: one, tails", 1, 700, lambda r, n, k: clouds(r, n, 6, k, 0, 0, tail=4)),
    ("values: one, skewed", 1, 2000, lambda r, n, k: clouds(r, n, 5, k, 0, 0, skew=True)),
    ("values: one, rounded", 1, 1200, lambda r, n, k: clouds(r, n, 6, k, 0, 0, unit=3)),
    ("values: 2, rounded", 2, 300, lambda r, n, k: clouds(r, n, 6, k, 6, 2, unit=4)),
    ("values: 3, tails", 3, 900, lambda r, n, k: clouds(r, n, 6, k, 7, 2, tail=5)),
    ("values: 4, skewed", 4, 2000, lambda r, n, k: clouds(r, n, 6, k, 7, 1, skew=True)),
    ("values: 5, noise", 5, 1500, lambda r, n, k: clouds(r, n, 10, k, 6, 4)),
    ("values: 7", 7, 4000, lambda r, n, k: clouds(r, n, 8, k, 6, 1)),
    ("mixed: one", 1, 800, lambda r, n, k: mixed(r, n, k, 0, 0)),
    ("mixed: one, severity", 1, 1500, lambda r, n, k: mixed(r, n, k, 0, 1.5)),
    ("mixed: 2", 2, 600, lambda r, n, k: mixed(r, n, k, 2.2, 0)),
    ("mixed: 3, severity", 3, 2000, lambda r, n, k: mixed(r, n, k, 2.5, 0.5)),
]


def claim(program, t, folder):
    path, run = os.path.join(folder, "data.csv"), os.path.join(folder, "run")
    t.to_csv(path, index=False)
    args = [program, "fit", path, "-o", run, "--force", "--json"]
    if all(set(t[c].unique()) <= {0, 1} for c in t.columns):
        args += ["--format", "binary"]
    out = subprocess.run(args, capture_output=True, text=True)
    if out.returncode:
        return None, out.stderr.strip()[-200:]
    return json.loads(out.stdout)["verdict"], ""


def main():
    program = sys.argv[1]
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 80001
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    part = sys.argv[4] if len(sys.argv) > 4 else ""
    count = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, k, n, draw in LAWS:
            if part not in name:
                continue
            said = []
            for seed in range(first, first + seeds):
                r = np.random.default_rng([seed, zlib.crc32(name.encode())])
                t, _ = draw(r, n, k)
                v, why = claim(program, t, folder)
                if v is None:
                    said.append("failed: " + why)
                    continue
                low, high = v["range"]
                said.append("%d (%d–%d%s)" % (v["groups"], low, high, ", sure" if v["sure"] else ""))
                of = count.setdefault("one population" if k == 1 else "groups", np.zeros(6, int))
                of += [1, v["groups"] == k, v["groups"] < k, v["groups"] > k, low <= k <= high, v["sure"] and v["groups"] != k]
            print("%-28s %5d records, truth %d: %s" % (name, n, k, "; ".join(said)), flush=True)
    for kind, (n, right, few, many, held, wrong) in count.items():
        print("%s: right %d of %d, too few %d, too many %d, truth in the range %d, sure and wrong %d" % (kind, right, n, few, many, held, wrong))


main()
