"""Opens what moiety writes with the programs that it is written for.

    python scripts/consumers.py MOIETY DATA

MOIETY is the program, DATA the folder of the shared data (kos, classics, mvad,
lca). Prints one line a check: right, WRONG, or skipped with the reason; the exit
code is 1 where something is wrong. scripts/consumers.sh makes the environment.
"""

import csv, glob, json, math, os, shutil, subprocess, sys, tempfile, warnings
import xml.etree.ElementTree as ET

warnings.filterwarnings("ignore")
MOIETY, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
wrong = 0


def moiety(*args, ok=True):
    p = subprocess.run([MOIETY, *args, "--progress", "none"], capture_output=True, text=True)
    if ok and p.returncode:
        raise RuntimeError(" ".join(args) + ": " + p.stderr)
    return p.stdout


def check(form, consumer):
    """Runs one check: an AssertionError is wrong, an ImportError is skipped."""

    def decorate(f):
        global wrong
        try:
            print(f"right    {form:24} {consumer:22} {f() or ''}")
        except (ImportError, FileNotFoundError) as e:
            print(f"skipped  {form:24} {consumer:22} {e}")
        except Exception as e:
            wrong += 1
            print(f"WRONG    {form:24} {consumer:22} {type(e).__name__}: {e}")
        return f

    return decorate


def need(program):
    if not shutil.which(program):
        raise FileNotFoundError(program + " is not installed")
    return program


def rows(path):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.reader(f))


def near(a, b, tolerance, what):
    assert abs(a - b) <= tolerance, f"{what}: {a} against {b}"


work = tempfile.mkdtemp()
at = lambda *names: os.path.join(work, *names)
kos, iris = os.path.join(DATA, "kos", "docword.kos.txt.gz"), os.path.join(DATA, "classics", "iris.csv")
moiety("fit", kos, "--model", "lda", "-k", "10", "-o", at("kos"))
moiety("fit", iris, "-k", "3", "-o", at("iris"))
moiety("fit", os.path.join(DATA, "mvad", "mvad.csv.gz"), "-k", "5", "-o", at("mvad"))
moiety("fit", os.path.join(DATA, "lca", "carcinoma.csv"), "-k", "3", "-o", at("lca"))
moiety("demo", "-o", at("demo"))
RUNS = ["kos", "iris", "mvad", "lca", "demo"]
for run in RUNS:
    moiety("export", at(run), "--to", "csv", "-o", at(run + "-csv"))
    moiety("export", at(run), "--to", "npz", "--probabilities", "all", "-o", at(run + ".npz"))
    moiety("export", at(run), "--to", "json", "-o", at(run + ".json"))


@check("npz", "numpy")
def _():
    import numpy as np

    for run in RUNS:
        z = np.load(at(run + ".npz"), allow_pickle=False)
        theta, groups = z["theta"], z["groups"]
        assert np.abs(theta.sum(1) - 1).max() < 1e-6, run + ": theta does not sum to 1"
        center = z["phi"] if "phi" in z else z["centers"]
        table = rows(at(run + "-csv", "centers.csv"))
        names = list(z["vocabulary"])
        for row in table[1:]:
            for j, cell in enumerate(row[1:]):
                x = center[j, names.index(row[0])]
                assert cell == "" and math.isnan(x) or abs(float(cell) - x) < 1e-9, f"{run} {row[0]} {j}: {cell} and {x}"
        if run == "mvad":
            assert z["lengths"].sum() == len(theta) and len(z["ids"]) == len(z["lengths"]) and z["transitions"].shape == (5, 5)
            continue
        for i, (id, group, p) in enumerate(rows(at(run + "-csv", "assignments.csv"))[1:]):
            assert z["ids"][i] == id and groups[z["labels"][i]] == group, f"{run} row {i}"
            if run not in ("demo",):  # trees go down by their splits
                near(theta[i].max(), float(p), 1e-5, f"{run} row {i}")  # placing is in single precision
    return f"{len(RUNS)} runs: centers, theta, labels, ids, lengths"


