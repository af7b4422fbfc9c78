package read

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// exports are strangers as hospitals, laboratories and spreadsheets of other countries
// write them; TestStrangers reads them too.
func exports() []stranger {
	from := func(list ...string) func(i int) string { return func(i int) string { return pick3(i, list...) } }
	ill := from("I10.90 G", "E11.90 V", "J44.11 Z", "F32.9 A", "M54.5 G")
	named := from("I10.90 Hypertonie", "E11.90 Diabetes mellitus", "J44.11 COPD", "F32.9 Depression", "M54.5 Rückenschmerz")
	concept := from("73211009", "38341003", "13645005", "49436004", "195967001")
	done := from("5-470.11", "8-930", "1-632.0", "5-787.0b", "3-200")
	drugs := []string{"C09AA05", "A10BA02", "N02BE01", "B01AC06", "C07AB02", "A02BC01"}
	number := func(i int) string { return fmt.Sprintf("%d.%02d", i*7%50, i*37%100) }
	long := func(head string, cell func(i int) string) string {
		return head + "\n" + of(300, func(i int) string { return fmt.Sprintf("%d;%s", i%40, cell(i+i/40)) })
	}
	pairs := func(yes, no string) string {
		return "id,a,b,c\n" + of(60, func(i int) string {
			return fmt.Sprintf("P%d,%s,%s,%s", i, pick3(i, yes, no), pick3(i+1, no, yes), pick3(i+2, yes, no, no))
		})
	}
	labs := func(unit func(i int) string) string {
		return "person,loinc,value,unit\n" + of(240, func(i int) string {
			return fmt.Sprintf("%d,%s,%d.5,%s", i/4, []string{"2345-7", "718-7", "2160-0", "2951-2"}[i%4], 20+i*7%90, unit(i))
		})
	}
	return []stranger{
		{"certain.csv", long("Fall;ICD", ill), 40, record.Presence, "Fall G", "cells hold more than a code (E11.90 V): the code, E11.90, is read"},
		{"described.csv", long("Fall;Diagnose", named), 40, record.Presence, "Fall Hypertonie", "cells hold more than a code"},
		{"snomed.csv", long("person;begriff", concept), 40, record.Presence, "begriff person", "looks like a long table: column person repeats, column begriff holds codes"},
		{"ops.csv", long("Fallnr;Leistung", done), 40, record.Presence, "Fallnr", "column Leistung holds codes"},
		{"drugs.csv", "pnr,med1,med2,med3\n" + of(60, func(i int) string {
			return fmt.Sprintf("p%d,%s,%s,%s", i, drugs[i%6], drugs[(i+1+i/7%2)%6], drugs[(i+3+i/5%3)%6])
		}), 60, record.Presence, "p med", "looks like a wide list: the columns med1 to med3 hold codes"},
		{"labs.csv", labs(func(i int) string { return []string{"mg/dL", "g/dL", "mg/dL", "mmol/L"}[i%4] }), 60, record.Real, "person unit value", "4 values of column loinc became columns"},
		{"units.csv", labs(func(i int) string { return []string{"mg/dL", "mmol/L"}[i/4%2] }), 60, record.Mixed, "person unit", "8 values of column loinc became columns"},
		{"wahr.csv", pairs("WAHR", "FALSCH"), 60, record.Presence, "P a= b=", ""},
		{"vero.csv", pairs("VERO", "FALSO"), 60, record.Presence, "P a=", ""},
		{"hai.csv", pairs("はい", "いいえ"), 60, record.Presence, "P a=", ""},
		{"boxes.csv", pairs("Checked", "Unchecked"), 60, record.Presence, "P a=", ""},
		{"tested.csv", pairs("pos", "neg"), 60, record.Categorical, "P", ""}, // a label where it stands last, see Profile.label
		{"months.csv", "id,day,when,a,b\n" + of(60, func(i int) string {
			return fmt.Sprintf("%d,%d-%s-2020,%d:%02d PM,%s,%s", i, 1+i%5, pick3(i, "Mar", "März", "oct"), 1+i%3, i%2*30, number(i), number(i+5))
		}), 60, record.Real, "day when id", "column when is kept beside the features: it holds dates"},
		{"sap.csv", "id;a;b\n" + of(60, func(i int) string {
			return fmt.Sprintf("%d;%d,50%s;%d,25", i, i*7%50, pick3(i, "", "-"), i*11%60)
		}), 60, record.Real, "id", ",50- is -"},
		{"print.csv", "id,a,b\n" + of(60, func(i int) string { return fmt.Sprintf("%d,%s%s,%s", i, pick3(i, "", "−"), number(i), number(i+3)) }), 60, record.Real, "id", "column a: −"},
		{"sheet.csv", "id,a,b\n" + of(60, func(i int) string {
			return fmt.Sprintf("%d,%s,%s", i, pick3(i, number(i), number(i+1), "#WERT!", "########"), number(i+3))
		}), 60, record.Mixed, "id a=", "a is missing in"},
		{"guarded.csv", "mrn,ward,a\n" + of(60, func(i int) string { return fmt.Sprintf("=\"%05d\",=\"%02d\",%s", i, i%3, number(i)) }), 60, record.Mixed, "mrn ward==", ""},
		{"paid.csv", "id,cost,b\n" + of(60, func(i int) string { return fmt.Sprintf("%d,USD %d,%s", i, 100+i*7%400, number(i)) }), 60, record.Real, "id", "column cost: USD 1"},
		{"places.csv", "id,x,y\n" + of(60, func(i int) string { return fmt.Sprintf("%d,%s,%s", i, number(i), number(i*3+1)) }), 60, record.Real, "id", "2 columns hold numbers"},
		{"icpc.csv", long("pasientid;icpc", from("K86", "T90", "R95", "P76", "L03", "A04", "D73")), 40, record.Presence, "icpc", ""},
		{"rxnorm.csv", long("patient;rxcui", from("197361", "860975", "314076", "617312", "198211")), 40, record.Presence, "rxcui", "looks like a long table"},
		{"ndc.csv", long("patient;ndc", from("00093-7146-56", "00071-0155-23", "50111-0433-01")), 40, record.Presence, "ndc", "looks like a long table"},
		{"moments.csv", "id,timestamp,excel_date,telefon,a,b\n" + of(60, func(i int) string {
			return fmt.Sprintf("%d,%d,%d,%d,%s,%s", i, 1577836800+i*99991, 43800+i*7%300, 49301000000+i*i*977, number(i), number(i*3))
		}), 60, record.Real, "timestamp excel_date telefon id", "column telefon is kept beside the features: numbers of telephones and accounts are names"},
		{"carets.txt", "id^a^b\n" + of(60, func(i int) string { return fmt.Sprintf("p%d^%s^%s", i, number(i), number(i*3)) }), 60, record.Real, "id p1", ""},
		{"tildes.txt", "id~a~b\n" + of(60, func(i int) string { return fmt.Sprintf("p%d~%s~%s", i, number(i), number(i*3)) }), 60, record.Real, "id p1", ""},
		{"rule.txt", "|id|a|b|\n|--|--|--|\n" + of(60, func(i int) string { return fmt.Sprintf("|p%d|%s|%s|", i, number(i), number(i*3)) }), 60, record.Real, "id p1", ""},
		{"upright.txt", of(60, func(i int) string { return fmt.Sprintf("id: p%d\nage: %d\nbmi: %s\n", i, 20+i, number(i)) }), 0, 0, "", "every line holds one field"},
		{"speech.txt", of(60, func(i int) string {
			return pick3(i, "Anna", "Ben") + ": " + pick3(i/2, "how are you today", "fever and cough", "go home and rest")
		}), 60, record.Text, "", ""},
		{"x.yaml", of(60, func(i int) string { return fmt.Sprintf("- id: p%d\n  age: %d", i, 20+i) }), 0, 0, "", "YAML"},
		{"x.sql", "CREATE TABLE t (a int);\n" + of(60, func(i int) string { return fmt.Sprintf("INSERT INTO t VALUES (%d);", i) }), 0, 0, "", "SQL"},
		{"x.hl7", of(20, func(i int) string { return fmt.Sprintf("MSH|^~\\&|A|B|%d\nPID|1||%d", i, i) }), 0, 0, "", "HL7"},
		{"x.ris", of(20, func(i int) string { return fmt.Sprintf("TY  - JOUR\nTI  - a study %d\nER  - \n", i) }), 0, 0, "", "RIS"},
		{"x.bib", of(20, func(i int) string { return fmt.Sprintf("@article{k%d,\n title={a study},\n}", i) }), 0, 0, "", "BibTeX"},
		{"page.xls", "<table border=\"1\">\n" + of(20, func(i int) string { return fmt.Sprintf("<tr><td>%d</td></tr>", i) }), 0, 0, "", "a table written as a web page"},
		{"x.fa", of(20, func(i int) string { return fmt.Sprintf(">s%d\nACGT\nACG", i) }), 0, 0, "", "it is a FASTA file"},
		{"x.fastq", of(20, func(i int) string { return fmt.Sprintf("@s%d\nACGT\n+\nIIII", i) }), 0, 0, "", "it is a FASTQ file"},
		{"x.bed", "\x6c\x1b\x01\xff\x00", 0, 0, "", "PLINK"},
		{"x.tar", strings.Repeat("a", 257) + "ustar\x0000" + strings.Repeat("\x00", 300), 0, 0, "", "a tar archive"},
		{"x.dcm", strings.Repeat("\x00", 128) + "DICM", 0, 0, "", "DICOM"},
		{"x.rar", "Rar!\x1a\x07\x01\x00", 0, 0, "", "a RAR archive"},
		{"twice.gz", string(gzipBytes(gzipBytes([]byte("a,b\n1,2\n")))), 0, 0, "", "packed twice"},
		{"broken.csv", "a,b\n" + of(60, number) + "1\x1b,2\n", 0, 0, "", ", line 62; if it is a spreadsheet"},
	}
}

