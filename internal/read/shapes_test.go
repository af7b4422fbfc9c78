package read

import (
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Shapes of files as hospitals, surveys, shops and instruments write them, each
// with what it holds. shape is made of a line for the i-th record; the truth is
// the number of records, their kind, and a record as the reader gives it.
type shape struct {
	name, file string
	above      string
	line       func(i int) string
	below      string

	format  string // "": not compared
	kind    record.Kind
	records int    // 0: 60
	row     string // of record `at`, as rowOf writes it; "": not compared
	at      int
	says    string // a note holds it
}

const shapeRows = 60

func shapes() []shape {
	two := func(i int) float64 { return 20 + float64(i%7)*1.5 }
	word := func(i int, words ...string) string { return words[i%len(words)] }
	answers := func(i int) string { return fmt.Sprintf("R_%d,%d,%d,%d", i*7919, i%5+1, (i+i/5)%5+1, (i*3)%5+1) }
	comma := func(s string) string { return strings.ReplaceAll(s, ".", ",") }
	// counted is a table of twelve rare and eight frequent things; the frequent ones are
	// never 0. Ages and pressures in their place are measurements.
	counted := func(from, to int) func(i int) string {
		return func(i int) string {
			var cells []string
			for j := range 20 {
				v := (i*(j+3) + i/7) % 23
				if j >= 12 {
					v = from + (i*(j+5)*31+i/3)%(to-from)
				}
				cells = append(cells, fmt.Sprint(v))
			}
			return strings.Join(cells, ",")
		}
	}
	events := func() string {
		var names []string
		for j := range 20 {
			names = append(names, fmt.Sprintf("event%d", j))
		}
		return strings.Join(names, ",") + "\n"
	}()
	return []shape{
		{name: "counts of rare and of frequent things", file: "a.csv", above: events, line: counted(2, 300), kind: record.Counts},
		{name: "counts beside ages and pressures", file: "a.csv", above: events, line: counted(60, 190), kind: record.Real},
		{
			name: "means and totals below, decimal comma", file: "a.csv", above: "\ufeffPaciente;Edad;Peso\r\n",
			line: func(i int) string {
				return fmt.Sprintf("%d;%d;%s\r", 1000+i, 20+i%50, comma(fmt.Sprint(60.5+float64(i%9))))
			},
			below: ";;\r\nTotal;2700;3870,5\r\nMedia;45,0;64,5\r\n",
			kind:  record.Real, row: "1000||Edad=20 Peso=60.5", says: "2 lines of totals",
		},
		{
			name: "a total below a list of codes", file: "a.csv", above: "MRN;Admitted;Age;ICD-10\n",
			line: func(i int) string {
				one := func(code string) string { return fmt.Sprintf("%d;%02d.03.2023;%d;%s", 500+i, i%28+1, 40+i, code) }
				return one(word(i, "I50.9", "N18.9", "J44.9")) + "\n" + one("I10")
			},
			below: "Total;;;2329\n", kind: record.Presence, says: "1 line of totals",
		},
		{
			name: "questions in words below the header", file: "a.csv", above: "ResponseId,Q1,Q2,Q3\nResponse ID,How was it?,\"Again, then?\",Why\n",
			line: answers, kind: record.Categorical, row: "R_0||Q1=1 Q2=1 Q3=1", says: "1 line was left out below the header",
		},
		{
			name: "two lines below the header", file: "a.csv",
			above: "ResponseId,Q1,Q2,Q3\nResponse ID,How was it?,\"Again, then?\",Why\n\"{\"\"ImportId\"\":\"\"r\"\"}\",\"{\"\"ImportId\"\":\"\"q1\"\"}\",\"{\"\"ImportId\"\":\"\"q2\"\"}\",\"{\"\"ImportId\"\":\"\"q3\"\"}\"\n",
			line:  answers, kind: record.Categorical, says: "2 lines were left out below the header",
		},
		{
			name: "answers in words, questions below the header", file: "a.csv", above: "id,q1,q2,q3\nnumber,Do you smoke?,Do you drink?,Do you walk?\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,%s,%s,%s", i, word(i, "never", "often"), word(i+i/3, "never", "often", "always"), word(i/2, "no", "daily"))
			},
			kind: record.Categorical, row: "0||q1=never q2=never q3=no",
		},
		{
			name: "units below the header", file: "a.csv", above: "time,temp,flow\n[s],[C],[l/min]\n",
			line: func(i int) string { return fmt.Sprintf("%.1f,%.2f,%.1f", float64(i)*.1, two(i), float64(i%5)) },
			kind: record.Real, row: "||time=0 temp=20 flow=0",
		},
		{
			name: "an early record of marks is a record", file: "a.csv", above: "a,b,c\nx,x,x\n",
			line: func(i int) string { return fmt.Sprintf("%.1f,%.2f,%.1f", float64(i)*.1, two(i), float64(i%5)+.5) },
			kind: record.Mixed, records: shapeRows + 1,
		},
		{
			name: "a table of markdown", file: "a.md", above: "| id | a | b |\n|----|---|---|\n",
			line: func(i int) string { return fmt.Sprintf("| %d | %.2f | %.1f |", i, two(i), float64(i%5)+.5) },
			kind: record.Real, row: "0||a=20 b=0.5",
		},
		{
			name: "a table of a database", file: "a.txt", above: " id  |   a   |  b\n-----+-------+-----\n",
			line: func(i int) string { return fmt.Sprintf(" %3d | %5.2f | %.1f", i, two(i), float64(i%5)+.5) }, below: "(60 rows)\n",
			kind: record.Real, row: "0||a=20 b=0.5",
		},
		{
			name: "the header on every page", file: "a.csv",
			line: func(i int) string {
				head := ""
				if i%20 == 0 {
					head = "id;a;b\n"
				}
				return head + comma(fmt.Sprintf("%d;%.2f;%.1f", i, two(i), float64(i%5)+.5))
			},
			kind: record.Real, row: "0||a=20 b=0.5", says: "2 lines that are the header again",
		},
		{
			name: "long tables joined with their headers", file: "a.csv",
			line: func(i int) string {
				head := ""
				if i%30 == 0 {
					head = "patient_id,code\n"
				}
				return fmt.Sprintf("%sp%d,428.0\np%d,%s", head, i, i, word(i, "250.00", "401.9", "585.9"))
			},
			format: "long", kind: record.Presence, row: "p0||428.0 250.00", says: "1 line that is the header again",
		},
		{
			name: "texts behind labels of fastText", file: "a.txt", format: "lines", kind: record.Text,
			line: func(i int) string {
				return "__label__" + word(i, "ham", "spam") + " __label__new call me now or never " + word(i, "again", "at all")
			},
			row: "|ham new|call me now or never again",
		},
		{
			name: "a first record that comes again is a record", file: "a.txt", format: "lines", kind: record.Text,
			line: func(i int) string {
				return word(i/9, "fever cough pain rest home", "home rest walk ward nurse", "nurse sleep doctor night fever", "doctor better today pain walk")
			},
		},
		{
			name: "a note in the first cell below", file: "a.csv", above: "Patient,Age,Weight\n",
			line: func(i int) string { return fmt.Sprintf("P%d,%d,%.1f", i, 20+i%50, two(i)) }, below: "Total,2700,\nprinted by hand,,\n",
			kind: record.Real, says: "1 line of text without columns",
		},
		{
			name: "empty names at the end of the header", file: "a.csv", above: "v1,v2,,,\n",
			line: func(i int) string {
				return fmt.Sprintf("%s,%s,,,", word(i, "ham", "spam"), "call me now or "+word(i, "never again today", "later this evening", "win a prize at once"))
			},
			format: "text", kind: record.Text, row: "|ham|call me now or never again today",
		},
		{
			name: "codes as names of columns", file: "a.csv", above: "pid,250.00,401.9,428.0,486\n",
			line: func(i int) string { return fmt.Sprintf("%d,%d,%d,%d,%d", i, i%2, i/2%2, i/3%2, i/5%2) },
			kind: record.Presence, row: "1||250.00", at: 1,
		},
		{
			name: "a first column that counts the rows", file: "a.csv", above: "Código;Sexo;Dolor\n",
			line: func(i int) string {
				return fmt.Sprintf("%d;%s;%s", i, word(i, "h", "m"), word(i, "poco", "mucho", "nada"))
			},
			kind: record.Categorical, row: "0||Sexo=h Dolor=poco",
		},
		{
			name: "999 among measurements", file: "a.csv", above: "ID,v1,v2\n",
			line: func(i int) string {
				if i%9 == 4 {
					return fmt.Sprintf("%d,999,999", i)
				}
				return fmt.Sprintf("%d,%.2f,%.2f", i, two(i)+float64(i)/50, 30+float64(i%11)/3)
			},
			kind: record.Mixed, row: "4||v1=NaN v2=NaN", at: 4, says: "999 stands in 2 of 2 columns",
		},
		{
			name: "0 far below measurements", file: "a.csv", above: "ID,sodium,potassium,age\n",
			line: func(i int) string {
				if i%29 == 4 {
					return fmt.Sprintf("%d,0,0,%d", i, i%80)
				}
				return fmt.Sprintf("%d,%.1f,%.2f,%d", i, 132+float64(i*7%130)/10, 3.4+float64(i*3%110)/50, i%80)
			},
			kind: record.Mixed, row: "4||sodium=NaN potassium=NaN age=4", at: 4, says: "0 stands in 2 of 3 columns (sodium, potassium) and is read as missing",
		},
		{
			name: "9 beside 0 and 1", file: "a.csv", above: "id,x1,x2,x3\n",
			line: func(i int) string {
				if i%10 == 3 {
					return fmt.Sprintf("%d,9,9,9", i)
				}
				return fmt.Sprintf("%d,%d,%d,%d", i, i%2, i/2%2, i/3%2)
			},
			kind: record.Categorical, says: "9 stands in 3 of 3 columns",
		},
		{
			name: "9 among counts", file: "a.csv", above: "id,w1,w2,w3,w4,w5,w6\n",
			line: func(i int) string {
				a, b := 0, 0
				if i == 5 {
					a, b = 9, 9
				}
				return fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d", i, a, b, i%7, i%6, i%5, i%4)
			},
			kind: record.Counts, row: "5||w1=9 w2=9 w3=5 w4=5 w6=1", at: 5,
		},
		{
			name: "two dashes among words", file: "a.csv", above: "id,rs1,rs2\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,%s,%s", i, word(i, "AA", "AG", "GG", "--"), word(i, "CC", "CT", "--"))
			},
			kind: record.Categorical, row: "3||rs2=CC", at: 3,
		},
		{
			name: "plus and minus are answers", file: "a.csv", above: "id,a16,b\n",
			line: func(i int) string { return fmt.Sprintf("%d,%s,%s", i, word(i, "+", "-"), word(i/2, "u", "y", "l")) },
			kind: record.Categorical, row: "1||a16=- b=u", at: 1,
		},
		{
			name: "money", file: "a.csv", above: "store,rev,cost\n",
			line: func(i int) string { return fmt.Sprintf("S%d,\"$%d,00%d\",€ %d.50", i, 1+i%4, i%7, 100+i) },
			kind: record.Real, row: "S1||rev=2001 cost=101.5", at: 1, says: "column rev: $1,000 is 1000",
		},
		{
			name: "what is owed in brackets", file: "a.csv", above: "id,profit,loss\n",
			line: func(i int) string {
				if i%3 == 0 {
					return fmt.Sprintf("%d,(%.2f),%.1f", i, two(i), two(i+1))
				}
				return fmt.Sprintf("%d,%.2f,%.1f", i, two(i), two(i+1))
			},
			kind: record.Real, row: "3||profit=-24.5 loss=26", at: 3,
		},
		{
			name: "units in cells", file: "a.csv", above: "id,weight,temp,dose\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,%d kg,%.1f°C,%d mg/dl", i, 50+i%40, 36+float64(i%9)/5, 90+i)
			},
			kind: record.Real, row: "0||weight=50 temp=36 dose=90", says: "column weight: 50 kg is 50",
		},
		{
			name: "letters behind numbers are no units", file: "a.csv", above: "id,flat,side\n",
			line: func(i int) string { return fmt.Sprintf("%d,%dB,%s", i, 1+i%4, word(i, "left", "right")) },
			kind: record.Categorical, row: "0||flat=1B side=left",
		},
		{
			name: "kilograms and pounds", file: "a.csv", above: "id,weight,side\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,%d %s,%s", i, 50+i%3, word(i, "kg", "lb"), word(i, "left", "right"))
			},
			kind: record.Categorical,
		},
		{
			name: "several names a cell", file: "a.csv", above: "id,symptoms\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,\"%s; %s\"", i, word(i, "fever", "cough, dry", "rash"), word(i/3, "pain", "nausea"))
			},
			format: "wide", kind: record.Presence, row: "1||cough, dry pain", at: 1,
		},
		{
			name: "baskets", file: "a.csv",
			line: func(i int) string {
				return strings.Join([]string{"whole milk", "bread", "butter", "red wine", "eggs"}[i%3:i%3+1+i%3], ",")
			},
			format: "wide", kind: record.Presence, row: "||bread butter", at: 1, says: "looks like lists of names with , between them",
		},
		{
			name: "baskets behind an id", file: "a.csv", above: "id,items\n",
			line: func(i int) string {
				return fmt.Sprintf("b%d,%s", i, strings.Join([]string{"milk", "bread", "butter", "wine", "eggs"}[i%3:i%3+1+i%3], ";"))
			},
			format: "long", kind: record.Presence, row: "b1||bread butter", at: 1, says: "cells hold several names",
		},
		{
			name: "a name with a comma a row", file: "a.csv", above: "id,item\n",
			line: func(i int) string {
				return fmt.Sprintf("b%[1]d,\"milk, whole\"\nb%[1]d,\"milk, skimmed\"\nb%[1]d,\"bread, white\"", i)
			},
			format: "long", kind: record.Presence, records: 20, row: "b1||milk, whole milk, skimmed bread, white", at: 1,
		},
		{
			name: "counted names a line", file: "a.txt",
			line: func(i int) string {
				return fmt.Sprintf("%s:%d %s:2", word(i, "milk", "bread", "tea"), 1+i%4, word(i/3, "wine", "beer")) + word(i/2, "", " eggs:12")
			},
			format: "wide", kind: record.Counts, row: "||bread=2 wine=2", at: 1, says: "looks like lists of counted names",
		},
		{
			name: "counted names behind a tab", file: "a.tsv",
			line: func(i int) string {
				return fmt.Sprintf("d%d\t%s:%d %s:2", i, word(i, "milk", "bread", "tea"), 1+i%4, word(i/3, "wine", "beer"))
			},
			format: "wide", kind: record.Counts, row: "d0||milk=1 wine=2", says: "several counted names a cell",
		},
		{
			name: "terms with a colon are no counts", file: "a.csv", above: "id,phenotypes\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,HP:%d;HP:%d", i, 1250+i%3, 2252+i/3%2)
			},
			format: "wide", kind: record.Presence, row: "1||HP:1251 HP:2252", at: 1,
		},
		{
			name: "a label behind counted names", file: "a.txt",
			line: func(i int) string {
				return fmt.Sprintf("%s:%d %s:2 #label#:%s", word(i, "milk", "bread", "tea"), 1+i%4, word(i/3, "wine", "beer"), word(i, "good", "bad"))
			},
			format: "wide", kind: record.Counts, row: "|bad|bread=2 wine=2", at: 1, says: "has a label in every line",
		},
		{
			name: "a label before counted names", file: "a.txt",
			line: func(i int) string {
				return fmt.Sprintf("%s |d %s:%d %s", word(i, "1", "-1"), word(i, "milk", "bread", "tea"), 1+i%4, word(i/3, "wine", "beer"))
			},
			format: "wide", kind: record.Counts, row: "|-1|d^bread=2 d^wine=1", at: 1, says: "has a label in every line",
		},
		{
			name: "dates beside answers", file: "a.csv", above: "day,ward,food\n",
			line: func(i int) string {
				return fmt.Sprintf("2024-01-%02d,%s,%s", 1+i%28, word(i, "A", "B", "C"), word(i/2, "good", "bad"))
			},
			kind: record.Categorical, row: "|2024-01-02|ward=B food=good", at: 1, says: "column day is kept beside the features: it holds dates",
		},
		{
			name: "attributes in lines of their own", file: "a.arff", above: "% made\n@RELATION r\n@attribute 'weight of all' numeric\n@attribute side {left,'very left'}\n@DATA\n",
			line: func(i int) string {
				return fmt.Sprintf("%d.5,%s", 50+i%7, word(i, "left", "'very left'", "?"))
			},
			kind: record.Mixed, row: "||weight of all=51.5 side=very left", at: 1, says: "is an ARFF file",
		},
		{
			name: "attributes that are not zero", file: "a.arff", above: "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c numeric\n@data\n",
			line: func(i int) string { return fmt.Sprintf("{%d %d, 2 %d}", i%2, 1+i%13, 1+i%14) },
			kind: record.Real, row: "||a=0 b=2 c=2", at: 1, says: "is an ARFF file",
		},
		{
			name: "sentences with commas are texts", file: "a.txt",
			line: func(i int) string {
				return fmt.Sprintf("on day %d, after the %s, we %s, and number %d went home", i, word(i, "storm", "rain", "heat, dust and wind"), word(i/3, "slept well", "walked, and a long way"), 900+i)
			},
			format: "lines", kind: record.Text,
		},
		{
			name: "lines of as many words", file: "a.txt",
			line: func(i int) string {
				words := strings.Fields("patient fever cough pain rest home sleep walk ward nurse night doctor today better")
				out := make([]string, 6)
				for j := range out {
					out[j] = words[(i*5+j*3+i/7)%len(words)]
				}
				return strings.Join(out, " ")
			},
			format: "lines", kind: record.Text,
		},
		{
			name: "three lines of as many words", file: "a.txt", records: 3,
			line: func(i int) string {
				return map[int]string{0: "the cat sat on mats", 1: "a dog ran in parks", 2: "nobody saw that thing again"}[i]
			},
			format: "lines", kind: record.Text,
		},
		{
			name: "words with blanks between, a few a column", file: "a.txt", above: "sex place grade\n",
			line: func(i int) string {
				return word(i, "male", "female") + " " + word(i/2, "rome", "oslo", "bonn") + " " + word(i/3, "first", "second")
			},
			kind: record.Categorical, row: "||sex=male place=rome grade=first",
		},
		{
			name: "codes numbered beside them", file: "a.txt", above: "ENC_ID|DX_SEQ|DX_CD|POA\n",
			line: func(i int) string {
				return fmt.Sprintf("%d|1|%s|Y\n%d|2|%s|N", 5000+i, word(i, "E119", "I10", "I509", "J189", "N189"), 5000+i, word(i, "A419", "E785", "J441", "I2510", "R5383"))
			},
			format: "long", kind: record.Presence, row: "5000|1,Y|E119 A419",
		},
		{
			name: "a quantity is no count of prescriptions", file: "a.csv", above: "patient_id,drug,quantity\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,%s,%s\n%d,%s,30", i, word(i, "aspirin", "insulin"), word(i, "30", "60", "90"), i, word(i, "statin", "codeine", "heparin"))
			},
			format: "long", kind: record.Presence, row: "0|30|aspirin statin",
		},
		{
			name: "a quantity of ones and twos is", file: "a.csv", above: "basket,item,quantity\n",
			line: func(i int) string {
				return fmt.Sprintf("%d,%s,%s\n%d,%s,1", i, word(i, "milk", "bread"), word(i, "1", "2", "1"), i, word(i, "beer", "eggs", "wine"))
			},
			format: "long", kind: record.Counts, row: "1||bread=2 eggs=1", at: 1,
		},
		{
			name: "postal codes", file: "a.csv", above: "name,zip,income\n",
			line: func(i int) string { return fmt.Sprintf("n%d,%d,%.1f", i, 10115+i*997%80000, 1000*two(i)+float64(i)) },
			kind: record.Real, row: "n0|10115|income=20000", says: "column zip is kept beside the features",
		},
		{
			name: "measurements of everybody at every time", file: "a.csv", above: "id,week,sex,weight,bp\n",
			line: func(i int) string {
				var b strings.Builder
				for w := range 4 {
					fmt.Fprintf(&b, "p%d,%d,%s,%.2f,%d\n", i, w, word(i, "m", "f"), two(i)+float64(i)/9+float64(w), 100+i+w)
				}
				return strings.TrimSuffix(b.String(), "\n")
			},
			format: "sequences", kind: record.Real, says: "2 measurements of each id at each week",
		},
		{
			name: "a list of records inside a JSON document", file: "a.json", above: `{"meta":{"n":60},"patients":[` + "\n",
			line: func(i int) string {
				end := ","
				if i == shapeRows-1 {
					end = "]}"
				}
				return fmt.Sprintf(`{"id":"p%d","demo":{"age":%d,"sex":"%s"},"labs":{"na":%.1f}}%s`, i, 20+i, word(i, "m", "f"), 130+two(i), end)
			},
			kind: record.Mixed, row: "p0||demo.age=20 demo.sex=m labs.na=150",
		},
	}
}

