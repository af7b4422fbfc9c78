#!/bin/sh
# What is claimed of the real sets, in the words of the program: the quotations of
# docs/claims.md. Usage: scripts/claims.sh MOIETY DATA
program=$1 data=$2 run=$(mktemp -d)
claim() { # title, file, options
	title=$1 file=$2
	shift 2
	printf '\n## %s\n\n    moiety fit %s\n\n' "$title" "$file${*:+ $*}"
	"$program" fit "$data/$file" "$@" -o "$run/run" --force -q 2>&1 | awk '/^$/ { exit } { print "> " $0 }'
}
claim iris classics/iris.csv
claim wine27 classics/wine27.csv --label Type
claim olive classics/olive.csv --label Region,Area
claim zoo classics/zoo.csv --label type
claim votes house-votes-84/house-votes-84.data --label 1
claim hgdp hgdp/genotypes.txt.gz --format genotypes
claim ap ap/docword.ap.txt.gz
claim kos kos/docword.kos.txt.gz
claim poliblog5k poliblog5k/docword.poliblog5k.txt.gz
claim nips nips/docword.nips.txt.gz
claim sotu sotu/texts
claim diabetes130 diabetes130/diabetic_data.csv.gz
claim desynpuf desynpuf/DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.csv.gz
claim mvad mvad/mvad.csv.gz
rm -rf "$run"
