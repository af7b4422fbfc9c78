"""Topics by other tools: scikit-learn, gensim, tomotopy."""
import numpy as np
from common import Clock, job, rows, save

j = job()
x = rows(j["data"])
k = j["k"]
method = j["method"]
topics = labels = None


def sklearn_lda(**more):
    from sklearn.decomposition import LatentDirichletAllocation

    clock = Clock()
    m = LatentDirichletAllocation(n_components=k, random_state=1, **more).fit(x)
    clock.stop()
    return clock, m.components_


def nmf():
    from sklearn.decomposition import NMF

    clock = Clock()
    m = NMF(n_components=k, beta_loss="kullback-leibler", solver="mu", init="nndsvda", max_iter=200, random_state=1).fit(x)
    clock.stop()
    return clock, m.components_


def gensim_lda(passes):
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LdaModel

    corpus = list(Sparse2Corpus(x, documents_columns=False))
    names = {i: str(i) for i in range(x.shape[1])}
    clock = Clock()
    m = LdaModel(corpus, num_topics=k, id2word=names, passes=passes, random_state=1)
    clock.stop()
    return clock, m.get_topics()


def tomotopy_lda(sweeps):
    import tomotopy as tp

    m = tp.LDAModel(k=k, seed=1)
    for i in range(x.shape[0]):
        lo, hi = x.indptr[i], x.indptr[i + 1]
        words = np.repeat(x.indices[lo:hi], x.data[lo:hi].astype(int))
        m.add_doc([str(w) for w in words])
    clock = Clock()
    m.train(sweeps, workers=1)
    clock.stop()
    found = np.zeros((k, x.shape[1]))
    where = [int(w) for w in m.used_vocabs]
    for t in range(k):
        found[t, where] = m.get_topic_word_dist(t)
    return clock, found


def clusters():
    from sklearn.cluster import BisectingKMeans, KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    clock = Clock()
    rows_ = normalize(x, norm="l1") if "SVD" not in method else TruncatedSVD(k, random_state=1).fit_transform(normalize(x))
    kind = BisectingKMeans if "Bisecting" in method else KMeans
    found = kind(n_clusters=k, n_init=1, random_state=1).fit_predict(rows_)
    clock.stop()
    means = np.vstack([np.asarray(x[found == c].sum(axis=0)).ravel() for c in range(k)])
    return clock, means, found


if method == "sklearn LDA batch":
    clock, topics = sklearn_lda(learning_method="batch", max_iter=10)
elif method == "sklearn LDA online":
    clock, topics = sklearn_lda(learning_method="online", max_iter=10)
elif method == "sklearn LDA online 1 pass":
    clock, topics = sklearn_lda(learning_method="online", max_iter=1)
elif method == "sklearn NMF KL":
    clock, topics = nmf()
elif method.startswith("gensim"):
    clock, topics = gensim_lda(int(method.split()[1]))
elif method.startswith("tomotopy"):
    clock, topics = tomotopy_lda(int(method.split()[1]))
else:
    clock, topics, labels = clusters()
save(j["out"], "topics", topics, "<f8")
if labels is not None:
    save(j["out"], "labels", labels, "<i4")
clock.report()
