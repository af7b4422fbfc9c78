package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
)

// table is a small file of some kind and shape.
type smallFile struct {
	kind, shape string
	n, d        int
	text        string
}

// cellKinds make the cell of record i, column j, of three kinds of records.
func cellKinds() map[string]func(r func(int) int, i, j int) string {
	return map[string]func(r func(int) int, i, j int) string{
		"0/1":    func(r func(int) int, i, j int) string { return fmt.Sprint((r(4) + i + j) % 3 / 2) },
		"words":  func(r func(int) int, i, j int) string { return []string{"low", "mid", "high"}[(i+j+r(2))%3] },
		"counts": func(r func(int) int, i, j int) string { return fmt.Sprint(r(3) * (1 + (i+j)%3*4)) },
		"real": func(r func(int) int, i, j int) string {
			return fmt.Sprintf("%.3f", float64(r(1000))/500+float64((i*(j+1))%3*5))
		},
		"levels": func(r func(int) int, i, j int) string { return fmt.Sprint((i+j+r(2))%3 + 1) },
		"mixed": func(r func(int) int, i, j int) string {
			switch j % 3 {
			case 0:
				return fmt.Sprintf("%.2f", float64(r(100))/50+float64(i%2*9))
			case 1:
				return []string{"red", "green"}[(i+r(2))%2]
			}
			return fmt.Sprint((i + r(2)) % 2)
		},
	}
}

// shapes of tables: how many records and columns, and what is done to a cell.
func tableShapes() []struct {
	name string
	n, d int
	cell func(cell string, i, j int) string
} {
	same := func(c string, _, _ int) string { return c }
	return []struct {
		name string
		n, d int
		cell func(cell string, i, j int) string
	}{
		{"plain", 40, 5, same},
		{"one record", 1, 4, same},
		{"two records", 2, 4, same},
		{"three records", 3, 4, same},
		{"one column", 30, 1, same},
		{"two columns", 30, 2, same},
		{"all equal", 20, 4, func(string, int, int) string { return "1" }},
		{"all zero", 20, 4, func(string, int, int) string { return "0" }},
		{"all missing", 20, 4, func(string, int, int) string { return "" }},
		{"half missing", 30, 4, func(c string, i, j int) string {
			if (i+j)%2 == 0 {
				return ""
			}
			return c
		}},
		{"one column missing", 30, 4, func(c string, _, j int) string {
			if j == 1 {
				return ""
			}
			return c
		}},
		{"empty records", 30, 4, func(c string, i, _ int) string {
			if i%5 == 0 {
				return ""
			}
			return c
		}},
		{"one constant column", 30, 4, func(c string, _, j int) string {
			if j == 2 {
				return "1"
			}
			return c
		}},
		{"one huge value", 30, 4, func(c string, i, j int) string {
			if i == 7 && j == 1 {
				return "1e300"
			}
			return c
		}},
		{"huge values", 30, 4, func(c string, i, j int) string { return fmt.Sprintf("%de17", 1+(i*j)%7) }},
		{"tiny values", 30, 4, func(c string, i, j int) string { return fmt.Sprintf("%de-300", 1+(i*j)%7) }},
		{"negative values", 30, 4, func(c string, i, j int) string { return "-" + fmt.Sprint(1+(i+j)%5) }},
		{"many columns", 6, 40, same},
	}
}

