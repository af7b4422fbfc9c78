"""The estimators as their users meet them."""

import csv
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import moiety
from moiety import MoietyError, MoietyHMM, MoietyLDA, MoietyMixture, MoietyTree, MoietyWarning

pandas = pytest.importorskip("pandas", reason="pandas is not here")


@parametrize_with_checks([MoietyMixture(), MoietyTree(), MoietyLDA(), MoietyMixture(2)])
def test_as_scikit_learn_asks(estimator, check):
    check(estimator)


def command(*words, feed=None):
    return subprocess.run([moiety.program(), *map(str, words)], input=feed, capture_output=True, check=True).stdout


def test_the_same_answer_as_the_command_line(presences, tmp_path):
    X, _ = presences
    m = MoietyMixture(2).fit(X)
    table = io.StringIO()
    out = csv.writer(table)
    out.writerow(["id", *(f"x{j}" for j in range(12))])
    out.writerows([i, *row] for i, row in enumerate(X))
    (tmp_path / "x.csv").write_text(table.getvalue())
    command("fit", tmp_path / "x.csv", "--id", "id", "-k", 2, "-o", tmp_path / "run")
    command("export", tmp_path / "run", "--to", "csv", "--probabilities", "all", "-o", tmp_path / "tables")
    rows = list(csv.DictReader(open(tmp_path / "tables" / "assignments.csv")))
    assert [int(r["group"]) - 1 for r in rows] == m.labels_.tolist()
    theta = np.array([[float(r[g]) for g in ("1", "2")] for r in rows])
    np.testing.assert_allclose(m.predict_proba(X), theta, atol=1e-9)
    centers = {r["feature"]: [float(r["1"]), float(r["2"])] for r in csv.DictReader(open(tmp_path / "tables" / "centers.csv"))}
    np.testing.assert_allclose(m.components_.T, [centers[f"x{j}"] for j in range(12)], atol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, sp.csc_array, pandas.DataFrame, lambda x: x.astype(bool), lambda x: x.astype(np.float32)])
def test_every_form_of_presences(presences, form):
    X, kind = presences
    if form is pandas.DataFrame:
        X = pandas.DataFrame(X, columns=[f"code {j}" for j in range(12)])
    else:
        X = form(X)
    m = MoietyMixture(2).fit(X)
    assert adjusted_rand_score(kind, m.labels_) > 0.9
    assert (m.predict(X) == m.labels_).all()
    assert m.components_.shape == (2, 12)
    np.testing.assert_allclose(m.predict_proba(X).sum(axis=1), 1)
    assert m.predict_proba(X[:1]).shape == (1, 2)


def test_measurements(heaps):
    X, kind = heaps
    m = MoietyMixture(3)
    assert adjusted_rand_score(kind, m.fit_predict(X)) > 0.95
    np.testing.assert_allclose(m.fit_transform(X), m.transform(X), atol=1e-12)
    assert m.score(X) > MoietyMixture(1).fit(X).score(X)
    assert m.bic(X) < MoietyMixture(1).fit(X).bic(X)
    assert m.sample(50).shape == (50, 4)
    assert m.get_feature_names_out().tolist() == ["moietymixture0", "moietymixture1", "moietymixture2"]


def test_columns_of_different_kinds():
    rng = np.random.default_rng(8)
    kind = rng.integers(0, 2, 400)
    frame = pandas.DataFrame({
        "age": np.where(kind == 0, rng.normal(30, 4, 400), rng.normal(70, 4, 400)),
        "sex": rng.choice(["f", "m"], 400),
        "smoker": (rng.random(400) < np.where(kind == 0, 0.1, 0.8)).astype(float),
        "ward": np.where(rng.random(400) < 0.9, np.where(kind == 0, "north", "south"), "east"),
    })
    frame.loc[rng.random(400) < 0.1, "age"] = np.nan
    frame.loc[rng.random(400) < 0.1, "ward"] = None
    m = MoietyMixture(2).fit(frame)
    assert adjusted_rand_score(kind, m.labels_) > 0.85
    assert (m.predict(frame) == m.labels_).all()
    assert m.feature_names_in_.tolist() == list(frame.columns)


def test_columns_that_look_like_numbers_of_records(heaps):
    X, kind = heaps
    X = np.column_stack([np.arange(len(X)), X])
    m = MoietyMixture(2).fit(X)
    assert m.components_.shape == (2, 5) and m.components_[:, 0].min() > 10


