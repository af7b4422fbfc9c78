package encode

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// wards are records of ICD-9 codes with every fault a file can have.
func wards() *fake {
	return lists("long", record.Presence,
		"428.0 4280 401.9", // the same code twice, spelled differently
		"428.1 v10.3 250.00",
		"36 428.0 401.9", // 036 lost its zero
		"10 401.9 414.01",
		"E812.0 ZZZ 428.0 585.9",
		"585.9",
		"272.4 V45.81 428.9")
}

func TestCodesThreeCharacters(t *testing.T) {
	r := encode(t, wards(), Settings{})
	if got := strings.Join(r.Vocab().Names, " "); got != "428 401 585 036 10 250 272 414 E812 V10 V45 ZZZ" {
		t.Errorf("codes %q", got)
	}
	for i, want := range []string{"428 401", "428 250 V10", "428 401 036", "401 10 414", "428 585 E812 ZZZ", "585", "428 272 V45"} {
		if got := row(r, i); got != want {
			t.Errorf("record %d is %q, want %q", i, got, want)
		}
	}
	if got := r.Vocab().Title(0); got != "Heart failure" {
		t.Errorf("title %q", got)
	}
	if held(r).IDs != nil || held(r).ID(2) != "3" {
		t.Error("records without ids are numbered from 1")
	}
}

const wardWarnings = `zeros-unclear: The codes lost their leading zeros: 10 may be 010 or 001.0 (1 entry). These cannot be told apart and stay as they are. Export the file again with the code column as text.
zeros-repaired: Leading zeros were probably removed by a spreadsheet; they were put back in 1 place where only one code fits. Read code columns as text in the spreadsheet that made the file.
unknown-codes: 1 code is not in the icd9 tables (5 % of all entries). They are kept as features; check the most frequent ones, such as ZZZ.
few-records: There are only 7 records; groups found in fewer than 1000 are often chance. Treat the groups as a first hint, or bring more records together.
short-records: 2 records (28.6 %) have fewer than 3 features and say little about groups. They are kept and placed; --min-codes leaves them out of the learning.
duplicates: 1 code was recorded more than once for the same record and counts once.`

const wardSummary = `{"settings":{"min_df":"","max_df":"","vocab":""},"plan":{"kind":"presence","layout":"binary","presence":true,"system":"icd9","levels":["3"],"zeros":{"lost":true},"vote":{"system":"icd9","mixed":false,"codes":14,"hits9":13,"hits10":3,"only9":10,"only10":0,"both":3},"ngrams":1,"min_length":2},"format":"long","read":7,"kept":7,"rules":[{"name":"roll-up 3","before":14,"after":12}],"tokens":20,"used":19,"top":[{"name":"428","title":"Heart failure","records":5,"tokens":5}],"unknown":[{"name":"ZZZ","n":1}],"unknown_codes":1,"unknown_uses":1,"duplicates":1,"short":2,"short_below":3,"empty":0,"repairs":[{"name":"leading zeros of codes put back","n":1}],"rollup":[{"level":"full","features":14},{"level":"3","features":12},{"level":"ccs","features":11},{"level":"chapter","features":8}]}`

func TestGoldenSummary(t *testing.T) {
	p := &record.Problems{}
	r, err := Encode(t.Context(), wards(), Settings{}, p)
	if err != nil {
		t.Fatal(err)
	}
	if got := warnings(r); got != wardWarnings {
		t.Errorf("warnings\n got %s\nwant %s", got, wardWarnings)
	}
	r.Summary.Top = r.Summary.Top[:1]
	r.Summary.Warnings = nil
	got, err := json.Marshal(r.Summary)
	if err != nil || string(got) != wardSummary {
		t.Errorf("summary\n got %s\nwant %s", got, wardSummary)
	}
	if p.Repairs["leading zeros of codes put back"] != 1 || len(p.Notes) != 1 ||
		p.Notes[0].Text != "code system icd9: 13 of 14 distinct codes are ICD-9-CM, 3 have the form of ICD-10, 3 fit both" {
		t.Errorf("problems %+v", p)
	}
}

