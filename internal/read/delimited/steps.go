package delimited

import (
	"fmt"
	"maps"
	"slices"
)

const (
	fewestTimes = 6  // columns named like points in time that may be the steps of a sequence
	nearer      = .2 // how much more alike than others neighbours are among steps, of 1 for equal
)

// times returns the columns that are named like points in time and hold a few words, nil
// where they are too few for a sequence.
func (p *Profile) times(o Options) []int {
	columns := timeColumns(p)
	if len(o.Columns) > 0 {
		chosen, err := p.match(o.Columns)
		columns = slices.DeleteFunc(columns, func(i int) bool { return err == nil && !slices.Contains(chosen, i) })
	}
	if len(columns) < fewestTimes || !p.states(columns) {
		return nil
	}
	return columns
}

// areSteps reports that such columns are the steps of sequences: no other column may make
// groups, or those that may hold other things than the steps, and steps are the more alike
// the nearer they are. Names alone leave nothing out.
func (p *Profile) areSteps(columns []int, o Options) bool {
	others := p.besides(columns, o)
	if len(others) == 0 {
		return true
	}
	states := map[string]bool{}
	for _, i := range columns {
		for text := range p.Columns[i].sample {
			states[text] = true
		}
	}
	return !slices.ContainsFunc(others, func(i int) bool { return p.Columns[i].sharesAny(states) }) && p.nearAlike(columns)
}

// besides returns the columns beside some that may make groups and that nobody kept out.
func (p *Profile) besides(columns []int, o Options) (others []int) {
	told := newPlan().labels(p, o)
	for _, name := range []string{o.ID, o.Time} {
		if i, err := p.find(name); err == nil {
			told[i] = true
		}
	}
	for i, k := range p.judge() {
		if k.fits && !told[i] && !slices.Contains(columns, i) && !p.Columns[i].Unique() {
			others = append(others, i)
		}
	}
	return others
}

// nearAlike reports that neighbours among the columns are more alike in the first rows than
// columns far apart, beyond what chance makes of how frequent their values are.
func (p *Profile) nearAlike(columns []int) bool {
	near, far := alikeness{}, alikeness{}
	for a, i := range columns {
		for b, j := range columns[:a] {
			switch {
			case a-b == 1:
				near.add(p.top, i, j)
			case 2*(a-b) >= len(columns):
				far.add(p.top, i, j)
			}
		}
	}
	return near.kappa() >= far.kappa()+nearer
}

// alikeness counts how often two cells of a row are equal, and how often chance makes them so
// (Cohen's kappa, over several pairs of columns).
type alikeness struct{ equal, chance, rows float64 }

func (k *alikeness) add(rows [][]string, i, j int) {
	n, equal := 0.0, 0.0
	first, second := map[string]float64{}, map[string]float64{}
	for _, row := range rows {
		if len(row) <= max(i, j) || missing([]byte(row[i])) || missing([]byte(row[j])) {
			continue
		}
		n++
		first[row[i]]++
		second[row[j]]++
		if row[i] == row[j] {
			equal++
		}
	}
	if n == 0 {
		return
	}
	k.rows, k.equal = k.rows+n, k.equal+equal
	for _, text := range slices.Sorted(maps.Keys(first)) {
		k.chance += first[text] * second[text] / n
	}
}

func (k *alikeness) kappa() float64 {
	if k.rows <= k.chance {
		return 0
	}
	return (k.equal - k.chance) / (k.rows - k.chance)
}

// span names the first and the last of some columns.
func (p *Profile) span(columns []int) string {
	return fmt.Sprintf("the columns %s to %s", p.Columns[columns[0]].Name, p.Columns[columns[len(columns)-1]].Name)
}
