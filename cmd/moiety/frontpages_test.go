package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
)

var (
	frontBig   = regexp.MustCompile(`<span class="value">([^<]*)</span> <span class="label">([^<]*)</span>`)
	frontCard  = regexp.MustCompile(`(?s)<article class="card".*?</article>`)
	frontID    = regexp.MustCompile(`<span class="id">([0-9.]+)</span>`)
	frontSize  = regexp.MustCompile(`<p class="size"><strong>([^<]*)</strong> <span class="quiet">([^<]*)</span>`)
	frontMark  = regexp.MustCompile(`<span class="what">([^<]*)</span> <span class="number">([^<]*?)(?: <span class="quiet">([^<]*)</span>)?</span>`)
	frontSides = regexp.MustCompile(`(?s)<section aria-labelledby="sides">.*?</section>`)
	frontTable = regexp.MustCompile(`(?s)<table class="side"><caption>(.*?) <span class="quiet">.*?</table>`)
	frontRow   = regexp.MustCompile(`<tr><th scope="row">([0-9.]+) [^<]*</th>.*?</td><td>([^<]*)</td>`)
)

// TestFirstPagesOfRealData compares every number of the first pages of real
// reports with what is counted here from the rows of the run, record by record.
func TestFirstPagesOfRealData(t *testing.T) {
	if testing.Short() {
		t.Skip("fits real data sets")
	}
	for _, c := range []struct{ set, args string }{
		{"desynpuf", "fit DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.csv.gz --leaves 6 --stability off --label CLM_PMT_AMT,CLM_UTLZTN_DAY_CNT"},
		{"diabetes130", "fit diabetic_data.csv.gz --code diag_? --label age,time_in_hospital,readmitted --leaves 6 --stability off"},
	} {
		t.Run(c.set, func(t *testing.T) {
			dir, args := t.TempDir(), strings.Fields(c.args)
			args[1] = numtest.Data(t, c.set, args[1])
			folder, page := filepath.Join(dir, "run"), filepath.Join(dir, "report.html")
			done(t, append(args, "-o", folder, "-q")...)
			done(t, "report", folder, "-o", page, "-q")
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			f := newFront(t, folder)
			f.check(html.UnescapeString(string(text)))
		})
	}
}

// front is what is known of a run by its rows alone.
type front struct {
	t       *testing.T
	n       int
	members map[string][]int // of every node: its records
	leaves  []string
	have    map[int][]bool // of a feature: the records that have it
	names   []string
	titles  []string
	side    map[string][]string
}

