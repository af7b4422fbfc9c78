package twoviews

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

const (
	regionCodes  = 30
	regionGroups = 5
	regionSeeds  = 4
)

// regions joins the genotypes of hgdp with codes that are drawn: the set has regions
// and no phenotypes, so every region gets risks of its own, and every person codes by
// the risks of the region.
func regions(ctx context.Context, w io.Writer) error {
	data, err := lab.Open(ctx, [][]string{{"hgdp", "genotypes.txt.gz"}}, read.Options{}, encode.Settings{})
	if err != nil {
		return err
	}
	words, err := regionsOf()
	if err != nil {
		return err
	}
	labels, names := lab.Numbers(words)
	alleles := dense(data)
	lab.Heading(w, "hgdp: %d people, %d loci, and %d codes drawn by region, %d groups; ARI with the regions, %d seeds of the codes", len(labels), len(alleles[0]), regionCodes, regionGroups, regionSeeds)
	t := lab.NewTable("codes", "two views", "alleles alone", "codes alone", "agreement", "told as shared")
	first, _, err := score(ctx, rows(alleles), alleleSpec, regionGroups, labels)
	if err != nil {
		return err
	}
	for _, other := range []bool{false, true} {
		var both, second, agreement, shares lab.Series
		for _, seed := range lab.Seeds(ctx, firstSeed, regionSeeds) {
			own := regionalCodes(seed, labels, len(names), other)
			a, o, err := score(ctx, rows(alleles, own), twoViews(len(alleles[0]), regionCodes), regionGroups, labels)
			if err != nil {
				return err
			}
			b, _, err := score(ctx, rows(own), codeSpec, regionGroups, labels)
			if err != nil {
				return err
			}
			x, s := describe(o, "codes")
			both, second, agreement, shares = append(both, a), append(second, b), append(agreement, x), append(shares, s)
		}
		t.Add(map[bool]string{false: "of the person", true: "of somebody else"}[other], both, first, second, agreement, shares)
	}
	t.Write(w)
	return belonging(ctx, w, data, alleles, words, labels, len(names))
}

// belonging tells which alleles and codes mark each group, as a report does.
func belonging(ctx context.Context, w io.Writer, data *lab.Real, alleles [][]float32, words []string, labels []int, k int) error {
	own := regionalCodes(firstSeed, labels, k, false)
	d := &dataset.Dataset{Kind: record.Counts, Rows: rows(alleles, own), Vocab: &vocab.Vocab{Names: append([]string(nil), data.Vocab.Names...)}}
	for h := range regionCodes {
		d.Vocab.Names = append(d.Vocab.Names, fmt.Sprintf("code %d", h+1))
	}
	f := lab.Generated(d.Rows, d.Kind)
	f.Vocab = d.Vocab
	o, err := lab.Flat(ctx, f, twoViews(len(alleles[0]), regionCodes), regionGroups, "", "")
	if err != nil {
		return err
	}
	r, err := explain.New(ctx, o, d, report.Settings{})
	if err != nil {
		return err
	}
	risk := risks(stream.New(firstSeed, "experiments/two-views/risks"), regionCodes, k)
	lab.Heading(w, "hgdp, codes of seed %d: what marks the groups in each view", firstSeed)
	t := lab.NewTable("group", "people", "most from", "alleles", "codes", "of these codes, more likely in that region than on average")
	for j, at := range r.Leaves {
		g := &r.Groups[at]
		region, name := mostOf(o.Group, int32(j), labels, words)
		right, all := 0, 0
		for _, x := range g.Views[1].Typical {
			q := risk[x.Index-len(alleles[0])]
			mean := 0.0
			for _, l := range labels {
				mean += q[l] / float64(len(labels))
			}
			if all++; q[region] > mean {
				right++
			}
		}
		t.Add(g.ID, g.N.String(), name, marks(g.Views[0]), marks(g.Views[1]), fmt.Sprintf("%d of %d", right, all))
	}
	t.Write(w)
	return nil
}

func marks(v report.ViewMarks) string {
	var out []string
	for _, f := range v.Typical[:min(len(v.Typical), 5)] {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}

// mostOf returns the region of most people of a group, with its name.
func mostOf(group []int32, j int32, labels []int, words []string) (int, string) {
	count := map[int]int{}
	best, name := -1, ""
	for i, g := range group {
		if g == j {
			count[labels[i]]++
		}
	}
	for i, l := range labels { // in the order of the people
		if group[i] == j && (best < 0 || count[l] > count[best]) {
			best, name = l, words[i]
		}
	}
	return best, name
}

// regionalCodes draws the codes of every person, or gives them to others.
func regionalCodes(seed uint64, labels []int, k int, other bool) [][]float32 {
	q := risks(stream.New(seed, "experiments/two-views/risks"), regionCodes, k)
	r := stream.New(seed, "experiments/two-views/regions")
	out := make([][]float32, len(labels))
	for i, l := range labels {
		out[i] = had(r, q, l)
	}
	if other {
		return mislaid(r, out)
	}
	return out
}

// dense returns the copies of every person.
func dense(data *lab.Real) [][]float32 {
	out := make([][]float32, data.Rows.N())
	for i := range out {
		out[i] = make([]float32, data.Rows.Dim)
		index, value := data.Rows.Row(i)
		for e, h := range index {
			out[i][h] = 1
			if value != nil {
				out[i][h] = value[e]
			}
		}
	}
	return out
}

// regionsOf reads the region of every person.
func regionsOf() ([]string, error) {
	path, err := lab.Path("hgdp", "labels.txt")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	s := bufio.NewScanner(f)
	for s.Scan() {
		if line := strings.TrimSpace(s.Text()); line != "" {
			out = append(out, line)
		}
	}
	return out, s.Err()
}