def test_texts_and_codes(documents):
    texts, topic = documents
    lda = MoietyLDA(2).fit(texts)
    assert adjusted_rand_score(topic, lda.labels_) > 0.9
    assert lda.transform(["heart blood pulse", "judge jury"]).argmax(axis=1)[0] == lda.predict(["heart vein"])[0]
    when, mean, error = lda.topics_over_time(topic)
    assert when.tolist() == [0, 1] and mean.shape == (2, 2) and (error < 0.1).all()
    assert abs(mean[0].sum() - 1) < 1e-9
    low, high = lda.topics_over_time(topic, interval=True)[3:]
    near = 1e-12  # documents of one topic each differ by no more
    assert (low <= mean + near).all() and (mean <= high + near).all() and (low > 0).all() and (high < 1).all()
    assert "<svg" in lda.to_pyldavis().html or "<script" in lda.to_pyldavis().html
    groups = MoietyMixture(2).fit([t.split() for t in texts])
    assert adjusted_rand_score(topic, groups.labels_) > 0.9


def test_real_weights_of_words(documents):
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts, topic = documents
    X = TfidfVectorizer().fit_transform(texts)
    lda = MoietyLDA(2).fit(X)
    assert lda.weight_scale_ > 1 and adjusted_rand_score(topic, lda.transform(X).argmax(axis=1)) > 0.9
    assert not hasattr(lda, "predict_proba")


def test_tree(presences):
    X, _ = presences
    t = MoietyTree(2).fit(X)
    assert [n["node"] for n in t.nodes_] == ["1", "1.1", "1.2"]
    assert t.groups_.tolist() == ["1.1", "1.2"]
    assert t.plot().svg.startswith(("<?xml", "<!--", "<svg")) and "<svg" in t.plot()._repr_svg_()
    page = t.report()
    assert page._repr_html_().startswith("<iframe") and "<html" in page.html


def test_states():
    rng = np.random.default_rng(9)
    rows = []
    for _ in range(150):
        state, row = 0, []
        for _ in range(20):
            state = state if rng.random() < 0.9 else 1 - state
            row.append(int(rng.choice(4, p=[[0.6, 0.3, 0.05, 0.05], [0.05, 0.05, 0.3, 0.6]][state])))
        rows.append(row)
    h = MoietyHMM(2).fit(rows)
    assert h.transmat_.shape == (2, 2) and (np.diag(h.transmat_) > 0.8).all()
    flat = MoietyHMM(2).fit(np.concatenate(rows), [20] * 150)
    np.testing.assert_array_equal(h.labels_, flat.labels_)
    assert h.predict_proba(rows[:2]).shape == (40, 2) and h.score(rows) < 0
    with pytest.raises(ValueError, match="add up"):
        h.fit([1, 2, 3], [2])


def test_courses():
    rng = np.random.default_rng(11)
    rows, kind = [], rng.integers(0, 2, 200)
    for c in kind:
        state, row = rng.integers(0, 3), []
        for _ in range(25):
            row.append(int(2 * state + rng.integers(0, 2)) if rng.random() > 0.1 else int(rng.integers(0, 6)))
            state = state if rng.random() < (0.9, 0.3)[c] else (state + 1) % 3
        rows.append(row)
    h = MoietyHMM(3, n_courses=2).fit(rows)
    right = np.mean(h.courses_ == kind)
    assert max(right, 1 - right) > 0.95
    assert h.course_transmat_.shape == (2, 3, 3) and h.course_startprob_.shape == (2, 3)
    np.testing.assert_allclose(h.course_transmat_.sum(2), 1)
    stays = sorted(np.trace(h.course_transmat_, axis1=1, axis2=2) / 3)
    np.testing.assert_allclose(stays, [0.3, 0.9], atol=0.07)
    again = pickle.loads(pickle.dumps(h))
    np.testing.assert_array_equal(again.predict_courses(rows[:9]), h.courses_[:9])
    with pytest.raises(ValueError, match="without courses"):
        MoietyHMM(3).fit(rows).predict_courses(rows)
    with pytest.raises(ValueError, match="n_courses"):
        MoietyHMM(3, n_courses=0).fit(rows)


def test_states_as_an_estimator():
    rng = np.random.default_rng(3)
    X, lengths = (rng.random(1200) < np.repeat(rng.integers(0, 2, 120), 10) * 0.8 + 0.1).astype(int) * 2, [20] * 60
    X[rng.random(1200) < 0.2] = 1
    h = clone(MoietyHMM(2, random_state=4)).fit(X.reshape(-1, 1), lengths)
    again = pickle.loads(pickle.dumps(h))
    np.testing.assert_array_equal(again.predict(X, lengths), h.labels_)
    np.testing.assert_array_equal(MoietyHMM(2, n_jobs=1).fit(X, lengths).labels_, h.labels_)
    words = MoietyHMM(2).fit(np.array(["home", "ward", "gone"])[X], lengths)
    assert sorted(words.vocabulary_) == ["gone", "home", "ward"]
    with pytest.raises(ValueError, match="n_components"):
        MoietyHMM(0).fit(X, lengths)
    with pytest.raises(ValueError, match="no steps"):
        MoietyHMM(2).fit([])
    with pytest.raises(Exception, match="not fitted"):
        MoietyHMM(2).predict(X, lengths)


