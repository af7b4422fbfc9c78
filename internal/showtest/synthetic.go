package showtest

import (
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Synthetic makes the report of a tree with so many leaves and levels: a comb
// down to the last level, then halves of the largest, with two dozen features a
// group. Numbers are made up, and add up.
func Synthetic(leaves, deep int) *report.Report {
	r := &report.Report{
		Shape: report.Tree, Unit: report.Unit{One: "patient", Many: "patients", Feature: "diagnosis", Features: "diagnoses"},
		Limit: 11, Data: report.Data{Records: report.CountOf(100000), Rows: report.CountOf(100000), Features: 60, Files: []string{"made-up.csv"}, Date: "2026-01-31"},
		Claim:   &report.Claim{Groups: leaves, Range: [2]int{leaves, leaves + 2}, Sureness: report.Fair, Reason: "Made up to be drawn.", Repeat: report.NumberOf(0.83)},
		Summary: []string{"Made up."}, Next: []string{"Nothing."}, Methods: "Made up.", Lambda: 0.6,
	}
	type node struct {
		id, parent string
		level, n   int
		children   []string
	}
	nodes := []*node{{id: "1", n: 100000}}
	open := []*node{nodes[0]}
	split := func(x *node) {
		large := x.n * 3 / 5
		for c, n := range []int{large, x.n - large} {
			k := &node{id: fmt.Sprintf("%s.%d", x.id, c+1), parent: x.id, level: x.level + 1, n: n}
			x.children = append(x.children, k.id)
			nodes = append(nodes, k)
			open = append(open, k)
		}
	}
	for len(open) < leaves {
		best := -1
		for i, x := range open { // the deepest first, until the comb is long enough
			long := nodes[len(nodes)-1].level < deep
			if x.level < deep && (best < 0 || long && x.level > open[best].level || !long && x.n > open[best].n) {
				best = i
			}
		}
		x := open[best]
		open = append(open[:best:best], open[best+1:]...)
		split(x)
	}
	number := 0
	for i, x := range nodes {
		g := report.Group{
			ID: x.id, Parent: x.parent, Level: x.level, Children: x.children, N: report.CountOf(x.n), Share: report.NumberOf(float64(x.n) / 100000),
			Name: fmt.Sprintf("Illness %d, ailment %d of the body", i, i+1), Text: fmt.Sprintf("%d patients of group %s.", x.n, x.id), Whole: i == 0,
			Sureness: []report.Sureness{report.Sure, report.Fair, report.Doubtful}[i%3],
		}
		if i == 0 {
			g.Name, g.Sureness = "All patients", ""
		}
		if len(x.children) == 0 {
			number++
			g.Number = number
			r.Leaves = append(r.Leaves, i)
		} else {
			g.Split = &report.Split{Done: true, Gain: report.NumberOf(float64(x.n)), Stability: report.NumberOf(0.8), Sureness: report.Fair}
		}
		row := make([]report.Number, 60)
		for f := range row {
			share := math.Abs(math.Sin(float64(7*i+3*f))) * 0.9
			row[f] = report.NumberOf(share)
			x := report.Feature{
				Index: f, Name: fmt.Sprintf("%03d", 100+f), Title: fmt.Sprintf("Disorder number %d of some organ, not elsewhere classified", f), Short: fmt.Sprintf("disorder %d", f),
				Of: report.OfRecords, Share: row[f], Overall: report.NumberOf(0.3), Ratio: report.NumberOf(share / 0.3), Clear: share > 0.35,
				Count: report.CountOf(int(share * float64(nodes[i].n))), Low: report.NumberOf(share * 0.95), High: report.NumberOf(min(share*1.05, 1)), Relevance: report.NumberOf(math.Log(share)),
			}
			if len(g.Typical) < 20 && share > 0.3 {
				g.Typical = append(g.Typical, x)
			}
			if len(g.Frequent) < 20 {
				g.Frequent = append(g.Frequent, x)
			}
			if len(g.Rare) < 20 && share < 0.2 {
				g.Rare = append(g.Rare, x)
			}
		}
		r.Table.Shares = append(r.Table.Shares, row)
		r.Groups = append(r.Groups, g)
	}
	for f := range 60 {
		r.Table.Names, r.Table.Titles, r.Table.Of = append(r.Table.Names, fmt.Sprint(f)), append(r.Table.Titles, fmt.Sprint(f)), append(r.Table.Of, report.OfRecords)
	}
	for _, i := range r.Leaves {
		g := &r.Groups[i]
		for _, o := range r.Leaves {
			if o != i && len(g.Nearest) < 2 {
				g.Nearest = append(g.Nearest, report.Neighbour{ID: r.Groups[o].ID, Name: r.Groups[o].Name, Distance: report.NumberOf(0.2)})
			}
		}
		r.Table.Centers = append(r.Table.Centers, r.Table.Shares[i])
		r.Table.Weights = append(r.Table.Weights, g.Share)
	}
	r.Fit = report.Fit{Model: "bernoulli", Groups: leaves, Levels: deep, Program: "moiety test", Fingerprint: strings.Repeat("0a", 32)}
	return r
}
