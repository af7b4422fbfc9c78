package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

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
	frontRow   = regexp.MustCompile(`<tr><th scope="row">([0-9.]+) [^<]*</th>.*?</td><td>([^<]*)</td><td class="quiet">([^<]*)</td>`)
	frontCell  = regexp.MustCompile(`<p class="outcome">(.*?)(?: on average|:)? ([0-9.,]+(?: %)?)(?: on average)? \(([^)]*)\)</p>`)
)

// TestFirstPagesOfRealData compares every number of the first pages of real
// reports with what is counted here from the rows of the run, record by record.
func TestFirstPagesOfRealData(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: fits real data sets")
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
			paper := filepath.Join(dir, "report.pdf")
			done(t, "report", folder, "-o", paper, "-q")
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			f := newFront(t, folder)
			f.check(strings.ReplaceAll(html.UnescapeString(string(text)), "\u00a0", " "))
			f.paper(paper)
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
	marks, shown := 0, 0
	for _, card := range cards {
		marks += f.card(card)
		shown += f.outcomes(card)
	}
	rows := 0
	for _, table := range frontTable.FindAllStringSubmatch(frontSides.FindString(page), -1) {
		rows += f.table(table[1], table[0])
	}
	if marks < 10 || rows < 5 || shown < 5 {
		f.t.Errorf("%d marks, %d outcomes and %d rows were compared: the test tests nothing", marks, shown, rows)
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
		f.mark(id, m[1], m[2], strings.TrimSuffix(m[3], "× as often"))
	}
	return len(marks)
}