func TestShapes(t *testing.T) {
	for i, s := range shapes() {
		if i%numtest.Scale(2, 1, 1) != 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(s.above)
			want := s.records
			if want == 0 {
				want = shapeRows
			}
			for i := range min(want, shapeRows) {
				b.WriteString(s.line(i) + "\n")
			}
			b.WriteString(s.below)
			got, err := open(t, Options{}, source.Bytes(s.file, []byte(b.String())))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.rows) != want || got.lost > 0 || got.schema.Kind != s.kind || s.format != "" && got.schema.Format != s.format {
				t.Errorf("%d records of %d, %d lost, %s of kind %v, want %s %v\n%s", len(got.rows), want, got.lost, got.schema.Format, got.schema.Kind, s.format, s.kind, got.notes)
			}
			if s.row != "" && len(got.rows) > s.at && got.rows[s.at] != s.row {
				t.Errorf("record %d is %q, want %q\n%s", s.at+1, got.rows[s.at], s.row, got.notes)
			}
			if !strings.Contains(got.notes, s.says) {
				t.Errorf("the notes do not say %q:\n%s", s.says, got.notes)
			}
		})
	}
}

// A line without its label among labelled ones is refused by its number: as running text the
// labels would enter a fit.
// TestLongFirstLine: an object of a line that is longer than what is looked at is one
// record, whatever lists it holds; alone in its file it is a document.
func TestLongFirstLine(t *testing.T) {
	visits := strings.Repeat(`{"code":"b"},`, sniffBytes/8) + `{"code":"c"}`
	line := `{"id":1,"text":"one two","visits":[` + visits + `]}` + "\n"
	for want, text := range map[int]string{3: strings.Repeat(line, 3), sniffBytes/8 + 1: line} {
		s, err := open(t, Options{}, source.Bytes("x.jsonl", []byte(text)))
		if err != nil || len(s.rows) != want {
			t.Errorf("%d records, want %d: %v", len(s.rows), want, err)
		}
	}
}

func TestLabelLost(t *testing.T) {
	text := strings.Repeat("milk:2 tea:1 #label#:good\n", 11) + "milk:2 tea:1\n"
	got, err := open(t, Options{}, source.Bytes("a.txt", []byte(text)))
	if err == nil || !strings.Contains(err.Error(), "a.txt:12") || !strings.Contains(err.Error(), "no label") {
		t.Errorf("%v, and no word of line 12: %v", got, err)
	}
}

// Files that a reader of tables would misunderstand are refused by name.
func TestRefusedByName(t *testing.T) {
	for text, want := range map[string]string{
		"##fileformat=VCFv4.2\n#CHROM\tPOS\tS1\n1\t5\t0/1\n":   "VCF",
		"s\x02\x01\x00\x05\x00\xc8\x00\x00\x00 and more of it": "Stata",
	} {
		if _, err := open(t, Options{}, source.Bytes("a", []byte(text))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want a word of %s", text, err, want)
		}
	}
}