@check("csv", "pandas")
def _():
    import pandas as pd

    for run in RUNS:
        for path in glob.glob(at(run + "-csv", "*.csv")):
            d = pd.read_csv(path, dtype=str, keep_default_na=False)
            assert len(d) == len(rows(path)) - 1, path
    return "every table of every run"


@check("csv", "R")
def _():
    need("Rscript")
    path = at("kos-csv", "assignments.csv")
    code = f"d <- read.csv('{path}', colClasses='character'); cat(nrow(d), names(d))"
    out = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=True).stdout
    assert out == f"{len(rows(path)) - 1} id group probability", out
    return out


@check("csv", "DuckDB")
def _():
    import duckdb

    for run in RUNS:
        path = at(run + "-csv", "centers.csv")
        (n,) = duckdb.sql(f"select count(*) from read_csv('{path}', header=true, all_varchar=true)").fetchall()[0]
        assert n == len(rows(path)) - 1, f"{path}: {n}"
    return "header=true, as docs/tables.md says"


@check("json", "strict parser, schema")
def _():
    import jsonschema

    def refuse(x):
        raise AssertionError(x)

    schema = json.load(open(os.path.join(HERE, "docs", "report.schema.json")))
    for run in RUNS:
        d = json.load(open(at(run + ".json")), parse_constant=refuse)
        jsonschema.validate(d, schema)
    return f"{len(RUNS)} reports"


@check("ldavis .json", "pyLDAvis.prepare")
def _():
    import numpy as np, pyLDAvis, scipy.sparse

    moiety("export", at("kos"), "--to", "ldavis", "-o", at("kos.ldavis.json"))
    moiety("convert", kos, "--to", "mtx", "--vocab", "all", "--stopwords", "none", "-o", at("kos.mtx"))
    d, z = json.load(open(at("kos.ldavis.json"))), np.load(at("kos.npz"))
    import scipy.io

    x = scipy.io.mmread(at("kos.mtx")).tocsc()
    names = [l.rstrip("\n") for l in open(at("kos.mtx.columns"), encoding="utf-8")]
    place = {n: i for i, n in enumerate(names)}
    x = x[:, [place[v] for v in z["vocabulary"]]]
    lengths, counts = np.asarray(x.sum(1)).ravel(), np.asarray(x.sum(0)).ravel()
    keep = lengths > 0
    p = pyLDAvis.prepare(z["phi"], z["theta"][keep], lengths[keep], z["vocabulary"], counts, n_jobs=1, sort_topics=False)
    theirs = p.topic_coordinates.set_index("topics")["Freq"]
    ours = dict(zip(d["mdsDat"]["topics"], d["mdsDat"]["Freq"]))
    worst = max(abs(theirs[t] - f) for t, f in ours.items())
    assert worst < 0.1, f"shares differ by {worst}"
    total = {}
    for term, f in zip(d["token.table"]["Term"], d["token.table"]["Freq"]):
        total[term] = total.get(term, 0) + f
    assert max(total.values()) < 1.05, "shares of a term add up to more than 1"
    for category, f, t in zip(d["tinfo"]["Category"], d["tinfo"]["Freq"], d["tinfo"]["Total"]):
        assert category == "Default" or f <= t * 1.0001, "a term more often in a topic than in all"
    return f"shares of topics to {worst:.3f} of a percent"


