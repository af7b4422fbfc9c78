"""Groups of records: mixtures, topics, trees."""

import csv
import io
import json

import numpy as np
import scipy.sparse as sp
from scipy.stats import t as student
from sklearn.base import ClassNamePrefixFeaturesOutMixin, DensityMixin, TransformerMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _data
from ._base import Fitted

_POSITIONAL = "n_components must be None or a whole number of 1 or more"


class _Records(ClassNamePrefixFeaturesOutMixin, TransformerMixin, DensityMixin, Fitted):
    """Estimators of records that are rows, texts or lists of codes."""

    # What the smallest fit needs.
    _least = 2

    def fit(self, X, y=None):
        """Find the groups. y is ignored."""
        feed = self._feed(X, reset=True)
        arrays = self._fit(feed, self._options())
        self._theta = arrays["theta"]
        self.components_ = self._components(arrays)
        return self

    def fit_predict(self, X, y=None):
        """Find the groups and return the group of every record, from 0."""
        return self.fit(X).labels_

    def fit_transform(self, X, y=None, **fit_params):
        """Find the groups and return the probabilities of every record."""
        return self.fit(X)._theta

    def predict(self, X):
        """The group of every record, from 0: a place in ``groups_``."""
        return self._assign(self._feed(X))["labels"]

    def predict_proba(self, X):
        """The probability of every group for every record."""
        return self._assign(self._feed(X))["theta"]

    def transform(self, X):
        """The probability of every group for every record."""
        return self.predict_proba(X)

    def score(self, X, y=None):
        """The mean log-likelihood of a record."""
        return self._eval(self._feed(X))["log_likelihood_per_record"]

    def bic(self, X):
        """Schwarz' criterion; smaller is better."""
        return self._eval(self._feed(X))["bic"]

    def aic(self, X):
        """Akaike's criterion; smaller is better."""
        return self._eval(self._feed(X))["aic"]

    def sample(self, n_samples=1, random_state=None):
        """Draw records from the groups: rows for a fit of rows, lists for one of texts or codes."""
        if n_samples < 1:
            raise ValueError(f"n_samples={n_samples}: draw 1 or more")
        check_is_fitted(self)
        seed = self._seed() if random_state is None else int(random_state)
        text = self._ask("sample", "-n", str(int(n_samples)), "--seed", str(seed), ending=".csv").decode()
        return self._drawn(list(csv.reader(io.StringIO(text))), int(n_samples))

    def _drawn(self, rows, n):
        head, rows = rows[0], rows[1:]
        if self._layout in ("texts", "codes"):
            out = [[] for _ in range(n)]
            for r in rows:
                out[int(r[0]) - 1 if r[0].isdigit() else 0].append(r[1])
            return out
        names = [str(c) for c in self._names()]
        at = {name: j for j, name in enumerate(names)}
        if len(head) <= 3 and head[1:2] and head[1] not in at:  # a long table of entries
            cells = [(int(r[0]) - 1, at[r[1]], float(r[2]) if len(r) > 2 else 1.0) for r in rows if r[1] in at]
            i, j, v = zip(*cells) if cells else ((), (), ())
            return sp.csr_matrix((v, (i, j)), shape=(n, len(names)))
        out = np.zeros((n, len(names)), dtype=float if self._layout != "table" else object)
        for f, name in enumerate(head):
            if name in at:
                column = [r[f] for r in rows]
                out[:, at[name]] = column if self._layout == "table" else [float(c or "nan") for c in column]
        return out

    @property
    def _n_features_out(self):
        return self.n_components_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Sparse presences and counts are taken; the tag would promise measurements.
        tags.input_tags.sparse = False
        tags.input_tags.allow_nan = True
        return tags

    # How data reach the program.

    def _feed(self, X, reset=False):
        if not reset:
            check_is_fitted(self)
        kind = _data.KINDS.get(getattr(self, "kind", "auto"), self)
        if kind is self:
            raise ValueError(f"kind={self.kind!r}: one of {', '.join(_data.KINDS)}")
        if _data.is_text(X):
            return self._made(_data.texts(X), reset)
        if _data.is_codes(X):
            return self._made(_data.codes(X), reset)
        if _data.is_frame(X) and self._layout_is("table", reset) and not _all_numbers(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return self._made(_data.table(X, kind), reset)
        return self._made(self._matrix(X, kind, reset), reset)

    def _layout_is(self, layout, reset):
        return reset or self._layout == layout

    def _matrix(self, X, kind, reset):
        X = validate_data(
            self, X, reset=reset, accept_sparse=("csr", "csc"), dtype="numeric",
            ensure_all_finite="allow-nan", ensure_min_samples=self._least if reset else 1,
        )
        if X.dtype.kind == "O":
            X = X.astype(float)
        return self._numbers(X, kind, reset)

    def _numbers(self, X, kind, reset):
        if sp.issparse(X) and not _data.whole(X):
            raise ValueError(
                "Sparse data must be presences or counts, whole numbers of 0 or more: "
                "measurements have no zeros to leave out; give them as a dense array"
            )
        if reset:
            thin = sp.issparse(X) if kind in (None, "binary", "counts") else False
            thin = thin or kind in (None, "binary") and not sp.issparse(X) and _data.binary(X)
        else:
            thin = self._layout == "sparse"
        if thin:
            if not sp.issparse(X) and not _data.whole(X):
                raise ValueError("the estimator was fitted on presences or counts: give whole numbers of 0 or more")
            return _data.compressed(sp.csr_matrix(X))
        return _data.dense(X.toarray() if sp.issparse(X) else X, kind if reset else self._kind)

    def _made(self, feed, reset):
        if reset:
            if feed.n < self._least:
                raise ValueError(f"Found array with {feed.n} sample(s) while a minimum of {self._least} is required.")
            self._layout, self._kind = feed.layout, _data.KINDS.get(getattr(self, "kind", "auto"))
            if feed.layout in ("texts", "codes") and hasattr(self, "n_features_in_"):
                del self.n_features_in_
        elif (feed.layout in ("texts", "codes", "table")) != (self._layout in ("texts", "codes", "table")):
            raise ValueError(f"the estimator was fitted on {self._layout}, and these are {feed.layout}")
        return feed

    def _names(self):
        if hasattr(self, "feature_names_in_"):
            return self.feature_names_in_
        return [f"x{j}" for j in range(self.n_features_in_)]

    def _components(self, arrays):
        """Centers, a row a group, in the order of the columns that were given."""
        centers = arrays["phi"] if "phi" in arrays else arrays["centers"]
        if self._layout not in ("sparse", "dense"):
            return centers
        names = {f"x{j}": j for j in range(self.n_features_in_)}
        at = [names.get(v) for v in self.vocabulary_]
        if None in at:  # answers: a feature is an answer to a question
            return centers
        out = np.zeros((len(centers), self.n_features_in_))
        out[:, at] = centers
        return out

    def _options(self):
        words = []
        if self.n_components is not None:
            if isinstance(self.n_components, bool) or not isinstance(self.n_components, (int, np.integer)) or self.n_components < 1:
                raise ValueError(f"{_POSITIONAL}, not {self.n_components!r}")
            words += [self._size, str(int(self.n_components))]
        for name, flag in self._flags.items():
            value = getattr(self, name)
            if value is not None:
                words += [flag, str(value)]
        return words

    _size = "-k"
    _flags = {}


def _all_numbers(frame):
    """Whether all cells of a table are numbers, or all yes and no: none is text or missing."""
    if not hasattr(frame, "iloc"):
        return False
    kinds = {getattr(t, "kind", "O") for t in frame.dtypes}
    return (kinds <= set("iuf") or kinds == {"b"}) and not frame.isna().to_numpy().any()


class MoietyMixture(_Records):
    """Groups of records: of presences, answers, counts, measurements, or all of them.

    Parameters
    ----------
    n_components : int or None
        Number of groups. None: as many as the records show, one where they show none.
    model : str
        "auto" or the name of a model, see ``moiety help fit``.
    kind : {"auto", "binary", "answers", "counts", "measurements", "mixed", "genotypes"}
        What the columns are. "auto": found from the values, as for files.
    method, refine : str or None
        How moments are decomposed, and whether EM refines the result ("em", "none").
    prior : float or None
        Records that a prior is worth; 0 is maximum likelihood.
    random_state : int, RandomState or None
        Seed of the few random steps. It hardly matters here: there are no restarts.
    n_jobs : int or None
        Cores to use; None and -1: all. The result does not depend on it.
    verbose : int
        Whether to tell of progress.

    Attributes
    ----------
    labels_, weights_, components_, groups_, vocabulary_, n_components_, verdict_
    """

    _flags = {"model": "--model", "method": "--method", "refine": "--refine", "prior": "--prior"}

    def __init__(self, n_components=None, *, model="auto", kind="auto", method=None, refine=None, prior=None,
                 random_state=None, n_jobs=None, verbose=0):
        self.n_components = n_components
        self.model = model
        self.kind = kind
        self.method = method
        self.refine = refine
        self.prior = prior
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MoietyTree(MoietyMixture):
    """A tree of groups: every split a question, the ends the groups.

    n_components asks for that many groups at the ends; None: as many as the records
    show. ``nodes_`` has all nodes: id, parent, level, n, share, name.
    """

    _size = "--leaves"

    def fit(self, X, y=None):
        """Grow the tree. y is ignored."""
        super().fit(X)
        table = self._ask("export", "--to", "csv", ending="").get("nodes.csv", b"").decode()
        self.nodes_ = list(csv.DictReader(io.StringIO(table)))
        return self


def _counted(lda):
    """Whether shares are probabilities: words were counted, or nothing is known yet."""
    if getattr(lda, "weight_scale_", 1) != 1:
        raise AttributeError("shares of real weights are no probabilities: use transform")
    return True


class MoietyLDA(_Records):
    """Topics of documents: latent Dirichlet allocation by the method of moments.

    Takes texts, lists of words, or a matrix of counts. Real weights of 0 or more
    (such as tf-idf) are brought to whole numbers first: multiplied by the factor
    ``weight_scale_``, which makes the median weight 10, and rounded.

    n_components is the number of topics; None: as many as the documents show.
    ``components_`` are the word probabilities of every topic, ``transform`` gives the
    shares of topics in every document.
    """

    _flags = {"alpha0": "--alpha0", "method": "--method", "refine": "--refine"}

    def __init__(self, n_components=None, *, alpha0=None, method=None, refine=None,
                 random_state=None, n_jobs=None, verbose=0):
        self.n_components = n_components
        self.alpha0 = alpha0
        self.method = method
        self.refine = refine
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None):
        """Find the topics. y is ignored."""
        super().fit(X)
        self.doc_topic_ = self._theta
        return self

    @available_if(_counted)
    def predict_proba(self, X):
        """The shares of topics in every document; of real weights only ``transform`` has them."""
        return super().predict_proba(X)

    def transform(self, X):
        """The shares of topics in every document."""
        return self._assign(self._feed(X))["theta"]

    def _options(self):
        return ["--model", "lda", *super()._options()]

    def _numbers(self, X, kind, reset):
        X = sp.csr_matrix(X)
        if X.nnz and not np.isfinite(X.data).all():
            raise ValueError("Input X contains NaN or infinity.")
        if X.nnz and X.data.min() < 0:
            raise ValueError("Negative values in data passed to MoietyLDA: words are counted")
        if reset:
            self.weight_scale_ = 1.0 if _data.whole(X) else 10 / float(np.median(X.data[X.data > 0]))
        if self.weight_scale_ != 1:
            X = X.copy()
            X.data = np.rint(X.data * self.weight_scale_)
        if X.dtype.kind == "f":
            X = X.astype(np.int64)
        X.eliminate_zeros()
        return _data.compressed(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = False
        tags.input_tags.positive_only = True
        return tags

    def to_pyldavis(self):
        """The map of topics: a page that a notebook shows in place, with its data in ``data``."""
        from ._report import Report

        page = Report(self._ask("export", "--to", "ldavis", ending=".html").decode())
        page.data = json.loads(self._ask("export", "--to", "ldavis", ending=".json"))
        return page

    def topics_over_time(self, times, interval=False):
        """Mean share of every topic by time, with its standard error.

        times has one value a document of the fit. Returns the sorted times, the means
        (times × topics) and the standard errors; with interval also the two ends of the
        95 % intervals, symmetric in log-odds, as in trends.csv of the command line.
        """
        check_is_fitted(self)
        times = np.asarray(times)
        if len(times) != len(self.doc_topic_):
            raise ValueError(f"{len(times)} times for {len(self.doc_topic_)} documents")
        when, at = np.unique(times, return_inverse=True)
        n = np.bincount(at, minlength=len(when)).astype(float)
        k = self.doc_topic_.shape[1]
        mean, square = np.zeros((len(when), k)), np.zeros((len(when), k))
        np.add.at(mean, at, self.doc_topic_)
        mean /= n[:, None]
        np.add.at(square, at, (self.doc_topic_ - mean[at]) ** 2)
        with np.errstate(invalid="ignore", divide="ignore"):
            error = np.sqrt(square / (n - 1)[:, None] / n[:, None])
            if not interval:
                return when, mean, error
            by = student.ppf(0.975, n - 1)[:, None] * error / (mean * (1 - mean))
            odds = np.log(mean / (1 - mean))
            return when, mean, error, 1 / (1 + np.exp(by - odds)), 1 / (1 + np.exp(-by - odds))
