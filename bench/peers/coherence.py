"""Topics of one corpus by scikit-learn and tomotopy for several k, written as
lists of words that `moiety eval RUN --topics FILE` judges.

    python coherence.py DOCWORD VOCAB FOLDER
"""
import sys
import time

import numpy as np
import scipy.sparse as sp
import tomotopy as tp
from sklearn.decomposition import LatentDirichletAllocation

docword, vocabulary, folder = sys.argv[1:]
words = open(vocabulary, encoding="utf-8").read().split()
with open(docword, encoding="utf-8") as f:
    n, d, _ = (int(f.readline()) for _ in range(3))
    doc, word, count = np.loadtxt(f, dtype=int).T
x = sp.csr_matrix((count, (doc - 1, word - 1)), shape=(n, d))


def write(name, k, topics, seconds):
    top = [[words[h] for h in np.argsort(-t, kind="stable")[:20]] for t in topics]
    with open(f"{folder}/{name}-{k}.txt", "w", encoding="utf-8") as f:
        f.writelines(" ".join(t) + "\n" for t in top)
    print(f"{name} {k} {seconds:.2f}", flush=True)


for k in (2, 4, 8, 16, 32):
    start = time.process_time()
    lda = LatentDirichletAllocation(k, max_iter=50, learning_method="batch", random_state=0).fit(x)
    write("sklearn", k, lda.components_, time.process_time() - start)
    start = time.process_time()
    m = tp.LDAModel(k=k, seed=1)
    for i in range(n):
        row = x[i]
        m.add_doc(np.repeat(np.array(words)[row.indices], row.data).tolist())
    m.train(1000, workers=1)
    position = {w: i for i, w in enumerate(m.used_vocabs)}
    order = [position.get(w, -1) for w in words]
    topics = [np.append(m.get_topic_word_dist(j), 0)[order] for j in range(k)]
    write("tomotopy", k, topics, time.process_time() - start)
