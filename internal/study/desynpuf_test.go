package study_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/study"
)

// claims cuts hospital claims into ten sites by provider, most of them at a few, and
// writes all of them in one file, in the order of the sites.
func claims(t *testing.T, dir string, most int) (sites []string, pooled string) {
	t.Helper()
	f, err := os.Open(numtest.Data(t, "desynpuf", "DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	const places = 10
	var text [places]strings.Builder
	lines, head := bufio.NewScanner(z), ""
	for n := 0; lines.Scan() && n <= most; n++ {
		line := lines.Text()
		if n == 0 {
			head = line + "\n"
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(strings.Split(line, ",")[5])) // the provider
		u := float64(h.Sum32()) / (1 << 32)
		text[int(places*u*u)].WriteString(line + "\n") // the first site has 32 in 100, the last 5
	}
	all := head
	for i := range text {
		name := filepath.Join(dir, fmt.Sprintf("provider%d.csv", i))
		write(t, name, head+text[i].String())
		sites, all = append(sites, name), all+text[i].String()
	}
	pooled = filepath.Join(dir, "all.csv")
	write(t, pooled, all)
	return sites, pooled
}

// TestClaims: ten sites of real claims, cut by provider, get the groups and the tree
// of one machine by a secure sum, and what one of them sent looks like chance.
func TestClaims(t *testing.T) {
	numtest.NotShort(t)
	dir := t.TempDir()
	files, all := claims(t, dir, numtest.Scale(1500, 3000, 6000))
	o := order(3, true)
	o.Fit.Spec.Model = "bernoulli"     // in few rounds
	o.MinCell, o.Fit.Double = -1, true // all names, as one machine has them
	o.Encode.MinDF = dataset.Amount{Count: 20}
	var as read.Options
	as.Unit = "row"
	homes := whole(t, dir, begin(t, dir, len(files), false, o), files, as)
	o.Args, o.Read = []string{all}, as
	pooled, err := fit.Do(t.Context(), o.Order)
	if err != nil {
		t.Fatal(err)
	}
	defer pooled.Close()
	samePlaces(t, homes, run.New(pooled))
	list := posts(t, homes[7])
	uniform(t, list)
	bytes := 0
	for _, p := range list {
		bytes += len(p.Words())
	}
	t.Logf("%d records, %d features: %d rounds, %.1f MB a site", pooled.Len(), pooled.Vocab().Len(), len(list), float64(bytes)/1e6)
}

// TestJudgedClaims: nobody tells ten sites of real claims how many groups there are;
// every word of the verdict is that of one machine, the groups and the tree too.
func TestJudgedClaims(t *testing.T) {
	if os.Getenv("MOIETY_LONG") == "" {
		t.Skip("ten sites in some 400 rounds are for the long form (MOIETY_LONG=1); fit.TestJoinedVerdict has them in memory")
	}
	dir := t.TempDir()
	files, all := claims(t, dir, 2000)
	o := order(0, false)
	o.MinCell, o.Fit.Double = -1, true
	o.Encode.MinDF = dataset.Amount{Count: 30}
	var as read.Options
	as.Unit = "row"
	homes := whole(t, dir, begin(t, dir, len(files), false, o), files, as)
	o.Args, o.Read = []string{all}, as
	pooled, err := fit.Do(t.Context(), o.Order)
	if err != nil {
		t.Fatal(err)
	}
	defer pooled.Close()
	want := run.New(pooled)
	words := func(m *run.Made) string {
		text, err := json.Marshal(m.Run().Outcome.Verdict)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	samePlaces(t, homes, want, func(h *study.Home, m *run.Made) {
		if got := words(m); got != words(want) {
			t.Errorf("%s: the verdict is\n%s\nthat of one machine\n%s", h.Name, got, words(want))
		}
	})
	list := posts(t, homes[7])
	uniform(t, list)
	bytes := 0
	for _, p := range list {
		bytes += len(p.Words())
	}
	if len(list) > 450 {
		t.Errorf("%d rounds", len(list))
	}
	t.Logf("%d records, %d features: %d rounds, %.1f MB a site; %s", pooled.Len(), pooled.Vocab().Len(), len(list), float64(bytes)/1e6, words(want))
}

// TestOpenClaims: of real claims at ten sites, no number of people from 1 to 10
// leaves one of them in an open sum, and what that costs is reported.
func TestOpenClaims(t *testing.T) {
	numtest.NotShort(t)
	dir := t.TempDir()
	files, _ := claims(t, dir, numtest.Scale(1500, 3000, 6000))
	var as read.Options
	as.Unit = "row"
	f := begin(t, dir, len(files), true, order(3, false))
	openly(t, f, whole(t, dir, f, files, as))
}
