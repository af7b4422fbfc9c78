package encode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// prose makes texts of Zipf-like words.
func prose(n int) []string {
	rng := rand.New(rand.NewPCG(8, 9))
	zipf := rand.NewZipf(rng, 1.3, 2, 400)
	list := make([]string, n)
	for i := range list {
		var b strings.Builder
		for range 3 + rng.IntN(30) {
			fmt.Fprintf(&b, "w%c%c ", 'a'+rune(zipf.Uint64()%20), 'a'+rune(zipf.Uint64()%20))
		}
		list[i] = b.String()
	}
	return list
}

func TestWorkersAndBatchesDoNotMatter(t *testing.T) {
	list := prose(500)
	s := Settings{Encoding: dataset.Encoding{Ngrams: 2, MinDF: dataset.Amount{Count: 3}, Vocab: dataset.Amount{Share: 0.8}}, Workers: 1}
	want := encode(t, texts(500, list...), s)
	for _, c := range []struct{ workers, batch int }{{2, 500}, {8, 64}, {3, 7}} {
		s.Workers = c.workers
		got := encode(t, texts(c.batch, list...), s)
		if got.Fingerprint() != want.Fingerprint() {
			t.Errorf("%d workers, batches of %d: another data set", c.workers, c.batch)
		}
		got.Summary.Settings.Workers = 1
		if !reflect.DeepEqual(got.Summary, want.Summary) {
			t.Errorf("%d workers, batches of %d: another summary", c.workers, c.batch)
		}
	}
}

func TestOrderOfRecordsDoesNotMatterToTheVocabulary(t *testing.T) {
	list := prose(300)
	want := encode(t, texts(50, list...), Settings{})
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if got := encode(t, texts(50, list...), Settings{}); got.Vocab().Fingerprint() != want.Vocab().Fingerprint() {
		t.Error("shuffled records give another vocabulary")
	}
}

