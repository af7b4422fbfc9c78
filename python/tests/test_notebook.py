"""The notebook runs from its first cell to its last."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not here")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not here")
pytest.importorskip("ipykernel", reason="ipykernel is not here")


def _printed(notebook):
    return "".join(o.get("text", "") for c in notebook.cells for o in c.get("outputs", []))


def test_the_tour_runs_and_says_what_is_kept():
    beside = [p / "tour.ipynb" for p in (Path(__file__).parent, Path(__file__).parent.parent / "notebooks")]
    path = next(p for p in beside if p.exists())
    kept = nbformat.read(path, 4)
    run = nbformat.read(path, 4)
    nbclient.NotebookClient(run, timeout=600, kernel_name="python3").execute()
    # Times differ from machine to machine; the number of groups does not.
    first = next(line for line in _printed(kept).splitlines() if " groups: " in line)
    assert first in _printed(run)