// degenerate makes the tables of every kind and shape.
func degenerate() []smallFile {
	var out []smallFile
	kinds := cellKinds()
	var names []string
	for k := range kinds {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, kind := range names {
		for _, s := range tableShapes() {
			r := stream.New(3, "cmd/degenerate/"+kind)
			var b strings.Builder
			b.WriteString("id")
			for j := range s.d {
				fmt.Fprintf(&b, ",x%c%c", 'a'+j/26, 'a'+j%26)
			}
			for i := range s.n {
				fmt.Fprintf(&b, "\nr%03d", i)
				for j := range s.d {
					b.WriteString("," + s.cell(kinds[kind](r.IntN, i, j), i, j))
				}
			}
			b.WriteString("\n")
			out = append(out, smallFile{kind, s.name, s.n, s.d, b.String()})
		}
	}
	return append(out, otherFiles()...)
}

// otherFiles are degenerate lists of codes and texts.
func otherFiles() []smallFile {
	long := func(lines ...string) string { return "patient,code\n" + strings.Join(lines, "\n") + "\n" }
	var list, texts, sequences []string
	for i := range 30 {
		list = append(list, fmt.Sprintf("p%d,%s", i/3, []string{"428.0", "250.00", "401.9", "038.9"}[(i*i+i/3)%4]))
		texts = append(texts, []string{"the heart fails again", "sugar in blood and urine", "a fever of unknown cause in blood"}[i%3])
		sequences = append(sequences, fmt.Sprintf("%d,%d,%d,%d", i%2, (i+1)%2, i/2%2, i%2))
	}
	return []smallFile{
		{"codes", "plain", 10, 4, long(list...)},
		{"codes", "one record", 1, 2, long("a,428.0", "a,250.00")},
		{"codes", "one code", 1, 1, long("a,428.0")},
		{"codes", "all equal", 3, 1, long("a,428.0", "b,428.0", "c,428.0")},
		{"codes", "all different", 3, 3, long("a,428.0", "b,250.00", "c,401.9")},
		{"texts", "plain", 30, 10, strings.Join(texts, "\n") + "\n"},
		{"texts", "one text", 1, 4, "the heart fails again\n"},
		{"texts", "one word", 1, 1, "heart\n"},
		{"texts", "empty lines", 3, 4, "the heart\n\n\nfails again\n"},
		{"sequences", "plain", 30, 2, "s1,s2,s3,s4\n" + strings.Join(sequences, "\n") + "\n"},
	}
}

// sweep tries what can be tried with one file and reports every panic and every
// run that was written and cannot be used.
type sweep struct {
	t     *testing.T
	codes map[int]int
	fits  int
}

func (s *sweep) run(args ...string) (int, string) {
	code, _, said := inProcess(s.t, nil, append(args, "-q")...)
	if strings.Contains(said, "fault of moiety") {
		_, rest, _ := strings.Cut(said, "add the file ")
		path, _, _ := strings.Cut(rest, ", which")
		text, _ := os.ReadFile(path)
		s.t.Errorf("moiety %s\n%s", strings.Join(args, " "), text)
	}
	return code, said
}

// try fits and, where that gave a run, uses it: in every way where all is set,
// which draws pictures too.
func (s *sweep) try(all bool, data string, flags ...string) {
	s.fits++
	r := filepath.Join(s.t.TempDir(), "r")
	code, said := s.run(append([]string{"fit", data, "-o", r}, flags...)...)
	s.codes[code]++
	if code == exitError {
		s.t.Logf("exit 1: %s %s: %s", filepath.Base(data), strings.Join(flags, " "), said)
	}
	if code != exitDone {
		return
	}
	out := filepath.Join(s.t.TempDir(), "out")
	uses := [][]string{
		{"show", r},
		{"show", r, "--json"},
		{"eval", r},
		{"sample", r, "-n", "30", "-o", out + ".sample.csv"},
		{"assign", r, data, "-o", out + ".assigned.csv"},
		{"export", r, "--to", "csv", "-o", out + ".csv"},
	}
	if all {
		uses = append(uses, []string{"compare", r, r}, []string{"report", r, "-o", out + ".html"}, []string{"report", r, "-o", out + ".pdf"})
		for to := range exporters() {
			if to != "csv" && to != "omop-cohort" { // wants dates
				uses = append(uses, []string{"export", r, "--to", to, "-o", out + "." + to})
			}
		}
	}
	for _, use := range uses {
		if code, said := s.run(use...); code != exitDone && !honest(said) {
			s.t.Errorf("fit %s %s, then %s: exit %d: %s", filepath.Base(data), strings.Join(flags, " "), strings.Join(use[:1], " ")+" "+use[len(use)-1], code, said)
		}
	}
}

// honest lists what a run may refuse.
func honest(said string) bool {
	for _, words := range []string{
		"of so few nothing is shared",
		"sequences cannot be written yet", "has no model to draw from", "there is no tree", "nothing to draw", "are not drawn", "too small to be told", "the model cannot be told", "cannot be told without its rare",
	} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// Nothing panics and every run that is written can be used: every family on
// every kind of column in every degenerate shape; "make test" takes one in seven
// of these, each family and each shape among them, "make test-long" all.
func TestDegenerate(t *testing.T) {
	numtest.NotShort(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	models := append(model.Names(), "auto")
	total := &sweep{t: t, codes: map[int]int{}}
	step := numtest.Scale(7, 7, 3)
	for at, f := range degenerate() {
		t.Run(f.kind+" "+f.shape, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), strings.ReplaceAll(f.kind+"-"+f.shape, "/", "")+".csv")
			if f.kind == "texts" {
				data = strings.TrimSuffix(data, ".csv") + ".txt"
			}
			if err := os.WriteFile(data, []byte(f.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := &sweep{t: t, codes: total.codes}
			for m, name := range models {
				if (at+m)%step != 0 {
					continue
				}
				flags := []string{"--model", name}
				if name == "multiview" {
					flags = append(flags, "--views", "xa[ab]:xa[!ab]")
				}
				for _, k := range []int{1, 2, 3, f.n, f.n + 1} {
					if k > 6 || step > 1 && k != 2 && k != f.n {
						continue
					}
					s.try(k == 2 && at%step == 0, data, append(slices.Clone(flags), "-k", fmt.Sprint(k))...)
				}
				s.try(at%(3*step) == 0, data, flags...)
			}
			if at%step == 0 {
				s.try(true, data, "--model", modelFree)
				s.try(false, data, "--leaves", "3")
			}
			total.fits += s.fits
		})
	}
	t.Logf("%d fits; by exit code %v; %d MB kept", total.fits, total.codes, kept()>>20)
	if kept() > 64<<20 {
		t.Errorf("%d MB are kept after %d fits in one process", kept()>>20, total.fits)
	}
}

// kept is the memory that is in use after a collection.
func kept() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A program that calls commands again and again keeps nothing of those that
// ended: a hundred command lines are 30 MB.
func TestNothingIsKept(t *testing.T) {
	inProcess(t, nil, "version")
	before := kept()
	times := numtest.Scale(25, 100, 100)
	for range times {
		inProcess(t, nil, "version")
		inProcess(t, nil) // the page of help
	}
	if grown := int64(kept()) - int64(before); grown > int64(times)*40<<10 {
		t.Errorf("%d commands keep %d kB", 2*times, grown>>10)
	}
	for _, ask := range [][]string{{"fit", "--model", ""}, {"export", "--to", ""}, {"show", "--progress", ""}} {
		_, out, _ := inProcess(t, nil, append([]string{"__complete"}, ask...)...)
		if want := map[string]string{"--model": "bernoulli\n", "--to": "ldavis\n", "--progress": "plain\n"}[ask[1]]; !strings.Contains(out, want) {
			t.Errorf("a shell is offered %q for %s", out, ask[1])
		}
	}
}