def test_inside_other_tools(heaps):
    X, _ = heaps
    pipe = make_pipeline(StandardScaler(), MoietyMixture(3)).set_output(transform="pandas")
    assert list(pipe.fit_transform(X).columns) == ["moietymixture0", "moietymixture1", "moietymixture2"]
    assert np.isfinite(cross_val_score(MoietyMixture(3), X, cv=3)).all()
    search = GridSearchCV(MoietyMixture(), {"n_components": [1, 3]}, cv=3).fit(X)
    assert search.best_params_ == {"n_components": 3}
    assert clone(MoietyMixture(4, prior=0.5)).get_params()["prior"] == 0.5


def test_pickles_have_no_records(presences):
    X, _ = presences
    m = MoietyMixture(2).fit(X)
    data = pickle.dumps(m)
    again = pickle.loads(data)
    np.testing.assert_array_equal(again.predict_proba(X), m.predict_proba(X))
    with pytest.raises(ValueError, match="without its records"):
        again.report()
    m.report()  # the one that was fitted keeps them


def test_warnings_are_warnings():
    rng = np.random.default_rng(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", MoietyWarning)
        with pytest.raises(MoietyWarning):
            MoietyMixture(2).fit(rng.normal(size=(40, 3)))


def test_notes_are_no_warnings():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 3)) + 6 * (rng.random(2000) < 0.5)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error", MoietyWarning)
        m = MoietyMixture(2).fit(X)
    assert any("covariance" in note for note in m.notes_)


@pytest.mark.parametrize(("make", "data", "word"), [
    (lambda: MoietyMixture(0), np.eye(5), "n_components"),
    (lambda: MoietyMixture("three"), np.eye(5), "n_components"),
    (lambda: MoietyMixture(2, kind="words"), np.eye(5), "kind"),
    (lambda: MoietyMixture(2, model="polca"), np.eye(5), "latent class"),
    (lambda: MoietyMixture(2), np.array([[np.inf, 1.0], [2.0, 3.0]]), "infinity"),
    (lambda: MoietyMixture(2), [["a", "b"]], "1 sample"),
    (lambda: MoietyLDA(2), np.array([[-1, 2], [3, 4]]), "Negative values"),
    (lambda: MoietyLDA(2), ["", ""], "."),
    (lambda: MoietyMixture(2, n_jobs=0), np.eye(5), "n_jobs"),
])
def test_mistakes_are_told(make, data, word):
    with pytest.raises(ValueError, match=word):
        make().fit(data)


def test_a_killed_program_is_told_and_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rng = np.random.default_rng(2)
    X = sp.random(60_000, 300, 0.1, random_state=2, format="csr")
    X.data[:] = 1
    del rng
    if os.name != "posix":
        pytest.skip("signals are of posix systems")

    def kill():
        for _ in range(400):
            time.sleep(0.02)
            found = subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "fit - -o"], capture_output=True, text=True).stdout.split()
            if found:
                time.sleep(0.05)
                try:
                    os.kill(int(found[0]), signal.SIGKILL)
                except ProcessLookupError:
                    continue
                return

    if subprocess.run(["which", "pgrep"], capture_output=True).returncode:
        pytest.skip("pgrep is not here")
    t = threading.Thread(target=kill)
    t.start()
    with pytest.raises(MoietyError, match="stopped from outside"):
        MoietyMixture(8).fit(X)
    t.join()
    assert list(tmp_path.iterdir()) == []


