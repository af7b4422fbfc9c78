package main

import "strings"

// A set is one question put to the program: the words of "fit" before -o.
type set struct {
	name string
	args string // separated by spaces; data/ stands for the folder of the data
	// documents mix groups, so that their numbers move more than others
	documents bool
	verb      string // "" is fit
}

// sets are the demo and every data set by its natural command, some of them also
// with the rows on disk.
var sets = []set{
	{name: "demo", verb: "demo", args: "patients"},
	{name: "demo-texts", verb: "demo", args: "texts", documents: true},
	{name: "ap", args: "data/ap/docword.ap.txt.gz -k 10", documents: true},
	{name: "ap-disk", args: "data/ap/docword.ap.txt.gz -k 10 --max-memory 17MB", documents: true},
	{name: "kos", args: "data/kos/docword.kos.txt.gz -k 10", documents: true},
	{name: "kos-single", args: "data/kos/docword.kos.txt.gz -k 20 --model single-topic", documents: true},
	{name: "kos-tree", args: "data/kos/docword.kos.txt.gz --leaves 8", documents: true},
	{name: "nips", args: "data/nips/docword.nips.txt.gz -k 10 --vocab 3000", documents: true},
	{name: "poliblog", args: "data/poliblog5k/docword.poliblog5k.txt.gz -k 10", documents: true},
	{name: "divina", args: "data/divina-commedia/cantos -k 3 --stopwords it", documents: true},
	{name: "divina-three-words", args: "data/divina-commedia/cantos -k 3 --stopwords it --weights three-words", documents: true},
	{name: "sotu", args: "data/sotu/texts -k 5 --stopwords en", documents: true},
	{name: "iris", args: "data/classics/iris.csv -k 3 --label Species"},
	{name: "olive", args: "data/classics/olive.csv -k 5 --label Region,Area"},
	{name: "wine", args: "data/classics/wine27.csv -k 3 --label Type"},
	{name: "zoo", args: "data/classics/zoo.csv -k 7 --id animal --label type"},
	{name: "zoo-tree", args: "data/classics/zoo.csv --id animal --label type"},
	{name: "stays", args: "data/desynpuf/DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.csv.gz"},
	{name: "stays-flat", args: "data/desynpuf/DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.csv.gz -k 8"},
	{name: "beneficiaries", args: "data/desynpuf/DE1_0_2008_Beneficiary_Summary_File_Sample_1.csv.gz -k 4"},
	{name: "diabetes", args: "data/diabetes130/diabetic_data.csv.gz --code diag_*"},
	{name: "diabetes-flat", args: "data/diabetes130/diabetic_data.csv.gz --code diag_* -k 8"},
	{name: "diabetes-disk", args: "data/diabetes130/diabetic_data.csv.gz --code diag_* -k 8 --max-memory 17MB"},
	{name: "diabetes-disk-tree", args: "data/diabetes130/diabetic_data.csv.gz --code diag_* --max-memory 17MB"},
	{name: "fhir", args: "data/fhir-synthea-10/*.ndjson.gz -k 2"},
	{name: "genotypes", args: "data/hgdp/genotypes.txt.gz --format digits -k 7"},
	{name: "votes", args: "data/house-votes-84/house-votes-84.data --header no -k 2"},
	{name: "votes-tree", args: "data/house-votes-84/house-votes-84.data --header no"},
	{name: "lives", args: "data/mvad/mvad.csv.gz -k 5"},
	{name: "alzheimer", args: "data/lca/alzheimer.csv -k 3"},
	{name: "carcinoma", args: "data/lca/carcinoma.csv -k 3 --format categorical"},
	{name: "cheating", args: "data/lca/cheating.csv -k 2 --format categorical --label GPA"},
	{name: "dentistry", args: "data/lca/dentistry.csv -k 2"},
	{name: "election", args: "data/lca/election.csv -k 3 --format categorical --label VOTE3,AGE,EDUC,GENDER,PARTY"},
	{name: "gss82", args: "data/lca/gss82.csv -k 2"},
	{name: "hads", args: "data/lca/hads.csv -k 3 --format categorical"},
	{name: "hads-real", args: "data/lca/hads.csv -k 3 --format real"},
	{name: "hivtests", args: "data/lca/hivtests.csv -k 2"},
	{name: "naep", args: "data/lca/naep.csv -k 3"},
	{name: "pap", args: "data/lca/pap.csv -k 3"},
	{name: "pap-binary", args: "data/lca/pap.csv -k 3 --format binary"},
	{name: "values", args: "data/lca/values.csv -k 2 --format categorical"},
	{name: "hads-views", args: "data/lca/hads.csv -k 2 --format real --model multiview --views item[1-4]:item[5-9]:item1?"},
	{name: "kos-poisson", args: "data/kos/docword.kos.txt.gz -k 5 --vocab 300 --model poisson"},
	{name: "wine-exponential", args: "data/classics/wine27.csv -k 2 --label Type --model exponential"},
}

// words returns the words of the command line up to the folder it writes.
func (s set) words(data string) []string {
	verb := s.verb
	if verb == "" {
		verb = "fit"
	}
	out := []string{verb}
	for _, w := range strings.Fields(s.args) {
		if rest, ok := strings.CutPrefix(w, "data/"); ok {
			w = data + "/" + rest
		}
		out = append(out, w)
	}
	return out
}
