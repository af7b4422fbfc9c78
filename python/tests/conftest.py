"""Data of the tests, made on the spot."""

import warnings

import numpy as np
import pytest

from moiety import MoietyWarning


@pytest.fixture(autouse=True)
def _quiet():
    # Small data are warned of; tests that look at warnings ask for them.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MoietyWarning)
        yield


@pytest.fixture
def presences():
    """Two kinds of patients: which of 12 codes they have, and their kind."""
    rng = np.random.default_rng(5)
    kind = rng.integers(0, 2, 600)
    p = np.where(np.arange(12)[None] < 6, 0.8, 0.1)
    p = np.where(kind[:, None] == 0, p, p[:, ::-1])
    return (rng.random((600, 12)) < p).astype(int), kind


@pytest.fixture
def heaps():
    """Three heaps of measurements, and their kind."""
    rng = np.random.default_rng(6)
    kind = rng.integers(0, 3, 450)
    return rng.normal(size=(450, 4)) + 8 * np.eye(4)[kind], kind


@pytest.fixture
def documents():
    """Texts of two topics, and their topic."""
    rng = np.random.default_rng(7)
    words = [["heart", "blood", "valve", "pulse", "vein", "beat"], ["court", "judge", "trial", "jury", "verdict", "plea"]]
    topic = rng.integers(0, 2, 240)
    return [" ".join(rng.choice(words[t], 30)) for t in topic], topic