func TestDiskGivesTheSame(t *testing.T) {
	n := 2*pass.BlockRecords + 100
	rng := rand.New(rand.NewPCG(2, 3))
	lines, ages := make([]string, n), make([]string, n)
	for i := range lines {
		for range rng.IntN(8) {
			lines[i] += fmt.Sprintf(" code%d", rng.IntN(50))
		}
		ages[i] = fmt.Sprint(rng.IntN(90))
	}
	src := func() *fake { return lists("long", record.Presence, lines...).side("age", ages...) }
	known := "icd9" // of features that were encoded before: it was lost on disk
	for _, s := range []Settings{{}, {Encoding: dataset.Encoding{Where: "age < 70", MinCodes: 3}}, {Known: &known}} {
		memory := encode(t, src(), s)
		s.TempDir, s.MaxMemory = t.TempDir(), 100_000
		disk, err := Encode(t.Context(), src(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if disk.Set.Size() == 0 || !disk.Summary.OnDisk || disk.Fingerprint() != memory.Fingerprint() {
			t.Fatalf("file %v: not the data set of memory", disk.Set.Name())
		}
		if s.Known != nil && (disk.Vocab().System != known || memory.Vocab().System != known) {
			t.Errorf("features of %q are of %q on disk, %q in memory", known, disk.Vocab().System, memory.Vocab().System)
		}
		if !reflect.DeepEqual(disk.Short, memory.Short) || disk.Len() != memory.Len() {
			t.Error("other records are short")
		}
		if list, _ := os.ReadDir(s.TempDir); runtime.GOOS != "windows" && len(list) != 0 {
			t.Errorf("temporary files have names that a kill would leave: %v", list)
		}
		if err := disk.Close(); err != nil {
			t.Fatal(err)
		}
		if list, _ := os.ReadDir(s.TempDir); len(list) != 0 {
			t.Errorf("%d files are left", len(list))
		}
	}
}

func TestDiskSequencesAndTables(t *testing.T) {
	sequences := func() *fake {
		f := lists("sequences", record.Presence, "a b", "b", "a c", "c")
		for _, b := range f.batches {
			b.Steps = []int{0, len(b.Ptr) - 1}
		}
		return f
	}
	for name, src := range map[string]func() *fake{"sequences": sequences, "mixed": clinic, "real": func() *fake { return measured(true) }} {
		memory := encode(t, src(), Settings{})
		disk := encode(t, src(), Settings{TempDir: t.TempDir(), MaxMemory: 1})
		if disk.Set.Size() == 0 || disk.Fingerprint() != memory.Fingerprint() {
			t.Errorf("%s: disk and memory differ", name)
		}
	}
}

// applied encodes a source with a stored plan, that went through JSON.
func applied(t *testing.T, src record.Source, r *Result) (*dataset.Dataset, *Applied) {
	t.Helper()
	text, err := json.Marshal(r.Summary.Plan)
	if err != nil {
		t.Fatal(err)
	}
	var plan Plan
	if err := json.Unmarshal(text, &plan); err != nil {
		t.Fatal(err)
	}
	var all *dataset.Dataset
	a, err := Apply(t.Context(), src, plan, r.Vocab(), 2, func(first int, d *dataset.Dataset) error {
		if first != 0 || all != nil {
			return errors.New("one block was expected")
		}
		all = d
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, a
}

func TestApplyRepeatsEncode(t *testing.T) {
	for name, c := range map[string]struct {
		src func() *fake
		s   Settings
	}{
		"codes":     {wards, Settings{}},
		"joined":    {wards, Settings{Encoding: dataset.Encoding{Rollup: "full+ccs"}}},
		"counted":   {wards, Settings{Encoding: dataset.Encoding{Counts: true, Vocab: dataset.Amount{Share: 0.5}}}},
		"words":     {func() *fake { return texts(40, prose(200)...) }, Settings{Encoding: dataset.Encoding{Ngrams: 2, MinDF: dataset.Amount{Count: 2}}}},
		"stems":     {func() *fake { return texts(1, "hearts failing", "the heart fails") }, Settings{Encoding: dataset.Encoding{Stopwords: "english", Stem: true}}},
		"mixed":     {clinic, Settings{}},
		"dense":     {clinic, Settings{Encoding: dataset.Encoding{Include: []string{"age", "ill"}}}},
		"real":      {func() *fake { return measured(true) }, Settings{}},
		"side, ids": {people, Settings{}},
	} {
		r := encode(t, c.src(), c.s)
		got, _ := applied(t, c.src(), r)
		want := *held(r)
		if want.IDs == nil {
			for i := range want.Len() {
				want.IDs = append(want.IDs, held(r).ID(i))
			}
		}
		if got.Fingerprint() != want.Fingerprint() {
			t.Errorf("%s: the same records are encoded in another way", name)
		}
	}
}

func TestApplyCountsUnknown(t *testing.T) {
	r := encode(t, wards(), Settings{})
	d, a := applied(t, lists("long", record.Presence, "428.3 486", "486 493.90 486", "999", "401.1 428.9"), r)
	if a.Records != 4 || a.Entries != 8 || a.UnknownUses != 5 || a.UnknownFeatures != 3 || a.Empty != 2 {
		t.Errorf("counts %+v", a)
	}
	if a.Unknown[0] != (Count{"486", 3}) {
		t.Errorf("most frequent unknown %v", a.Unknown)
	}
	if len(a.Warnings) != 1 || a.Warnings[0].Text != "62.5 % of what is in these records is unknown to the model." {
		t.Errorf("warnings %v", a.Warnings)
	}
	if d.Len() != 4 || d.ID(3) != "4" || d.Rows.Dim != r.Vocab().Len() {
		t.Errorf("%d records", d.Len())
	}
	_, err := Apply(t.Context(), texts(1, "a text"), r.Summary.Plan, r.Vocab(), 1, nil)
	if err == nil || !strings.Contains(err.Error(), "learned from presence records, and these are texts") {
		t.Errorf("error %v", err)
	}
}

func TestApplyInBlocks(t *testing.T) {
	lines := make([]string, pass.BlockRecords+10)
	for i := range lines {
		lines[i] = fmt.Sprintf("f%d g", i%5)
	}
	r := encode(t, lists("long", record.Presence, lines...), Settings{})
	var firsts, sizes []int
	_, err := Apply(t.Context(), lists("long", record.Presence, lines...), r.Summary.Plan, r.Vocab(), 1, func(first int, d *dataset.Dataset) error {
		firsts, sizes = append(firsts, first), append(sizes, d.Len())
		return d.Check()
	})
	if err != nil || !reflect.DeepEqual(firsts, []int{0, pass.BlockRecords}) || !reflect.DeepEqual(sizes, []int{pass.BlockRecords, 10}) {
		t.Errorf("blocks at %v of %v, %v", firsts, sizes, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		src  *fake
		s    Settings
		want string
	}{
		{wards(), Settings{Encoding: dataset.Encoding{Rollup: "icd"}}, `roll-up "icd" is not known`},
		{wards(), Settings{Encoding: dataset.Encoding{System: "snomed"}}, `code system "snomed" is not known`},
		{wards(), Settings{Encoding: dataset.Encoding{Stopwords: "klingon"}}, `no stop words for "klingon": write one of english, italian`},
		{wards(), Settings{Encoding: dataset.Encoding{Stopwords: "english"}}, "stop words and stems are for words; these are icd9 codes"},
		{wards(), Settings{Encoding: dataset.Encoding{Ngrams: 2}}, "n-grams need running text; these are presence records"},
		{wards(), Settings{Encoding: dataset.Encoding{Ngrams: 4}}, "n-grams of 4 words: write 1, 2 or 3"},
		{wards(), Settings{Encoding: dataset.Encoding{Include: []string{"a[b"}}}, `feature pattern "a[b"`},
		{wards(), Settings{Encoding: dataset.Encoding{MinDF: dataset.Amount{Share: 2}}}, "a share between 0 and 1"},
		{wards(), Settings{Encoding: dataset.Encoding{MinCodes: -1}}, "minimum of -1 codes is negative"},
		{wards(), Settings{Encoding: dataset.Encoding{MinDF: dataset.Amount{Count: 100}}}, `no features are left: the rule "min-df 100" took the last 12`},
		{lists("long", record.Presence, "c1 c2"), Settings{Encoding: dataset.Encoding{Rollup: "ccs"}}, "roll-up ccs needs ICD codes"},
		{clinic(), Settings{Encoding: dataset.Encoding{Vocab: dataset.Amount{Count: 3}}}, "‹max-df› and ‹vocab› are for words and codes; these are mixed records"},
		{clinic(), Settings{Encoding: dataset.Encoding{System: "icd9"}}, "code system icd9 does not go with mixed records"},
		{lists("long", record.Presence), Settings{}, "no records are left: the input holds none"},
		{texts(1, "", ""), Settings{}, "no features are left: the records hold none"},
		{texts(1, "aorta stenosis"), Settings{Encoding: dataset.Encoding{Stem: true}}, "stemming needs a language and the texts do not show one"},
	} {
		_, err := Encode(t.Context(), c.src, c.s, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v\n got %v\nwant %s", c.s, err, c.want)
		}
	}
	f := lists("counts", record.Counts, "a b")
	f.batches[0].Value = append(make([]float64, 7), 2, -3)
	if _, err := Encode(t.Context(), f, Settings{}, nil); err == nil || !strings.Contains(err.Error(), "record 1: b is -3, and a count cannot be negative") {
		t.Errorf("negative count: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Encode(ctx, wards(), Settings{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Encode(t.Context(), people(), Settings{Encoding: dataset.Encoding{Where: "age > 500"}}, nil); !errors.Is(err, ErrNoRecords) {
		t.Errorf("no records: %v", err)
	}
}

func TestProgress(t *testing.T) {
	var steps []string
	ctx := progress.With(t.Context(), func(e progress.Event) {
		steps = append(steps, fmt.Sprintf("%s %d of %d %s", e.Step, e.Done, e.Total, e.Unit))
	})
	if _, err := Encode(ctx, wards(), Settings{}, nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(steps, "; "); got != "counting features 7 of 7 records; encoding 7 of 7 records" {
		t.Errorf("progress %q", got)
	}
}

func TestTitlesOfOtherSystems(t *testing.T) {
	r := encode(t, lists("long", record.Presence, "q.1 x", "q.1"), Settings{Encoding: dataset.Encoding{Titles: map[string]string{"Q1": "A question"}}})
	if got := r.Vocab().Title(0); got != "A question" {
		t.Errorf("title %q", got)
	}
	f := lists("fhir", record.Presence, "73595000", "73595000 160903007")
	f.schema.Titles = map[string]string{"73595000": "Stress (finding)"}
	if got := encode(t, f, Settings{}).Vocab().Title(0); got != "Stress (finding)" {
		t.Errorf("title %q", got)
	}
}