func newFront(t *testing.T, folder string) *front {
	t.Helper()
	r, err := run.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	data, forget, err := r.Records()
	if err != nil {
		t.Fatal(err)
	}
	defer forget()
	f := &front{t: t, members: make(map[string][]int), have: make(map[int][]bool), side: make(map[string][]string)}
	for j := range r.Outcome.K() {
		f.leaves = append(f.leaves, r.GroupID(j))
	}
	err = data.Each(t.Context(), func(first int, part *dataset.Dataset) error {
		f.names, f.titles = part.Vocab.Names, part.Vocab.Titles
		for i := range part.Len() {
			at := first + i
			for id := f.leaves[r.Outcome.Group[at]]; ; {
				f.members[id] = append(f.members[id], at)
				dot := strings.LastIndexByte(id, '.')
				if dot < 0 {
					break
				}
				id = id[:dot]
			}
			index, _ := part.Rows.Row(i)
			for _, h := range index {
				if f.have[int(h)] == nil {
					f.have[int(h)] = make([]bool, data.Len())
				}
				f.have[int(h)][at] = true
			}
		}
		for _, s := range part.Side {
			for _, v := range s.Values {
				f.side[s.Name] = append(f.side[s.Name], strings.Clone(v))
			}
		}
		f.n += part.Len()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// check compares the numbers of a page.
func (f *front) check(page string) {
	f.t.Helper()
	most := 0
	for _, id := range f.leaves {
		most = max(most, len(f.members[id]))
	}
	big := frontBig.FindAllStringSubmatch(page, -1)
	if len(big) < 3 || big[0][1] != fmt.Sprint(len(f.leaves)) || big[1][1] != report.Thousands(f.n) || big[2][1] != report.Percent(float64(most)/float64(f.n)) {
		f.t.Errorf("big numbers %q; %d groups of %d, the largest %d", big, len(f.leaves), f.n, most)
	}
	cards := frontCard.FindAllString(page, -1)
	if len(cards) < len(f.leaves) {
		f.t.Fatalf("%d cards of %d groups", len(cards), len(f.leaves))
	}
	marks := 0
	for _, card := range cards {
		marks += f.card(card)
	}
	rows := 0
	for _, table := range frontTable.FindAllStringSubmatch(frontSides.FindString(page), -1) {
		rows += f.table(table[1], table[0])
	}
	if marks < 10 || rows < 5 {
		f.t.Errorf("%d marks and %d rows were compared: the test tests nothing", marks, rows)
	}
}

// card compares a card and returns how many marks it has.
func (f *front) card(card string) int {
	f.t.Helper()
	id := frontID.FindStringSubmatch(card)[1]
	in := f.members[id]
	size := frontSize.FindStringSubmatch(card)
	if size[1] != report.Percent(float64(len(in))/float64(f.n)) || !strings.HasPrefix(size[2], fmt.Sprintf("%s of %s ", report.Thousands(len(in)), report.Thousands(f.n))) {
		f.t.Errorf("%s: size %q, want %d of %d", id, size[1:], len(in), f.n)
	}
	marks := frontMark.FindAllStringSubmatch(card, -1)
	for _, m := range marks {
		h := slices.IndexFunc(f.titles, func(s string) bool { return strings.EqualFold(m[1], s) || strings.EqualFold(m[1], codes.Short(s)) })
		if h < 0 {
			h = slices.Index(f.names, m[1])
		}
		if h < 0 {
			f.t.Errorf("%s: no feature %q", id, m[1])
			continue
		}
		have, all := 0, 0
		for _, yes := range f.have[h] {
			if yes {
				all++
			}
		}
		for _, i := range in {
			if f.have[h][i] {
				have++
			}
		}
		p, q := float64(have)/float64(len(in)), float64(all)/float64(f.n)
		if m[2] != report.Percent(p) {
			f.t.Errorf("%s, %s: %q, want %s", id, m[1], m[2], report.Percent(p))
		}
		ratio := strings.TrimSuffix(m[3], "× as often")
		if rough, ok := strings.CutPrefix(ratio, "about "); ok { // rounded, where others could be found by it
			if v, err := strconv.ParseFloat(rough, 64); err != nil || math.Abs(v/(p/q)-1) > .25 {
				f.t.Errorf("%s, %s: about %s, want %.2f", id, m[1], rough, p/q)
			}
		} else if ratio != report.Times(p/q) {
			f.t.Errorf("%s, %s: %q times, want %s", id, m[1], ratio, report.Times(p/q))
		}
	}
	return len(marks)
}

// table compares a side column by group and returns how many rows it has.
func (f *front) table(title, table string) int {
	f.t.Helper()
	name, level, answer := strings.Cut(title, " = ")
	values, ok := f.side[name]
	if !ok {
		f.t.Errorf("no side column %q", name)
		return 0
	}
	n := 0
	for _, row := range frontRow.FindAllStringSubmatch(table, -1) {
		sum, count := 0.0, 0.0
		for _, i := range f.members[row[1]] {
			if answer {
				count++
				if values[i] == level {
					sum++
				}
				continue
			}
			if x, err := strconv.ParseFloat(values[i], 64); err == nil {
				sum, count = sum+x, count+1
			}
		}
		want := report.Amount(sum / count)
		if answer {
			want = report.Percent(sum / count)
		}
		if level == "(other)" || row[2] == "" { // put together, or withheld
			continue
		}
		if n++; row[2] != want {
			f.t.Errorf("%s, group %s: %q, want %s", title, row[1], row[2], want)
		}
	}
	return n
}
