// Package sotu is the State of the Union addresses 1945 to 2006: [T] Fig. 3.4
// and Table 3.2, [S] Table 2.
//
// Claims of the papers: moments beat Gibbs sampling in coherence and time as
// the number of topics grows; the single-topic model is more coherent and
// faster than LDA; speeches of a president share their topics; five groups
// follow the eras.
//
// Command: go run -C experiments . sotu (needs the data set sotu)
//
// Ours: docs/results.md, rows "sotu".
package sotu

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/model"
)

// Address tells who spoke when.
type Address struct {
	Year      int
	President string
}

// Read returns the addresses with the most frequent words.
func Read(ctx context.Context, words dataset.Amount) (*lab.Real, []Address, error) {
	data, err := lab.Open(ctx, [][]string{{"sotu", "texts"}}, read.Options{}, encode.Settings{Encoding: dataset.Encoding{Vocab: words}})
	if err != nil {
		return nil, nil, err
	}
	out := make([]Address, data.Len())
	for i := range out {
		parts := strings.Split(data.ID(i), "-")
		year, err := strconv.Atoi(parts[0])
		if err != nil || len(parts) < 2 {
			return nil, nil, fmt.Errorf("sotu: file %q is not named year-president", data.ID(i))
		}
		out[i] = Address{Year: year, President: parts[1]}
	}
	return data, out, nil
}

// Run prints the tables.
func Run(ctx context.Context, w io.Writer, full bool) error {
	data, addresses, err := Read(ctx, dataset.Amount{Share: .7})
	if err != nil {
		return lab.Skipped(w, err)
	}
	ks, sweeps := []int{2, 5, 8, 18}, 300
	if full {
		ks, sweeps = []int{2, 3, 4, 5, 6, 8, 10, 12, 16, 18, 20, 24, 28, 32}, 2000
	}
	fits := lab.TopicFits(.2, sweeps)
	lab.Heading(w, "State of the Union, %d addresses, d=%d ([T] Fig. 3.4): mean coherence (UMass, 20 words)", data.Len(), data.Rows.Dim)
	if err := lab.CoherenceTable(ctx, w, "sotu", data.Fit(), ks, fits); err != nil {
		return err
	}
	if err := presidents(ctx, w, data, addresses, fits); err != nil {
		return err
	}
	if err := eighteen(ctx, w, data, addresses); err != nil {
		return err
	}
	return eras(ctx, w)
}

// presidents tells how far addresses of a president share their topic.
func presidents(ctx context.Context, w io.Writer, data *lab.Real, addresses []Address, fits []lab.TopicFit) error {
	lab.Heading(w, "Groups and presidents ([T] Fig. 3.4c)")
	var names []string
	for _, a := range addresses {
		names = append(names, a.President)
	}
	truth, known := lab.Numbers(names)
	t := lab.NewTable("method", "groups", "ARI with the president", "NMI", "mean spread of years in a group")
	add := func(name string, k int, labels []int) error {
		ari, err := agree.ARI(labels, truth)
		if err != nil {
			return err
		}
		nmi, err := agree.NMI(labels, truth)
		t.Add(name, k, ari, nmi, fmt.Sprintf("%.1f", spread(labels, addresses)))
		return err
	}
	for _, k := range []int{5, len(known)} {
		for _, f := range fits {
			got, err := f.Learn(ctx, data.Fit(), k)
			if err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			if err := add(f.Name, k, got.Labels); err != nil {
				return err
			}
		}
		o, err := grown(ctx, data, k)
		if err != nil {
			return err
		}
		if err := add("tree", k, lab.Ints(o.Group)); err != nil {
			return err
		}
	}
	t.Write(w)
	return nil
}

func grown(ctx context.Context, data *lab.Real, leaves int) (*fit.Outcome, error) {
	return fit.Tree(ctx, data.Fit(), fit.Settings{Tree: fit.TreeShape{Leaves: leaves}, Spec: model.Spec{Model: "single-topic"}, Workers: 1})
}

// spread is the standard deviation of the years inside groups: small where
// groups are eras.
func spread(labels []int, addresses []Address) float64 {
	sum, square, n := map[int]float64{}, map[int]float64{}, map[int]float64{}
	for i, l := range labels {
		y := float64(addresses[i].Year)
		sum[l] += y
		square[l] += y * y
		n[l]++
	}
	total := 0.0
	for l := range 64 { // in a fixed order
		if n[l] > 0 {
			total += math.Max(square[l]-sum[l]*sum[l]/n[l], 0)
		}
	}
	return math.Sqrt(total / float64(len(labels)))
}

// eighteen is [T] Table 3.2: eighteen topics in words, and who spoke on them.
func eighteen(ctx context.Context, w io.Writer, data *lab.Real, addresses []Address) error {
	const k = 18
	lab.Heading(w, "Eighteen topics of the default single-topic model ([T] Table 3.2)")
	got, err := lab.TopicFits(.2, 1)[0].Learn(ctx, data.Fit(), k)
	if err != nil {
		return err
	}
	t := lab.NewTable("topic", "five most relevant words (λ=0.7)", "addresses")
	for j, words := range lab.Relevant(got.Words, data.Rows, data.Vocab.Names, 5) {
		t.Add(j+1, lab.Joined(words), list(got.Labels, j, addresses))
	}
	t.Write(w)
	return nil
}

// eras is [S] Table 2: five groups over the 3000 most frequent words.
func eras(ctx context.Context, w io.Writer) error {
	data, addresses, err := Read(ctx, dataset.Amount{Count: 3000})
	if err != nil {
		return err
	}
	lab.Heading(w, "Five groups, d=%d ([S] Table 2)", data.Rows.Dim)
	t := lab.NewTable("method", "group", "ten most relevant words", "addresses")
	for _, f := range lab.TopicFits(.2, 1)[:2] {
		got, err := f.Learn(ctx, data.Fit(), 5)
		if err != nil {
			return err
		}
		for j, words := range lab.Relevant(got.Words, data.Rows, data.Vocab.Names, 10) {
			t.Add(f.Name, j+1, lab.Joined(words), list(got.Labels, j, addresses))
		}
		t.Add(f.Name, "–", fmt.Sprintf("mean spread of years in a group: %.1f", spread(got.Labels, addresses)), "")
	}
	for j, row := range paperEras {
		t.Add("[S] Table 2", j+1, row[0], row[1])
	}
	t.Write(w)
	return nil
}

var paperEras = [][2]string{
	{"construction, fiscal, legislative, peacetime, facilities", "Truman, Eisenhower, Kennedy, Johnson 1966–67, Nixon 1973, Ford 1975, 1977"},
	{"reducing, regulations, recovery, taxpayers, market", "Johnson 1963–65, 1968–69, Nixon 1970–74, Ford 1976, Carter 1978, Reagan, Bush 1990, 1992"},
	{"ideals, soviet, missile, potential, missiles", "Truman 1945, 1951, Eisenhower 1958, 1960, Carter 1979–80, Bush 1991, GW Bush 2003"},
	{"companies, invest, 21st, teachers, parents", "Bush 1989, Clinton"},
	{"September, enemies, terror, compassion, terrorists", "GW Bush 2001–02, 2004–05"},
}

// list names the addresses of a group, president by president.
func list(labels []int, group int, addresses []Address) string {
	var out []string
	last := ""
	for i, l := range labels {
		if l != group {
			continue
		}
		a := addresses[i]
		year := fmt.Sprintf("%02d", a.Year%100)
		if a.President == last {
			out[len(out)-1] += " " + year
		} else {
			out, last = append(out, a.President+" "+year), a.President
		}
	}
	return strings.Join(out, ", ")
}
