"""What people hold in their hands, as the program reads it.

Every form of data becomes a feed: the options that say what it is, and a function
that writes it to a pipe. No copy of the data is made that is larger than they are.
"""

import csv
import io
import json
import zipfile
from dataclasses import dataclass, field
from typing import Callable

import numpy as np
import scipy.sparse as sp

# Words for kinds of columns, and the program's.
KINDS = {
    "auto": None,
    "binary": "binary",
    "answers": "categorical",
    "counts": "counts",
    "measurements": "real",
    "mixed": "mixed",
    "genotypes": "genotypes",
}


@dataclass
class Feed:
    """Data on their way to the program."""

    options: list
    write: Callable
    n: int
    layout: str = ""
    lengths: list = field(default_factory=list)


def is_text(x):
    """Whether x is a list, a series or an array of texts."""
    return not hasattr(x, "columns") and _first_is(x, str) and np.ndim(_peek(x)) == 0


def is_codes(x):
    """Whether x is a list of lists of codes."""
    first = _peek(x)
    return isinstance(first, (list, tuple, set, frozenset)) and all(isinstance(c, str) for c in first) and _any_code(x)


def is_frame(x):
    """Whether x is a table of pandas or polars."""
    return hasattr(x, "columns") and (hasattr(x, "iloc") or hasattr(x, "to_dicts"))


def _any_code(x):
    return any(isinstance(c, str) for row in x for c in row)


def _peek(x):
    if isinstance(x, (str, bytes)) or sp.issparse(x) or hasattr(x, "columns"):
        return None
    if isinstance(x, np.ndarray) and (x.ndim != 1 or x.dtype.kind not in "OUST"):
        return None
    try:
        return next(iter(x), None)
    except TypeError:
        return None


def _first_is(x, kind):
    return isinstance(_peek(x), kind)


def texts(x):
    """Documents, one a record."""
    lines = list(x)
    for i, s in enumerate(lines):
        if not isinstance(s, str):
            raise ValueError(f"document {i} is {type(s).__name__}, not str: give texts, or a matrix of counts")
    return Feed(["--format", "jsonl", "--id", "id", "--text", "text"], _json_lines(lines, "text"), len(lines), "texts")


def codes(x):
    """Lists of codes, one a record."""
    rows = [[str(c) for c in row] for row in x]
    return Feed(["--format", "jsonl", "--id", "id", "--code", "codes"], _json_lines(rows, "codes"), len(rows), "codes")


def _json_lines(rows, name):
    def write(pipe):
        for i, row in enumerate(rows):
            pipe.write((json.dumps({"id": str(i), name: row}, ensure_ascii=False) + "\n").encode())

    return write


def sequences(rows):
    """Sequences of symbols or of sets of symbols, one list a record."""

    def write(pipe):
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow(["id", "step", "symbol"])
        for i, row in enumerate(rows):
            for step, symbol in enumerate(row):
                if isinstance(symbol, (set, frozenset, list, tuple)):  # all that the step holds
                    out.writerows([i, step, s] for s in (sorted(symbol, key=str) or [""]))
                else:
                    out.writerow([i, step, symbol])
            if text.tell() > 1 << 16:
                pipe.write(text.getvalue().encode())
                text.seek(0)
                text.truncate()
        pipe.write(text.getvalue().encode())

    lengths = [len(row) for row in rows]
    return Feed(["--format", "sequences", "--id", "id", "--time", "step"], write, len(rows), "sequences", lengths)


def dense(x, kind=None):
    """An array of numbers, one row a record."""
    n = x.shape[0]
    if kind is not None:
        options = ["--format", kind, "--id", "id", "--columns", "x*", "--header", "yes", "--separator", ","]
        return Feed(options, _lines(x), n, "dense")
    parts, options = {"X": np.ascontiguousarray(x)}, ["--format", "npz", "--columns", "x*"]
    if _may_be_numbers(x[:1000]):
        parts["ids"] = np.arange(n).astype("S")
        options += ["--id", "id"]
    return Feed(options, _archive(parts), n, "dense")


def _may_be_numbers(x):
    """Whether a column could be taken for the numbers of the records: then they get some of their own."""
    return x.dtype.kind != "f" or bool((np.floor(x) == x).all(axis=0).any())