func TestJoinedRollup(t *testing.T) {
	r := encode(t, wards(), Settings{Encoding: dataset.Encoding{Rollup: "3+chapter"}})
	v := r.Vocab()
	if err := held(r).Check(); err != nil {
		t.Fatal(err)
	}
	first := v.Columns[0]
	if got := strings.Join(v.Names[first.From:first.To], " "); got != "chapter:390-459 428 401 414" || first.Name != "chapter:390-459" || first.Kind != vocab.Presence {
		t.Errorf("first block %+v: %s", first, got)
	}
	at := 0
	for _, c := range v.Columns {
		if c.From != at || c.To <= c.From {
			t.Errorf("block %+v starts at %d", c, at)
		}
		at = c.To
	}
	if at != v.Len() {
		t.Errorf("blocks end at %d of %d", at, v.Len())
	}
	if got := row(r, 0); got != "chapter:390-459 428 401" {
		t.Errorf("record 0 is %q", got)
	}
	if got := v.Title(0); got != "Circulatory system" {
		t.Errorf("title %q", got)
	}
}

func TestRollupLevels(t *testing.T) {
	for level, want := range map[string]string{
		"full":    "4019",
		"ccs":     "ccs:108",
		"chapter": "chapter:390-459",
	} {
		r := encode(t, wards(), Settings{Encoding: dataset.Encoding{Rollup: level}})

		if r.Vocab().Names[0] != want {
			t.Errorf("%s: first feature %s, want %s", level, r.Vocab().Names[0], want)
		}
	}
	r := encode(t, wards(), Settings{Encoding: dataset.Encoding{Rollup: "full", Titles: map[string]string{"4280": "My heart failure"}}})
	if got := r.Vocab().Title(1); got != "My heart failure" {
		t.Errorf("the user's title: %q", got)
	}
	if h := r.Vocab().Index()["4019"]; r.Vocab().Title(h) != "Essential hypertension [401.9]" {
		t.Errorf("title of 401.9: %q", r.Vocab().Title(h))
	}
}

func TestVersions(t *testing.T) {
	nine := []string{"428.0 401.9 V10.3", "250.00 414.01 585.9", "272.4 E812.0 428.0"}
	ten := []string{"I50.9 E11.9 N18.3", "I10 J44.9 K21.9"}
	r := encode(t, lists("long", record.Presence, ten...), Settings{})
	if r.Summary.Plan.System != "icd10" || r.Vocab().Names[0] != "E11" || r.Vocab().System != "icd10" {
		t.Errorf("system %s, names %q", r.Summary.Plan.System, r.Vocab().Names)
	}
	r = encode(t, lists("long", record.Presence, append(nine, ten...)...), Settings{})
	if !r.Summary.Plan.Mixed || row(r, 0) != "9:428 9:401 9:V10" || row(r, 3) != "10:E11 10:I50 10:N18" {
		t.Errorf("both versions: %q, %q", row(r, 0), row(r, 3))
	}
	if !strings.Contains(warnings(r), "two-versions: ICD-9 and ICD-10 codes stand side by side: 8 of 14 distinct codes are ICD-9-CM") {
		t.Errorf("warnings %s", warnings(r))
	}
	r = encode(t, lists("mimic", record.Presence, "9:4280 9:V103", "9:E8120"), Settings{})
	if r.Summary.Plan.Mixed || strings.Join(r.Vocab().Names, " ") != "428 E812 V10" {
		t.Errorf("one marked version: %q", r.Vocab().Names)
	}
	r = encode(t, lists("mimic", record.Presence, "9:4280 10:V103", "9:E8120 9:V103"), Settings{})
	if !r.Summary.Plan.Mixed || strings.Join(r.Vocab().Names, " ") != "10:V10 9:428 9:E812 9:V10" {
		t.Errorf("marked versions: %q", r.Vocab().Names)
	}
	if r := encode(t, lists("mimic", record.Presence, "9:4280 10:V103", "9:E8120 9:V103"), Settings{Encoding: dataset.Encoding{Where: "has 10:V10"}}); r.Len() != 1 {
		t.Errorf("%d records have 10:V10", r.Len())
	}
}

