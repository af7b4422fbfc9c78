"""States of sequences: hidden Markov models."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _data
from ._base import Fitted
from ._program import call


class MoietyHMM(Fitted):
    """Hidden states of sequences of symbols.

    ``fit(X, lengths)`` takes symbols one behind the other, with the lengths of the
    sequences, as hmmlearn does; or a list of sequences without lengths. Records may
    have different lengths. A step may be a set, list or tuple of symbols: a visit with
    several codes. n_components is the number of states; None leaves it to the data.
    n_courses tells that many kinds of sequences by how they pass through the states
    (a mixture of hidden Markov models with shared states); None tells none.

    Attributes: ``transmat_`` (row from, column to), ``emissionprob_`` (states × symbols,
    in the order of ``vocabulary_``), ``weights_``, ``labels_`` (the state of every step);
    with n_courses also ``courses_`` (the course of every sequence, from 0, the largest
    first), ``course_weights_``, ``course_startprob_`` (courses × states) and
    ``course_transmat_`` (courses × from × to).
    """

    def __init__(self, n_components=2, *, n_courses=None, random_state=None, n_jobs=None, verbose=0):
        self.n_components = n_components
        self.n_courses = n_courses
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, lengths=None):
        """Find the states."""
        size = []
        if self.n_components is not None:
            if not isinstance(self.n_components, (int, np.integer)) or self.n_components < 1:
                raise ValueError(f"n_components must be None or a whole number of 1 or more, not {self.n_components!r}")
            size = ["-k", str(int(self.n_components))]
        if self.n_courses is not None:
            if not isinstance(self.n_courses, (int, np.integer)) or self.n_courses < 1:
                raise ValueError(f"n_courses must be None or a whole number of 1 or more, not {self.n_courses!r}")
            size += ["--courses", str(int(self.n_courses))]
        arrays = self._fit(_sequences(X, lengths), ["--model", "hmm", *size])
        self.transmat_ = arrays["transitions"]
        self.emissionprob_ = arrays["phi"] if "phi" in arrays else arrays["centers"]
        self._theta, self.lengths_ = arrays["theta"], arrays["lengths"]
        if self.n_courses is not None:
            self.course_weights_ = arrays["course_weights"]
            self.course_startprob_ = arrays["course_starts"]
            self.course_transmat_ = arrays["course_transitions"]
            self.courses_ = self.predict_courses(X, lengths)
        return self

    def fit_predict(self, X, lengths=None):
        """Find the states and return that of every step, one sequence behind the other."""
        return self.fit(X, lengths).labels_

    def predict(self, X, lengths=None):
        """The state of every step, one sequence behind the other."""
        check_is_fitted(self)
        return self._assign(_sequences(X, lengths))["labels"]

    def predict_proba(self, X, lengths=None):
        """The probability of every state at every step."""
        check_is_fitted(self)
        return self._assign(_sequences(X, lengths))["theta"]

    def predict_courses(self, X, lengths=None):
        """The course of every sequence, from 0."""
        check_is_fitted(self)
        if self.n_courses is None:
            raise ValueError("these states were found without courses: fit with n_courses")
        feed = _sequences(X, lengths)
        with self._run() as run:
            out = run.parent / "courses.csv"
            call(["assign", str(run), "-", "--courses", "-o", str(out), *feed.options], feed.write, self._progress())
            lines = out.read_text().splitlines()[1:]
        return np.array([int(line.rsplit(",", 2)[1]) - 1 for line in lines])

    def score(self, X, lengths=None):
        """The log-likelihood of all sequences."""
        check_is_fitted(self)
        return self._eval(_sequences(X, lengths))["log_likelihood"]


def _sequences(X, lengths):
    """A feed of sequences."""
    several = (set, frozenset, list, tuple)
    if lengths is not None:
        flat = list(X) if any(isinstance(s, several) for s in X) else np.asarray(X).ravel().tolist()
        if sum(lengths) != len(flat):
            raise ValueError(f"lengths add up to {sum(lengths)}, and there are {len(flat)} steps")
        ends = np.cumsum(lengths).tolist()
        rows = [flat[a:b] for a, b in zip([0, *ends[:-1]], ends)]
    elif len(X) and isinstance(X[0], (list, tuple)) and any(isinstance(s, several) for r in X for s in r):
        rows = [list(r) for r in X]
    elif len(X) and np.ndim(X[0]) == 0 and not isinstance(X[0], str):
        rows = [list(X)]
    else:
        rows = [list(np.asarray(r).ravel().tolist()) if not isinstance(r, str) else list(r) for r in X]
    if not rows or not any(rows):
        raise ValueError("no steps: give sequences of symbols")
    return _data.sequences(rows)
