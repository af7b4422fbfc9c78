package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// A stranger is a file as some program exports it.
type stranger struct {
	name, text string
	records    int
	kind       record.Kind
	not        string // what must not be a feature: parts of names, separated by blanks
	says       string // a note, or the words of a refusal
}

// of writes n lines.
func of(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

func pick3(i int, words ...string) string { return words[(i*i+i/3)%len(words)] }

func strangers() []stranger {
	icd := []string{"I10", "E11.9", "J44.1", "N18.3", "I50.9", "F32.9", "K21.0", "M54.5"}
	code := func(i int) string { return icd[(i*5+i/7)%len(icd)] }
	wide := func(n int, sep string, cell func(j int) string) string {
		list := make([]string, n)
		for j := range list {
			list[j] = cell(j)
		}
		return strings.Join(list, sep)
	}
	count := func(i, j int) string { return []string{"0", "0", "0", "1", "2", "5"}[(i*7+j*11+i*j)%6] }
	return []stranger{
		{
			"de.csv", "Krankenhaus Mitte;;;\nAuszug vom 03.02.2024;;;\nFallnummer;Geschlecht;Hauptdiagnose;Nebendiagnosen\n" +
				of(80, func(i int) string {
					return fmt.Sprintf("F%05d;%s;%s;%s, %s", i, pick3(i, "m", "w"), code(i), code(i+1), code(i+3))
				}) + "Summe;80;;\n",
			80, record.Presence, "F0 m w", "left out: 1 line of totals",
		},
		{
			"es.csv", "NHC;Fecha ingreso;Código CIE10;Descripción\n" + of(300, func(i int) string { return fmt.Sprintf("%d;%d/12/2022;%s;d %s", i%60, 13+i%9, code(i), code(i)) }),
			60, record.Presence, "2022 d", "looks like a long table",
		},
		{
			"redcap.csv", "record_id,redcap_event_name,age,symptoms___1,symptoms___2,baseline_complete\n" +
				of(60, func(i int) string { return fmt.Sprintf("%d,baseline_arm_1,%d,%d,%d,2", i+1, 20+i*7%50, i%2, i/2%2) }),
			60, record.Mixed, "record_id", "",
		},
		{"qualtrics.csv", "StartDate,Status,ResponseId,Q1,Q2,Q3\n\"Start Date\",\"Response Type\",\"Response ID\",\"How satisfied are you?\",\"Would you come again?\",\"How often?\"\n" +
			"\"{\"\"ImportId\"\":\"\"startDate\"\"}\",\"{\"\"ImportId\"\":\"\"status\"\"}\",\"{\"\"ImportId\"\":\"\"_recordId\"\"}\",\"{\"\"ImportId\"\":\"\"QID1\"\"}\",\"{\"\"ImportId\"\":\"\"QID2\"\"}\",\"{\"\"ImportId\"\":\"\"QID3\"\"}\"\n" +
			of(60, func(i int) string {
				return fmt.Sprintf("2023-01-%02d 10:00:00,IP Address,R_%06d,%s,%s,%s", 1+i%28, i*7, pick3(i, "Very", "Somewhat", "Not"), pick3(i, "Yes", "No", "No"), pick3(i+1, "Daily", "Weekly", "Never"))
			}), 60, -1, "R_ 2023 Import", "2 lines were left out below the header"},
		{"surveymonkey.csv", "Respondent ID,Start Date,How did you hear of us?,,What is your age?\n,,Friend,Web,Response\n" +
			of(60, func(i int) string {
				return fmt.Sprintf("11%06d,01/%02d/2023,%s,%s,%s", i, 13+i%9, pick3(i, "Friend", ""), pick3(i+1, "Web", ""), pick3(i, "18-24", "25-34", "35+"))
			}), 60, -1, "Respondent 2023 Response", "1 line was left out below the header"},
		{
			"units.csv", "id,weight,height\n,kg,cm\n" + of(60, func(i int) string { return fmt.Sprintf("%d,%d.5,%d", i, 50+i*7%40, 150+i*3%40) }),
			60, record.Real, "id", "1 line was left out below the header",
		},
		{"r.csv", "\"\",\"mpg\",\"disp\"\n" + of(60, func(i int) string { return fmt.Sprintf("\"car %d\",%d.5,%d.25", i, 10+i*7%30, 100+i*13%90) }), 60, record.Real, "car", ""},
		{"spss.csv", "ID,Q1,Q2,Q3\n" + of(60, func(i int) string {
			return fmt.Sprintf("%d,%s,%s,%s", i, pick3(i, "Agree", "Neutral", "Disagree"), pick3(i+1, "Agree", "#NULL!", "Disagree"), pick3(i+2, "Agree", "Neutral"))
		}), 60, record.Categorical, "NULL", ""},
		{"plink.raw", plinkRaw + wide(12, " ", func(j int) string { return fmt.Sprintf("rs%d_A", j) }) + "\n" +
			of(60, func(i int) string {
				return fmt.Sprintf("F%d I%d 0 0 %d -9 ", i, i, 1+i%2) + wide(12, " ", func(j int) string { return []string{"0", "1", "2", "NA"}[(i*7919+j*104729+i*i*31)/13%4] })
			}), 60, record.Counts, "SEX PHENO FID PAT", "a table of allele counts of PLINK"},
		{"plink.ped", of(60, func(i int) string {
			return fmt.Sprintf("F%d I%d 0 0 1 -9 ", i, i) + wide(24, " ", func(j int) string { return string("AG"[(i+j*i)%2]) })
		}), 0, 0, "", "pedigree file of PLINK"},
		{"plink.lgen", "FID\tIID\tSNP\tA1\tA2\n" + of(60, func(i int) string { return fmt.Sprintf("f%d\ti%d\trs%d\tA\tG", i/6, i/6, i%6) }), 0, 0, "", "plink --lfile"},
		{"x.fasta", of(40, func(i int) string { return fmt.Sprintf(">seq%d\n%s", i, strings.Repeat("ACGT", 9)) }), 0, 0, "", "it is a FASTA file"},
		{
			"otu.tsv", "# Constructed from biom file\n#OTU ID\t" + wide(20, "\t", func(j int) string { return fmt.Sprintf("S%d", j) }) + "\ttaxonomy\n" +
				of(90, func(i int) string {
					return fmt.Sprintf("OTU%d\t", i) + wide(20, "\t", func(j int) string { return count(i, j) + ".0" }) + "\tk__Bacteria; p__P"
				}),
			20, record.Counts, "taxonomy Bacteria S1", "lies on its side: its rows are counted features",
		},
		{
			"codes.csv", "code," + wide(30, ",", func(j int) string { return fmt.Sprintf("pt%d", j) }) + "\n" +
				of(12, func(i int) string {
					return []string{"I50.9", "N18.9", "I10", "E11.9", "J44.9", "J18.9", "F32.9", "F41.1", "G47.00", "R06.02", "Z79.4", "T43.011A"}[i] + "," +
						wide(30, ",", func(j int) string { return fmt.Sprint((i*j + i + j/3) % 3 % 2) })
				}),
			30, record.Presence, "pt", "lies on its side: its rows are codes",
		},
		{
			"genes.csv", "gene," + wide(30, ",", func(j int) string { return fmt.Sprintf("cell_%d", j) }) + "\n" +
				of(120, func(i int) string {
					return fmt.Sprintf("G%d,", i) + wide(30, ",", func(j int) string { return count(i, j) })
				}),
			30, record.Counts, "cell_", "lies on its side: its rows are counted features",
		},
		{
			"cells.tsv", wide(30, "\t", func(j int) string { return fmt.Sprintf("AAACCTGA%s-1", strings.Repeat("ACGT", 1+j)) }) + "\n" +
				of(120, func(i int) string {
					return fmt.Sprintf("ENSG%08d\t", i) + wide(30, "\t", func(j int) string { return count(i, j) })
				}),
			30, record.Counts, "AAACC", "lies on its side: its rows are counted features",
		},
		{
			"results.csv", "gene," + wide(12, ",", func(j int) string { return fmt.Sprintf("stat%d", j) }) + "\n" + // genes are the records: no counts
				of(60, func(i int) string {
					return fmt.Sprintf("G%d,", i) + wide(12, ",", func(j int) string { return fmt.Sprintf("%d.25", (i*7+j)%19-9) })
				}),
			60, record.Real, "G1", "with the columns as records: --transpose",
		},
		{
			"logs.csv", "gene," + wide(30, ",", func(j int) string { return fmt.Sprintf("cell_%d", j) }) + "\n" +
				of(120, func(i int) string {
					return fmt.Sprintf("G%d,", i) + wide(30, ",", func(j int) string { return fmt.Sprintf("%.3f", float64(i*37%11)+float64((i*7+j*5)%13)/4) })
				}),
			30, record.Real, "cell_", "lies on its side: its rows are measured features",
		},
		{
			"tests.csv", "gene,mean,fold,se,stat,p,adjusted,length,gc,start,exons,end\n" + // columns of all kinds
				of(60, func(i int) string {
					return fmt.Sprintf("G%d,%d.5,%.2f,0.%d,%.2f,0.0%d,0.%d,%d,0.4%d,%d.5,%d.5,%d.25", i, i*977%5000, float64(i%7)/3, i%9+1, float64(i%5), i%90, i%10, 900+i*131%7000, i%10, i*99991%800000, 1+i%9, i*99989%900000)
				}),
			60, record.Real, "G1", "",
		},
		{
			"two.str", "\t\t" + wide(12, "\t", func(j int) string { return fmt.Sprintf("L%d", j) }) + "\n" + of(120, func(i int) string {
				return fmt.Sprintf("ind%d\t%d\t", i/2, i/2%2) + wide(12, "\t", func(j int) string { return []string{"110", "112", "-9"}[(i*i+j*j*i+i/3)%7%3] })
			}),
			60, record.Counts, "ind pop", "looks like genotypes as STRUCTURE reads them: 12 loci",
		},
		{
			"one.txt", wide(12, " ", func(j int) string { return fmt.Sprintf("L%d", j) }) + "\n" + of(60, func(i int) string {
				return fmt.Sprintf("ind%d 1 ", i) + wide(24, " ", func(j int) string { return fmt.Sprint(1 + (i*i+j*j*i+i/3)%7%2) })
			}),
			60, record.Counts, "ind pop", "looks like genotypes as STRUCTURE reads them: 12 loci",
		},
		{
			"nameless.str", of(60, func(i int) string {
				return fmt.Sprintf("ind%d %d ", i/2, i/2%3) + wide(12, " ", func(j int) string { return fmt.Sprint(200 + (i*i+j*j*i+i/3)%7%4) })
			}),
			30, record.Counts, "ind pop", "looks like genotypes as STRUCTURE reads them: 12 loci",
		},
		{
			"odd.str", wide(12, " ", func(j int) string { return fmt.Sprintf("L%d", j) }) + "\n" + of(61, func(i int) string {
				return fmt.Sprintf("ind%d %d ", i/2, i/2%3) + wide(12, " ", func(j int) string { return fmt.Sprint(200 + (i*i+j*j*i+i/3)%7%4) })
			}),
			0, 0, "", "individual \"ind30\" has one row where two are wanted",
		},
		{
			"slashes.csv", "id,age," + wide(8, ",", func(j int) string { return fmt.Sprintf("rs%d", j) }) + "\n" + of(60, func(i int) string {
				return fmt.Sprintf("p%d,%d,", i, 20+i*7%50) + wide(8, ",", func(j int) string { return pick3(i*3+j*j, "A/A", "A/G", "G/G", "N/N") })
			}),
			60, record.Counts, "p age", "looks like genotypes in letters: 8 loci, and copies of every allele but the most common one of each are counted",
		},
		{
			"pairs.tsv", "id\t" + wide(8, "\t", func(j int) string { return fmt.Sprintf("rs%d", j) }) + "\n" + of(60, func(i int) string {
				return fmt.Sprintf("p%d\t", i) + wide(8, "\t", func(j int) string { return pick3(i*3+j*j, "CC", "CT", "TT") })
			}),
			60, record.Counts, "p", "as answers: --format categorical",
		},
		{"states.csv", "id,born,lives,works\n" + of(60, func(i int) string { // no genotypes: no letter twice
			return fmt.Sprintf("p%d,%s,%s,%s", i, pick3(i, "CA", "GA", "CT"), pick3(i+1, "CA", "GA", "CT"), pick3(i+2, "CA", "GA"))
		}), 60, record.Categorical, "p", ""},
		{"ones.csv", "id,dm,copd,af\n" + of(60, func(i int) string {
			return fmt.Sprintf("p%d,%s,%s,%s", i, pick3(i, "1", "NA"), pick3(i+1, "NA", "1"), pick3(i+2, "1", "NA", "NA"))
		}), 60, record.Presence, "p", "hold a mark or nothing, which are read as yes and no"},
		{"ends.csv", "a,b\r\n" + of(60, func(i int) string { return fmt.Sprintf("%d.5,%d.25", i*7%50, i%7) + pick3(i, "", "\r") }), 60, record.Real, "", ""},
		{
			"long.csv", "id,variable,value\n" + of(180, func(i int) string {
				return fmt.Sprintf("p%d,%s,%d.5", i/3, []string{"age", "bmi", "crea"}[i%3], i*7%90)
			}),
			60, record.Real, "variable value p1", "is a long table of measurements",
		},
		{
			"pipe.txt", of(80, func(i int) string {
				return fmt.Sprintf("%08d|%s|%d|%s|%s", i, pick3(i, "M", "F"), 20+i*7%60, code(i), code(i+2))
			}),
			80, record.Presence, "0000 M F", "hold codes",
		},
		{
			"fixed.txt", fmt.Sprintf("%-10s%-6s%-8s\n", "name", "age", "weight") + of(60, func(i int) string {
				return fmt.Sprintf("%-10s%-6d%-8.1f", fmt.Sprint("n", i), 20+i*7%60, 50+float64(i*13%400)/10)
			}),
			60, record.Real, "n1 name", "",
		},
		{"icd.csv", "pat,dx\n" + of(300, func(i int) string { return fmt.Sprintf("%d,%s", i%60, strings.ReplaceAll(code(i), ".", "")) }), 60, record.Presence, "", "looks like a long table"},
		{"notes.csv", "id,a,b\n" + of(60, func(i int) string { return fmt.Sprintf("%d,%d,%d", i, i*7%9, i*5%9) }) + "\nSource: registry 2023\nNote: preliminary\n", 60, record.Counts, "id", "left out: 2 lines of text without columns"},
		{"multi.csv", "id,\"Which? (select all)\"\n" + of(60, func(i int) string {
			return fmt.Sprintf("%d,\"%s, %s\"", i, pick3(i, "Email", "Phone"), pick3(i, "Chat", "Post", "Fax"))
		}), 60, record.Presence, "id", "several names a cell"},
		{"likert.csv", "Timestamp,1. I like it,2. I use it\n" + of(70, func(i int) string {
			return fmt.Sprintf("2023/05/%02d 9:12:%02d AM GMT+2,%d,%d", 1+i%28, i%60, 1+i*3%7, 1+i*5%7)
		}), 70, record.Categorical, "Timestamp 2023", "answers 1 to 7"},
	}
}

// No record is lost, no id and nothing beside the data becomes a feature, the kind is
// right; what is no table is named with the remedy.
func TestStrangers(t *testing.T) {
	for i, s := range append(strangers(), exports()...) {
		if i%numtest.Scale(2, 1, 1) != 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			got, err := open(t, Options{}, source.Bytes(s.name, []byte(s.text)))
			if s.records == 0 {
				if !source.Unreadable(err) || !strings.Contains(err.Error(), s.says) {
					t.Errorf("%v, want %q", err, s.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(got.rows) != s.records || got.lost != 0 {
				t.Errorf("%d records, %d lost, want %d: %s", len(got.rows), got.lost, s.records, got.notes)
			}
			if s.kind >= 0 && got.schema.Kind != s.kind {
				t.Errorf("kind %v, want %v: %s", got.schema.Kind, s.kind, got.notes)
			}
			if !strings.Contains(got.notes, s.says) {
				t.Errorf("said %q, want %q", got.notes, s.says)
			}
			for f := range got.schema.Dict.Len() {
				for _, no := range strings.Fields(s.not) {
					if name := got.schema.Dict.Name(uint32(f)); name == no || len(no) > 1 && strings.HasPrefix(name, no) {
						t.Errorf("%q became a feature", name)
					}
				}
			}
		})
	}
}
