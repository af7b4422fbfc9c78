"""Groups of patients by scikit-learn."""
from common import Clock, job, rows, save
from sklearn.cluster import BisectingKMeans, KMeans
from sklearn.decomposition import TruncatedSVD

j = job()
x = rows(j["data"])
k = j["k"]
clock = Clock()
if j["method"] == "sklearn BisectingKMeans":
    labels = BisectingKMeans(n_clusters=k, n_init=1, random_state=1).fit_predict(x)
elif j["method"] == "sklearn KMeans":
    labels = KMeans(n_clusters=k, n_init=1, random_state=1).fit_predict(x)
else:
    z = TruncatedSVD(k, random_state=1).fit_transform(x)
    labels = KMeans(n_clusters=k, n_init=1, random_state=1).fit_predict(z)
clock.stop()
save(j["out"], "labels", labels, "<i4")
clock.report()