// Codes of another system are no diagnoses of ICD, however alike they look.
func TestOtherSystems(t *testing.T) {
	for _, s := range exports() {
		if s.name == "icpc.csv" || s.name == "rxnorm.csv" || s.name == "certain.csv" {
			got, err := open(t, Options{}, source.Bytes(s.name, []byte(s.text)))
			if other := got.schema.System; err != nil || (other == "") != (s.name == "certain.csv") || other == "icd" {
				t.Errorf("%s: system %q, %v", s.name, other, err)
			}
		}
	}
}

// Codes of medicine make records of people's health, whatever the columns are called.
func TestMedicalByCodes(t *testing.T) {
	for _, s := range exports() {
		if s.name != "snomed.csv" && s.name != "ops.csv" && s.name != "drugs.csv" && s.name != "places.csv" {
			continue
		}
		got, err := open(t, Options{}, source.Bytes(s.name, []byte(s.text)))
		if err != nil || got.schema.OfPatients != (s.name != "places.csv") {
			t.Errorf("%s is of patients: %v, %v", s.name, got.schema.OfPatients, err)
		}
	}
}

// Papers beside tables are no data; columns that only a later table has are named.
func TestFolderWithPapers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.csv":     "id,a,b\n" + of(30, func(i int) string { return fmt.Sprintf("%d,%d.5,%d.25", i, i*7%50, i%7) }),
		"b.csv":     "id,b,a,c\n" + of(30, func(i int) string { return fmt.Sprintf("%d,%d.25,%d.5,1", 30+i, i%7, i*7%50) }),
		"README.md": "# of the ward\n", "~$a.xlsx": "x", ".DS_Store": "\x00\x01", "Thumbs.db": "\x00",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in, err := source.Expand([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	got, err := open(t, Options{}, in...)
	if err != nil || len(got.rows) != 60 || got.schema.Kind != record.Real {
		t.Fatalf("%d records, %v: %s", len(got.rows), err, got.notes)
	}
	for _, want := range []string{"README.md", "they were left out: c"} {
		if !strings.Contains(got.notes, want) {
			t.Errorf("nothing of %s is said: %s", want, got.notes)
		}
	}
}

// What machines of Apple put into an archive is no second file, and documents of
// offices are named.
func TestArchivesOfSeveral(t *testing.T) {
	pack := func(files ...string) source.Input {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range files {
			w, _ := z.Create(name)
			fmt.Fprint(w, "id,a,b\n"+of(30, func(i int) string { return fmt.Sprintf("%d,%d.5,%d.25", i, i*7%50, i%7) }))
		}
		z.Close()
		return source.Bytes("a.zip", b.Bytes())
	}
	got, err := open(t, Options{}, pack("in a folder/t.csv", "__MACOSX/in a folder/._t.csv"))
	if err != nil || len(got.rows) != 30 {
		t.Errorf("%d records, %v", len(got.rows), err)
	}
	for want, file := range map[string]string{"LibreOffice": "content.xml", "Word": "word/document.xml", "2 files": "b.csv"} {
		if _, err := open(t, Options{}, pack("a.csv", file)); !source.Unreadable(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}