@check("octis .npz", "OCTIS")
def _():
    import numpy as np

    moiety("export", at("kos"), "--to", "octis", "--probabilities", "all", "-o", at("octis.npz"))
    out = dict(np.load(at("octis.npz"), allow_pickle=True))
    assert out["topic-word-matrix"].shape[0] == 10 and out["topic-document-matrix"].shape == (10, 3430)
    words = json.load(open(at("octis.vocabulary.json")))
    top = [[words[str(i)] for i in np.argsort(-t, kind="stable")[:5]] for t in out["topic-word-matrix"]]
    assert [list(t[:5]) for t in out["topics"]] == top, "topics are not the likeliest words"
    from octis.models.model import load_model_output
    from octis.evaluation_metrics.diversity_metrics import TopicDiversity, KLDivergence  # noqa: F401

    loaded = load_model_output(at("octis.npz"), at("octis.vocabulary.json"), 10)
    assert [w for w, _ in loaded["topics"][0][:5]] == top[0]
    score = TopicDiversity(topk=10).score({"topics": [[w for w, _ in t] for t in loaded["topics"]]})
    return f"load_model_output; diversity {score:.3f}"


@check("eval coherence", "gensim")
def _():
    import numpy as np, scipy.io
    from gensim.corpora import Dictionary
    from gensim.models import CoherenceModel

    report = json.loads(moiety("eval", at("kos"), kos, "--json"))
    x = scipy.io.mmread(at("kos.mtx")).tocsr()
    names = [l.rstrip("\n") for l in open(at("kos.mtx.columns"), encoding="utf-8")]
    texts = [[names[j] for j in x.indices[x.indptr[i] : x.indptr[i + 1]]] for i in range(x.shape[0])]
    z = np.load(at("kos.npz"))
    topics = [[str(z["vocabulary"][w]) for w in np.argsort(-t, kind="stable")[:20]] for t in z["phi"]]
    window = max(map(len, texts)) + 1
    out = []
    for name, measure, tolerance in (("npmi", "c_npmi", 1e-6), ("c_v", "c_v", 1e-6)):
        m = CoherenceModel(topics=topics, texts=texts, dictionary=Dictionary(texts), coherence=measure, topn=20, window_size=window, processes=1)
        near(report["coherence"][name], m.get_coherence(), tolerance, measure)
        out.append(f"{measure} {m.get_coherence():.6f}")
    return ", ".join(out)


@check("omop-cohort", "DuckDB, NOT NULL")
def _():
    import duckdb

    text = "person_id,start,code\n" + "".join(f"{i % 90 + 1},{3 + i % 20:02}/12/2009,{(['4280', '25000', '4019'] if i % 90 < 45 else ['5859', '78079', '41401'])[(i * 7 + i // 90) % 3]}\n" for i in range(360))
    open(at("omop.csv"), "w").write(text)
    moiety("fit", at("omop.csv"), "--id", "person_id", "--code", "code", "--format", "long", "--label", "start", "-k", "2", "-o", at("omop"))
    moiety("export", at("omop"), "--to", "omop-cohort", "--date", "start", "-o", at("cohort.csv"))
    c = duckdb.connect()
    c.sql("create table cohort(cohort_definition_id integer not null, subject_id bigint not null, cohort_start_date date not null, cohort_end_date date not null)")
    c.sql(f"copy cohort from '{at('cohort.csv')}' (header true)")
    n, months = c.sql("select count(*), sum(case when month(cohort_start_date) = 12 then 1 else 0 end) from cohort").fetchall()[0]
    assert n == 90 and months == 90, f"{n} rows, {months} of December"
    return f"{n} rows, dates by the rule of the reader"


@check("omop-cohort", "PostgreSQL")
def _():
    if not os.environ.get("PGHOST"):
        raise FileNotFoundError("no server: set PGHOST")
    need("psql")
    sql = f"create temp table c(a integer not null, s bigint not null, b date not null, e date not null); \n\\copy c from '{at('cohort.csv')}' csv header\nselect count(*) from c where extract(month from b) = 12"
    out = subprocess.run(["psql", "-qtA"], input=sql, capture_output=True, text=True, check=True).stdout.strip()
    assert out.endswith("90"), out
    return "90 rows of December"