def _lines(x):
    def write(pipe):
        names = ",".join(["id", *(f"x{j}" for j in range(x.shape[1]))])
        pipe.write((names + "\n").encode())
        for i, row in enumerate(x):
            cells = ("" if v != v else repr(v.item()) if v != int(v) else str(int(v)) for v in row)
            pipe.write((f"{i}," + ",".join(cells) + "\n").encode())

    return write


def compressed(x):
    """A sparse matrix of whole numbers, one row a record."""
    x = x.tocsr()
    parts = {
        "format": np.array(x.format.encode()),
        "shape": np.array(x.shape),
        "indptr": x.indptr,
        "indices": x.indices,
        "data": x.data,
    }
    return Feed(["--format", "npz"], _archive(parts), x.shape[0], "sparse")


def _archive(parts):
    def write(pipe):
        with zipfile.ZipFile(pipe, "w", zipfile.ZIP_STORED, allowZip64=True) as z:
            for name, a in parts.items():
                with z.open(name + ".npy", "w", force_zip64=True) as f:
                    np.lib.format.write_array(f, np.asanyarray(a), allow_pickle=False)

    return write


def table(x, kind=None):
    """A table with columns of any kinds; missing cells are empty."""
    names = [str(c) for c in x.columns]
    if len(set(names)) != len(names):
        raise ValueError("two columns of the table have the same name")
    id_name = "id"
    while id_name in names:
        id_name = "_" + id_name

    def write(pipe):
        text = io.TextIOWrapper(_Lasting(pipe), "utf-8", newline="", write_through=False)
        out = csv.writer(text, lineterminator="\n")
        out.writerow([id_name, *names])
        for i, row in enumerate(zip(*(_cells(x[c]) for c in x.columns))):
            out.writerow([i, *row])
        text.flush()
        text.detach()

    options = ["--format", kind or "auto", "--id", id_name, "--header", "yes", "--separator", ","]
    for name, c in zip(names, x.columns):
        options += ["--columns", _quoted(name)]
        if word := _declared(x[c]):
            options += ["--columns", _quoted(name + "=" + word)]
    return Feed(options, write, len(x), "table")


def _declared(column):
    """What a column holds by its type, whatever its values look like; None where the type is of numbers or times."""
    kind = str(column.dtype).lower()
    if kind in ("bool", "boolean"):
        return "presence"
    if kind.startswith(("category", "categorical", "enum", "str", "utf8", "large_string")):
        return "answers"
    if kind == "object":
        there = [v for v in column.to_numpy().tolist() if _cell(v)]
        if there and all(isinstance(v, str) for v in there):
            return "answers"
        if there and all(isinstance(v, (bool, np.bool_)) for v in there):
            return "presence"
    return None


class _Lasting(io.RawIOBase):
    """A pipe that a text writer does not close."""

    def __init__(self, pipe):
        super().__init__()
        self._pipe = pipe

    def writable(self):
        return True

    def write(self, data):
        self._pipe.write(bytes(data))
        return len(data)


def _quoted(name):
    """A name in a list of names: commas part them, stars are patterns."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


def _cells(column):
    """The cells of a column as text."""
    values = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if values.dtype.kind == "b":
        values = values.astype(np.int8)
    if values.dtype.kind in "iu":
        return (str(v) for v in values.tolist())
    if values.dtype.kind == "f":
        if np.isinf(values).any():
            raise ValueError(f"column {column.name!r} contains infinity")
        return ("" if v != v else str(int(v)) if v == int(v) and abs(v) < 1e15 else repr(v) for v in values.tolist())
    if values.dtype.kind == "M":
        return ("" if np.isnat(v) else str(v) for v in values)
    return (_cell(v) for v in values.tolist())


def _cell(v):
    if v is None or v is True or v is False:
        return "" if v is None else str(int(v))
    if isinstance(v, float) and v != v:
        return ""
    s = str(v)
    return "" if s in ("<NA>", "NaT") else s


def whole(x):
    """Whether all entries of a matrix are whole numbers of 0 or more."""
    data = x.data if sp.issparse(x) else x
    if data.dtype.kind in "bu":
        return True
    if data.size == 0:
        return True
    return bool(np.isfinite(data).all() and data.min() >= 0 and (data.dtype.kind == "i" or (data == np.floor(data)).all()))


def binary(x):
    """Whether all entries are 0 or 1."""
    return x.dtype.kind == "b" or (whole(x) and (x.size == 0 or x.max() <= 1))