// mark compares what marks a group: its share there, and how many times as often as
// overall that is.
func (f *front) mark(id, name, share, ratio string) {
	f.t.Helper()
	in := f.members[id]
	h := slices.IndexFunc(f.titles, func(s string) bool { return strings.EqualFold(name, s) || strings.EqualFold(name, codes.Short(s)) })
	if h < 0 {
		h = slices.Index(f.names, name)
	}
	if short, code, ok := strings.Cut(strings.TrimSuffix(name, ")"), " ("); ok && h < 0 { // two have this short title
		if h = slices.Index(f.names, code); h >= 0 && !strings.EqualFold(short, codes.Short(f.titles[h])) {
			h = -1
		}
	}
	if h < 0 {
		f.t.Errorf("%s: no feature %q", id, name)
		return
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
	if share != report.Percent(p) {
		f.t.Errorf("%s, %s: %q, want %s", id, name, share, report.Percent(p))
	}
	if rough, ok := strings.CutPrefix(ratio, "about "); ok { // rounded, where others could be found by it
		if v, err := strconv.ParseFloat(rough, 64); err != nil || numtest.Off(v/(p/q), 1, .25) {
			f.t.Errorf("%s, %s: about %s, want %.2f", id, name, rough, p/q)
		}
	} else if ratio != report.Times(p/q) {
		f.t.Errorf("%s, %s: %q times, want %s", id, name, ratio, report.Times(p/q))
	}
}

// table compares a side column by group and returns how many rows it has.
func (f *front) table(title, table string) int {
	f.t.Helper()
	n := 0
	for _, row := range frontRow.FindAllStringSubmatch(table, -1) {
		if row[2] != "" && f.value(title, row[1], row[2], row[3]) {
			n++
		}
	}
	return n
}

// outcomes compares what a card tells of side columns and returns how many they are.
func (f *front) outcomes(card string) int {
	f.t.Helper()
	id, n := frontID.FindStringSubmatch(card)[1], 0
	for _, m := range frontCell.FindAllStringSubmatch(card, -1) {
		if f.value(m[1], id, m[2], m[3]) {
			n++
		}
	}
	return n
}

// value compares the mean of a side column in a group, or the share of an answer
// ("column = answer"), and its interval: Student's, and Wilson's. Answers that were
// put together are of nobody's column.
func (f *front) value(title, id, number, interval string) bool {
	f.t.Helper()
	name, level, answer := strings.Cut(title, " = ")
	values, ok := f.side[name]
	if !ok || level == "(other)" {
		if !ok {
			f.t.Errorf("no side column %q", name)
		}
		return false
	}
	var x []float64
	for _, i := range f.members[id] {
		v, err := strconv.ParseFloat(values[i], 64)
		switch {
		case answer && values[i] == level:
			x = append(x, 1)
		case answer:
			x = append(x, 0)
		case err == nil:
			x = append(x, v)
		}
	}
	n := float64(len(x))
	mean, sd := stat.MeanStdDev(x, nil)
	by := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(.975) * sd / math.Sqrt(n)
	write, low, high := report.Amount, mean-by, mean+by
	if answer {
		z2 := math.Pow(distuv.UnitNormal.Quantile(.975), 2)
		middle, half := (mean+z2/(2*n))/(1+z2/n), math.Sqrt(z2*(mean*(1-mean)/n+z2/(4*n*n)))/(1+z2/n)
		write, low, high = report.Percent, middle-half, middle+half
	}
	if number != write(mean) || interval != write(low)+" to "+write(high) {
		f.t.Errorf("%s, group %s: %s (%s), want %s (%s to %s)", title, id, number, interval, write(mean), write(low), write(high))
	}
	return true
}

var (
	paperGroup = regexp.MustCompile(`^(?:\? )?.* ([0-9.]+ %) ([0-9,]+) of ([0-9,]+) `)
	paperMark  = regexp.MustCompile(`(?:^|; )(.+?) ([0-9.]+ %) \((about )?([0-9.]+)×\)`)
	paperShare = regexp.MustCompile(`[0-9.]+ %`)
	paperRow   = regexp.MustCompile(`^([0-9.]+) .*`)
	paperCell  = regexp.MustCompile(`([0-9.,]+(?: %)?) \(([^)]* to [^)]*)\)`)
)

// paper compares the numbers of the first two pages on paper.
func (f *front) paper(path string) {
	f.t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		f.t.Skip("needs pdftotext (Debian: poppler-utils): the pages on paper are not looked at")
	}
	out, err := exec.Command(tool, "-raw", "-l", "2", path, "-").Output()
	if err != nil {
		f.t.Fatal(err)
	}
	shares := map[string]bool{}
	for _, in := range f.members {
		shares[report.Percent(float64(len(in))/float64(f.n))] = true
	}
	_, from, _ := strings.Cut(string(out), "\nAll ") // the picture, then the list
	groups, marks, cells := 0, 0, 0
	var titles []string
	for lines, i := strings.Split(from, "\n"), 0; i < len(lines); i++ {
		for _, s := range paperShare.FindAllString(lines[i], -1) {
			if groups == 0 && !shares[s] {
				f.t.Errorf("on paper: the picture has a group of %s", s)
			}
		}
		if strings.Contains(lines[i], "with 95 % intervals") && i+1 < len(lines) {
			titles = f.titlesOf(lines[i+1])
		}
		if m := paperGroup.FindStringSubmatch(lines[i]); m != nil && i+1 < len(lines) {
			groups++
			id := f.nodeOf(m[2])
			if share := report.Percent(float64(len(f.members[id])) / float64(f.n)); id == "" || m[1] != share || m[3] != report.Thousands(f.n) {
				f.t.Errorf("on paper: %q, want %s", lines[i], share)
				continue
			}
			for _, x := range paperMark.FindAllStringSubmatch(lines[i+1], -1) {
				marks++
				f.mark(id, x[1], x[2], x[3]+x[4])
			}
		}
		row := paperRow.FindStringSubmatch(lines[i])
		if values := paperCell.FindAllStringSubmatch(lines[i], -1); row != nil && len(values) > 0 && f.members[row[1]] != nil {
			if len(values) != len(titles) {
				f.t.Errorf("on paper: %q under %q", lines[i], titles)
				continue
			}
			for c, v := range values {
				cells++
				f.value(titles[c], row[1], v[1], v[2])
			}
		}
	}
	if groups < 2 || marks < 3*groups/2 || cells < 2*len(f.leaves) {
		f.t.Errorf("on paper: %d groups, %d marks and %d cells were compared", groups, marks, cells)
	}
}

// nodeOf returns the group with this many records: a leaf, or one that is recommended
// instead of what is below it.
func (f *front) nodeOf(n string) string {
	for id, in := range f.members {
		if report.Thousands(len(in)) == n {
			return id
		}
	}
	return ""
}

// titlesOf cuts the head of a table into side columns and their answers.
func (f *front) titlesOf(head string) []string {
	var at []int
	for name := range f.side {
		if i := strings.Index(" "+head+" ", " "+name+" "); i >= 0 {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	var out []string
	for i, from := range at {
		to := len(head)
		if i+1 < len(at) {
			to = at[i+1]
		}
		out = append(out, strings.TrimSpace(head[from:to]))
	}
	return out
}