@check("convert", "pandas, pyarrow, scipy")
def _():
    import numpy as np, pandas as pd, scipy.io, sklearn.datasets

    moiety("convert", iris, "--to", "parquet", "-o", at("iris.parquet"))
    moiety("convert", iris, "--to", "csv", "-o", at("iris-back.csv"))
    p, c, raw = pd.read_parquet(at("iris.parquet")), pd.read_csv(at("iris-back.csv")), pd.read_csv(iris)
    names = [n for n in raw.columns if n in c.columns and pd.api.types.is_numeric_dtype(raw[n])]
    assert len(names) >= 4 and [n for n in p.columns if n in names] == names, "columns in another order"
    for n in names:
        assert np.allclose(raw[n], c[n]) and np.allclose(raw[n], p[n].astype(float)), n
    x = scipy.io.mmread(at("kos.mtx"))
    assert x.shape == (3430, 6906) and x.nnz == 353160, (x.shape, x.nnz)
    moiety("convert", kos, "--to", "svmlight", "--vocab", "all", "--stopwords", "none", "-o", at("kos.svm"))
    y, _ = sklearn.datasets.load_svmlight_file(at("kos.svm"))
    assert y.nnz == 353160 and abs(y.sum() - x.sum()) < 1e-6
    for back in ("kos.mtx", "kos.svm"):
        d = json.loads(moiety("inspect", at(back), "--vocab", "all", "--stopwords", "none", "--json"))
        assert d["records"] == 3430 and d["features"] == 6906, (back, d["records"], d["features"])
    return "csv, parquet, mtx, svmlight, and back"


@check("sample", "scikit-learn")
def _():
    import numpy as np, pandas as pd
    from sklearn.mixture import GaussianMixture

    moiety("sample", at("iris"), "-n", "6000", "-o", at("sample.csv"))
    d = pd.read_csv(at("sample.csv"))
    z = np.load(at("iris.npz"))
    x = d[list(z["vocabulary"])].to_numpy(float)
    g = GaussianMixture(3, n_init=3, random_state=0).fit(x)
    gap = max(min(np.abs(m - c).max() for m in g.means_) for c in z["centers"])
    assert gap < 0.35, f"a mean is off by {gap}"
    return f"means come back to {gap:.3f}"


@check("svg", "XML parser")
def _():
    n = 0
    for run in RUNS:
        moiety("export", at(run), "--to", "svg", "-o", at(run + "-svg"))
        for path in glob.glob(at(run + "-svg", "*.svg")):
            ET.parse(path)
            n += 1
    return f"{n} pictures"


@check("html report", "no request")
def _():
    import re

    for run in RUNS:
        moiety("report", at(run), "-o", at(run + ".html"))
        page = open(at(run + ".html"), encoding="utf-8").read()
        found = re.findall(r'(?:src|href)="https?:[^"]*"|url\(https?:', page)
        assert not [f for f in found if "src=" in f or "url(" in f], found[:3]
    return f"{len(RUNS)} pages"


@check("pdf report", "qpdf")
def _():
    need("qpdf")
    moiety("report", at("demo"), "-o", at("demo.pdf"))
    subprocess.run(["qpdf", "--check", at("demo.pdf")], check=True, capture_output=True)


@check("man", "mandoc")
def _():
    need("mandoc")
    page = moiety("man", "fit")
    out = subprocess.run(["mandoc", "-Tlint", "-W", "warning"], input=page, capture_output=True, text=True).stdout
    assert not out, out[:200]


@check("completion", "bash")
def _():
    need("bash")
    subprocess.run(["bash", "-n"], input=moiety("completion", "bash"), text=True, check=True)


@check("bytes", "twice")
def _():
    for to, name in (("npz", "twice.npz"), ("json", "twice.json"), ("octis", "twice.octis"), ("ldavis", "twice.html")):
        moiety("export", at("kos"), "--to", to, "-o", at(name))
        first = open(at(name), "rb").read()
        moiety("export", at("kos"), "--to", to, "-o", at(name), "--force")
        assert first == open(at(name), "rb").read(), to
    return "npz, json, octis, ldavis"


shutil.rmtree(work)
print("nothing is wrong" if not wrong else f"{wrong} wrong")
sys.exit(1 if wrong else 0)