def test_visits_are_sets_of_codes():
    """Two states, each with codes of its own; their number is left to the data."""
    rng = np.random.default_rng(5)
    rows, truth = [], []
    for _ in range(200):
        z, steps = rng.integers(2), []
        for _ in range(15):
            p = np.where(np.arange(6) // 3 == z, 0.7, 0.1)
            steps.append({f"c{j}" for j in np.flatnonzero(rng.random(6) < p)} or {f"c{3 * z}"})
            truth.append(z)
            z = z if rng.random() < 0.9 else 1 - z
        rows.append(steps)
    h = MoietyHMM(None).fit(rows)
    assert h.n_components_ == 2 and h.transmat_.shape == (2, 2)
    assert adjusted_rand_score(truth, h.labels_) > 0.8
    assert (h.predict(rows) == h.labels_).all()
    flat = MoietyHMM(2).fit([s for r in rows for s in r], [15] * 200)
    np.testing.assert_array_equal(flat.labels_, h.labels_)


@pytest.mark.parametrize("kind", ["presences", "counts", "dense"])
def test_copies_are_no_larger_than_the_data(monkeypatch, tmp_path, kind):
    """All that lies in the temporary folder at any time, looked at every 2 ms."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    rng = np.random.default_rng(3)
    if kind == "dense":
        X = rng.standard_normal((40_000, 10))
        size = X.nbytes
    else:
        X = sp.random(40_000, 100, 0.1, random_state=3, format="csr").astype(np.int32)
        X.data[:] = 1 if kind == "presences" else rng.poisson(2, X.nnz) + 1
        size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    most, done = [0], threading.Event()

    def watch():
        while not done.wait(0.002):
            held = 0
            for folder, _, names in os.walk(tmp_path):
                for name in names:
                    try:  # the answer, five bytes a record, is no copy
                        held += "assignments" not in name and os.path.getsize(os.path.join(folder, name))
                    except OSError:
                        pass
            most[0] = max(most[0], held)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        MoietyMixture(2).fit(X)
    finally:
        done.set()
        watcher.join()
    assert 0 < most[0] <= size + 20_000  # and the names of columns
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_ends_the_program_and_leaves_nothing(tmp_path):
    if os.name != "posix":
        pytest.skip("signals are of posix systems")
    script = (
        "import numpy as np, scipy.sparse as sp, sys\n"
        "from moiety import MoietyMixture\n"
        "X = sp.random(200_000, 300, .1, random_state=2, format='csr'); X.data[:] = 1\n"
        "print('go', flush=True)\n"
        "try:\n"
        "    while True: MoietyMixture(8, verbose=1).fit(X)\n"  # one may end before the interrupt
        "except KeyboardInterrupt: print('interrupted', flush=True)\n"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        # Jobs in the background of a shell ignore interrupts, and so would what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert started.stdout.readline() == "go\n"
    # The first words of progress: the program runs, and in a moment Python waits for it.
    # (While threads begin, Python may drop an interrupt inside a callback of its own.)
    started.stderr.read(1)
    time.sleep(0.2)
    started.send_signal(signal.SIGINT)
    out, said = started.communicate(timeout=120)
    assert out == "interrupted\n", said[-2000:]
    assert list(tmp_path.iterdir()) == []


def test_tables_of_polars(presences):
    polars = pytest.importorskip("polars", reason="polars is not here")
    X, kind = presences
    frame = polars.DataFrame({f"c{j}": X[:, j] for j in range(12)})
    m = MoietyMixture(2).fit(frame)
    assert adjusted_rand_score(kind, m.labels_) > 0.9 and (m.predict(frame) == m.labels_).all()


@pytest.mark.parametrize("form", ["category", "ordered", "str", "string", "bool", "Enum", "Categorical", "String", "Boolean"])
def test_declared_types_are_never_overruled(form):
    """A column that is declared as answers is read as answers, whatever its values look like."""
    rng = np.random.default_rng(9)
    kind = rng.integers(0, 2, 400)
    levels = [str(v) for v in range(40)] if form.lower() != "bool" and form != "Boolean" else [False, True]
    values = rng.integers(0, len(levels), (400, 4))
    counts = rng.poisson(np.where(kind[:, None] == 0, 2, 9), (400, 3))
    columns = {f"q{j}": [levels[v] for v in values[:, j]] for j in range(4)} | {f"n{j}": counts[:, j] for j in range(3)}
    if form[0].isupper():
        pl = pytest.importorskip("polars")
        dtype = pl.Enum(levels) if form == "Enum" else getattr(pl, form)
        frame = pl.DataFrame(columns).with_columns([pl.col(f"q{j}").cast(dtype) for j in range(4)])
    else:
        pd = pytest.importorskip("pandas")
        dtype = pd.CategoricalDtype(levels, ordered=True) if form == "ordered" else {"str": object}.get(form, form)
        frame = pd.DataFrame(columns).astype({f"q{j}": dtype for j in range(4)})
    m = MoietyMixture(2, random_state=0).fit(frame)
    names = [str(v) for v in m.vocabulary_]
    assert [n for n in names if n.startswith("n")] == ["n0", "n1", "n2"]
    if len(levels) > 2:
        assert {"q0=0", "q0=12", "q3=39"} <= set(names)
    else:
        assert {n for n in names if n.startswith("q")} == {"q0", "q1", "q2", "q3"}
    assert len(m.predict(frame)) == 400


def test_a_missing_program_is_told(monkeypatch):
    monkeypatch.setenv("MOIETY_PROGRAM", "/nowhere/moiety")
    with pytest.raises((MoietyError, FileNotFoundError)):
        moiety.version()


def test_version_and_command():
    assert moiety.version()
    out = subprocess.run([sys.executable, "-c", "import sys; sys.argv=['moiety','version','--json']; from moiety._program import main; main()"], capture_output=True, text=True)
    assert out.returncode == 0 and json.loads(out.stdout)
