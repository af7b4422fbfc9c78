"""What all estimators share: a run in memory, and the questions put to it."""

import io
import json
import sys
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ._errors import MoietyWarning
from ._program import call
from ._report import Picture, Report

_RECORDS = "rows.moiety"
_NOTE = 1  # the weight of a remark that is no warning


class Fitted(BaseEstimator):
    """A fit of the program, kept as the files of its run folder.

    What is pickled has no records: reports and pictures, which count them again,
    are of the estimator that was fitted.
    """

    def _fit(self, feed, options):
        """Fit, and take over what came out."""
        with tempfile.TemporaryDirectory(prefix="moiety-") as folder:
            run = Path(folder) / "run"
            words = ["fit", "-", "-o", str(run), "--to", "npz", *feed.options, *options, *self._machine()]
            out = call(words, feed.write, self._progress())
            self._files = {p.name: p.read_bytes() for p in run.iterdir()}
        self._records = self._files.pop(_RECORDS)
        manifest = json.loads(self._files["manifest.json"])
        self.notes_ = []  # what is good to know of the fit, and no reason to look twice
        for w in manifest.get("warnings") or []:
            said = f"{w['text']} {w['remedy']}".strip()
            if w["weight"] <= _NOTE:
                self.notes_.append(said)
            else:
                warnings.warn(said, MoietyWarning, stacklevel=4)
        with np.load(io.BytesIO(out)) as z:
            arrays = {name: z[name] for name in z.files}
        self.verdict_ = manifest.get("verdict")
        self._take(arrays)
        return arrays

    def _take(self, arrays):
        """Names of the field for what every fit gives."""
        self.weights_ = arrays["weights"]
        self.groups_ = arrays["groups"]
        self.labels_ = arrays["labels"]
        self.vocabulary_ = arrays["vocabulary"]
        self.n_components_ = len(self.groups_)

    def _machine(self):
        words = ["--seed", str(self._seed())]
        if self.n_jobs is not None:
            if self.n_jobs == 0:
                raise ValueError("n_jobs == 0 has no meaning: write None or -1 for all cores")
            words += ["--workers", str(max(self.n_jobs, 0))]
        return words

    def _seed(self):
        if self.random_state is None:
            return 1
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _progress(self):
        if not self.verbose:
            return None
        return _tell

    @contextmanager
    def _run(self, records=False):
        """The run as a folder, for the time of a question."""
        check_is_fitted(self)
        files = dict(self._files)
        if records:
            if self._records is None:
                raise ValueError("this estimator was loaded without its records, which reports and samples count again: fit it here")
            files[_RECORDS] = self._records
        with tempfile.TemporaryDirectory(prefix="moiety-") as folder:
            run = Path(folder) / "run"
            run.mkdir(mode=0o700)
            for name, data in files.items():
                (run / name).write_bytes(data)
            yield run

    def _assign(self, feed):
        """The arrays of new records: theta, labels, lengths."""
        with self._run() as run:
            out = run.parent / "new.npz"
            words = ["assign", str(run), "-", "-o", str(out), "--probabilities", "all", *feed.options]
            if self.n_jobs:
                words += ["--workers", str(max(self.n_jobs, 0))]
            call(words, feed.write, self._progress())
            with np.load(out) as z:
                return {name: z[name] for name in z.files}

    def _eval(self, feed):
        with self._run() as run:
            return json.loads(call(["eval", str(run), "-", "--json", *feed.options], feed.write))

    def _ask(self, *words, ending):
        """What a verb writes of the run, as bytes."""
        with self._run(records=True) as run:
            out = run.parent / ("out" + ending)
            call([words[0], str(run), *words[1:], "-o", str(out)])
            if out.is_dir():
                return {p.name: p.read_bytes() for p in out.iterdir()}
            return out.read_bytes()

    def report(self):
        """The whole story with pictures; a notebook shows it in place."""
        return Report(self._ask("report", ending=".html").decode())

    def plot(self, picture=None):
        """A picture of the groups as SVG; picture is the name of one, see ``pictures``."""
        drawn = self.pictures()
        if picture is None:
            picture = next((p for p in ("tree", "map", "groups") if p in drawn), next(iter(drawn)))
        if picture not in drawn:
            raise ValueError(f"no picture {picture!r}: there are {', '.join(sorted(drawn))}")
        return Picture(drawn[picture])

    def pictures(self):
        """All pictures of the groups, by name, as SVG."""
        files = self._ask("export", "--to", "svg", ending="")
        return {name.removesuffix(".svg"): data.decode() for name, data in sorted(files.items()) if name.endswith(".svg")}

    def save(self, path):
        """Write the run folder of ``moiety fit -o``, records included."""
        path = Path(path)
        path.mkdir(mode=0o700, parents=True)
        check_is_fitted(self)
        if self._records is None:
            raise ValueError("this estimator was loaded without its records: fit it here")
        for name, data in {**self._files, _RECORDS: self._records}.items():
            (path / name).write_bytes(data)

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_records" in state:
            state["_records"] = None
        return state


def _tell(event):
    """One line of progress, written over the last one."""
    step, done, total = event.get("step", ""), event.get("done"), event.get("total")
    line = step
    if total:
        line += f" {100 * (done or 0) // total} %"
    elif done:
        line += f" {done:,} {event.get('unit', '')}"
    sys.stderr.write("\r" + line.ljust(60))
    sys.stderr.flush()
