package delimited

import (
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/record"
)

// Bounds of answers in whole numbers from 0.
const (
	fewestItems = 3 // columns of one range that make a questionnaire
	cutOff      = 5 // cells above the top that counts would have at least: none is there by a chance of e^-3
)

// scales finds answers in whole numbers from 0: several columns of one small range whose
// top is the end of a scale. Counts have no end. Those of which every cell is Poisson, with
// whatever mean, have the more cells above the top the more cells lie at it (tail), and a
// table without any has answers. Columns of lower tops than most have answers too that
// nobody gave.
func (p *Profile) scales(out []kind) {
	var open []int
	all := make([]figures, len(out))
	for i, k := range out {
		f := p.Columns[i].figures(k.marks)
		if k.fits && !p.Columns[i].isDeclared() && (k.kind == record.Counts || k.kind == record.Real) && f.mayEnd() {
			all[i], open = f, append(open, i)
		}
	}
	for top := mostAnswers; top >= 2; top-- {
		var set, like []int
		reached := 0
		for _, i := range open {
			most := int(all[i].most)
			if 2*most > top && most <= 2*top {
				like = append(like, i)
			}
			if 2*most > top && most <= top {
				set = append(set, i)
			}
			if most == top {
				reached++
			}
		}
		if reached < fewestItems || 3*reached < len(set) || !p.ends(out, like, top) {
			continue
		}
		for _, i := range set {
			out[i].kind, out[i].answers = record.Categorical, true
		}
		open = slices.DeleteFunc(open, func(i int) bool { return out[i].answers })
	}
}

// mayEnd reports whole numbers from 0 that reach no further than answers do.
func (f figures) mayEnd() bool {
	return f.n > 0 && f.whole == f.n && f.levels != nil && f.least >= 0 && f.most >= 2 && f.most <= 2*mostAnswers
}

// ends reports that columns have far fewer cells above a number than counts would have at
// least. The mean of a Poisson cell that holds k is (k+1)·n(k+1)/n(k), and whatever the means
// are it does not fall with k: what it is below the top it is at least above. The one cell
// that makes a number the top of its column says nothing about an end.
func (p *Profile) ends(out []kind, columns []int, top int) bool {
	at, below, above := 0, 1, 0 // as if one more lay below: it may be none
	for _, i := range columns {
		for text, v := range p.Columns[i].sample {
			switch {
			case v.has(isNumber) == 0 || out[i].marks[text]:
			case v.x > float64(top):
				above += v.n
			case v.x == float64(top):
				at += v.n - 1
			case v.x == float64(top-1):
				below += v.n
			}
		}
	}
	mean, enough := float64(top*at)/float64(below), float64(cutOff+2*above)
	sum, next := 0.0, float64(at)
	for k := top + 1; sum < enough && next > 1e-3; k++ {
		next *= mean / float64(k)
		sum += next
	}
	return sum >= enough
}

// noteScales says which columns from 0 were taken for answers, and how to have them as what
// else they may be.
func (pl *plan) noteScales(p *Profile) {
	var names []string
	top := 0.0
	for _, f := range pl.features {
		c, k := &p.Columns[f.column], p.judge()[f.column]
		if x := c.figures(k.marks); k.answers && f.kind == record.Categorical && x.least == 0 && x.most >= 2 {
			names, top = append(names, c.Name), max(top, x.most)
		}
	}
	if len(names) == 0 || !pl.guessed {
		return
	}
	whole := len(names) == len(pl.features)
	others := "as counts: --format counts, as measurements: --format real"
	if !whole {
		one := quotedName(names[0])
		others = fmt.Sprintf("as counts: --columns %s=counts, as measurements: --columns %s=measurements", one, one)
	} else if top == 2 {
		others = "as copies of alleles: --format genotypes, " + others
	}
	words := "%s hold whole numbers from 0 to %v, as answers do, and were taken for answers; %s"
	if len(names) == 1 {
		words = "%s holds whole numbers from 0 to %v, as answers do, and was taken for answers; %s"
	}
	pl.choice(words, someOf(names, 5, len(pl.features)), top, others)
}
