"""States of sequences: hidden Markov models."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _data
from ._base import Fitted


class MoietyHMM(Fitted):
    """Hidden states of sequences of symbols.

    ``fit(X, lengths)`` takes symbols one behind the other, with the lengths of the
    sequences, as hmmlearn does; or a list of sequences without lengths. Records may
    have different lengths. A step may be a set, list or tuple of symbols: a visit with
    several codes. n_components is the number of states; None leaves it to the data.

    Attributes: ``transmat_`` (row from, column to), ``emissionprob_`` (states × symbols,
    in the order of ``vocabulary_``), ``weights_``, ``labels_`` (the state of every step).
    """

    def __init__(self, n_components=2, *, random_state=None, n_jobs=None, verbose=0):
        self.n_components = n_components
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
        arrays = self._fit(_sequences(X, lengths), ["--model", "hmm", *size])
        self.transmat_ = arrays["transitions"]
        self.emissionprob_ = arrays["phi"] if "phi" in arrays else arrays["centers"]
        self._theta, self.lengths_ = arrays["theta"], arrays["lengths"]
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
