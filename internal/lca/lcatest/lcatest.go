// Package lcatest reads the classic sets of latent class analysis and the
// figures that other programs print of them (reference.csv), and makes tables of
// known classes. Only tests and experiments import it.
package lcatest

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Set is a set of answers, one row a record.
type Set struct {
	Name      string
	Rows      sparse.Rows
	Questions []family.Question
	Vocab     *vocab.Vocab
	Items     []string            // names of the questions
	Answers   [][]string          // of every question
	Side      map[string][]string // columns that are no questions, "" where missing
}

// Sets are the names of all sets, the quickest first.
var Sets = []string{"carcinoma", "values", "cheating", "hivtests", "alzheimer", "gss82", "dentistry", "hads", "pap", "naep", "election"}

// beside are the columns that are no questions.
var beside = []string{"GPA", "VOTE3", "AGE", "EDUC", "GENDER", "PARTY"}

func table(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(numtest.Data(t, "lca", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Load reads a set; complete leaves out records with a missing answer.
func Load(t testing.TB, name string, complete bool) *Set {
	t.Helper()
	all := table(t, name+".csv")
	head, all := all[0], all[1:]
	s := &Set{Name: name, Vocab: &vocab.Vocab{}, Side: map[string][]string{}}
	var columns []int
	for c, item := range head {
		if !slices.Contains(beside, item) {
			columns, s.Items = append(columns, c), append(s.Items, item)
		}
	}
	for q, c := range columns {
		var levels []string
		for _, r := range all {
			if r[c] != "NA" && !slices.Contains(levels, r[c]) {
				levels = append(levels, r[c])
			}
		}
		slices.Sort(levels)
		from := len(s.Vocab.Names)
		for _, l := range levels {
			s.Vocab.Names = append(s.Vocab.Names, s.Items[q]+"="+l)
		}
		s.Answers = append(s.Answers, levels)
		s.Questions = append(s.Questions, family.Question{From: from, To: from + len(levels)})
		s.Vocab.Columns = append(s.Vocab.Columns, vocab.Column{Name: s.Items[q], Kind: vocab.Categorical, From: from, To: from + len(levels)})
	}
	b := sparse.NewBuilder(len(s.Vocab.Names), true)
	for _, r := range all {
		var index []uint32
		for q, c := range columns {
			if a := slices.Index(s.Answers[q], r[c]); a >= 0 {
				index = append(index, uint32(s.Questions[q].From+a))
			}
		}
		if complete && len(index) < len(columns) {
			continue
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
		for c, item := range head {
			if v := r[c]; slices.Contains(beside, item) {
				if v == "NA" {
					v = ""
				}
				s.Side[item] = append(s.Side[item], v)
			}
		}
	}
	s.Rows = b.Rows()
	return s
}

// Blocks returns the questions as runs of features.
func (s *Set) Blocks() [][2]int {
	out := make([][2]int, len(s.Questions))
	for i, q := range s.Questions {
		out[i] = [2]int{q.From, q.To}
	}
	return out
}

// Figure is a row of reference.csv.
type Figure struct {
	Set, Records, Quantity, Item, Answer string
	K, Class                             int
	Value, Outer, Observed               float64 // Value, and its standard errors: 0 for none
}

// Reference reads the figures of all sets.
func Reference(t testing.TB) []Figure {
	t.Helper()
	var out []Figure
	number := func(s string) float64 {
		if s == "" {
			return 0
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, r := range table(t, "reference.csv")[1:] {
		out = append(out, Figure{
			Set: r[0], Records: r[1], K: int(number(r[3])), Quantity: r[4], Class: int(number(r[5])), Item: r[6], Answer: r[7],
			Value: number(r[8]), Outer: number(r[9]), Observed: number(r[10]),
		})
	}
	return out
}

// Best returns the best log-likelihood of k classes that other programs reach
// on all records, and whether it was measured.
func Best(figures []Figure, set string, k int) (float64, bool) {
	best, ok := 0.0, false
	for _, f := range figures {
		if f.Set == set && f.K == k && f.Quantity == "log_likelihood" && (!ok || f.Records == "all") {
			best, ok = f.Value, true
		}
	}
	return best, ok
}