func TestPlainFeatures(t *testing.T) {
	lines := []string{"c1 c2 x", "c2 c2 y", "c1"}
	r := encode(t, lists("long", record.Presence, lines...), Settings{})
	if r.Summary.Plan.System != "none" || strings.Join(r.Vocab().Names, " ") != "c1 c2 x y" || r.Summary.Duplicates != 1 {
		t.Errorf("names %q, system %s", r.Vocab().Names, r.Summary.Plan.System)
	}
	for _, format := range []string{"uci", "mtx", "svmlight", "omop"} {
		if r := encode(t, lists(format, record.Counts, "4280 4019", "25000 41401 V103"), Settings{}); r.Summary.Plan.System != "none" {
			t.Errorf("features of %s were taken for codes", format)
		}
	}
	r = encode(t, lists("uci", record.Counts, "the cat", "the dog"), Settings{Encoding: dataset.Encoding{Stopwords: "english"}})
	if strings.Join(r.Vocab().Names, " ") != "cat dog" {
		t.Errorf("counted words without stop words: %q", r.Vocab().Names)
	}
}

func TestCodesCounted(t *testing.T) {
	r := encode(t, wards(), Settings{Encoding: dataset.Encoding{Counts: true}})
	if held(r).Rows.IsBinary() || held(r).Rows.At(0, 0) != 2 || held(r).Kind != record.Counts {
		t.Errorf("428 counts %g in the first record", held(r).Rows.At(0, 0))
	}
}

func TestMinCodes(t *testing.T) {
	r := encode(t, wards(), Settings{Encoding: dataset.Encoding{MinCodes: 2}})
	if r.Len() != 7 || r.Summary.Short != 1 || !r.Short[5] || r.Short[0] {
		t.Errorf("short %v", r.Short)
	}
	if r := encode(t, wards(), Settings{}); r.Short != nil {
		t.Error("records are marked short without --min-codes")
	}
}

func TestInEveryRecord(t *testing.T) {
	r := encode(t, lists("long", record.Presence, "428.0 401.9", "428.1 V10.3", "428.0 585.9"), Settings{})
	if want := "in-every-record: 428 Heart failure is in 100 % of the records. It tells the groups nothing; leave it out with --exclude 428."; !strings.Contains(warnings(r), want) {
		t.Errorf("warnings %s", warnings(r))
	}
	r = encode(t, lists("long", record.Presence, "428.0 401.9", "428.1 V10.3", "428.0 585.9"), Settings{Encoding: dataset.Encoding{Exclude: []string{"428", "V10.", "4l4"}}})
	if strings.Join(r.Vocab().Names, " ") != "401 585" {
		t.Errorf("after exclusion: %q", r.Vocab().Names)
	}
	if !strings.Contains(warnings(r), `pattern-idle: No feature is called "4l4"`) {
		t.Errorf("warnings %s", warnings(r))
	}
}

// A FHIR source marks ICD codes and leaves the codes of other systems bare.
func TestMarkedBesideOthers(t *testing.T) {
	r := encode(t, lists("fhir", record.Presence, "9:428.0 84114007", "9:V10.3 42 84114007"), Settings{})
	if got := strings.Join(r.Vocab().Names, " "); got != "84114007 42 428 V10" {
		t.Errorf("names %q", got)
	}
	if strings.Contains(warnings(r), "unknown") {
		t.Errorf("warnings %s", warnings(r))
	}
}
