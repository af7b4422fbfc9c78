package verdict

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// styled are three classes of a survey whose members lean to the middle or to the ends
// of every scale, each class in its own way.
func styled(seed uint64, n int) (sparse.Rows, [][2]int) {
	const d, k, answers = 16, 3, 5
	r := stream.New(seed, "test")
	own, middle := make([]float64, k*d), make([]float64, d)
	for j := range middle {
		middle[j] = .9 * r.NormFloat64()
	}
	for e := range own {
		own[e] = middle[e%d] + 1.5*r.NormFloat64()
	}
	b := sparse.NewBuilder(d*answers, true)
	var questions [][2]int
	for j := range d {
		questions = append(questions, [2]int{j * answers, (j + 1) * answers})
	}
	for i := range n {
		style, trait := math.Exp(.6*r.NormFloat64()), .7*r.NormFloat64()
		var row []uint32
		for j := range d {
			u := r.Float64()
			z, a := style*(own[i%k*d+j]+trait+math.Log(u/(1-u))), 0
			for _, cut := range []float64{-2, -.7, .7, 2} {
				if z > cut {
					a++
				}
			}
			row = append(row, uint32(j*answers+a))
		}
		_ = b.Add(row, nil)
	}
	return b.Rows(), questions
}

// Slices of what people lean to, in every class its own way, are no groups; any number of
// workers says the same.
func TestStylesAreNoGroups(t *testing.T) {
	numtest.NotShort(t)
	rows, questions := styled(0, 1200)
	var first []byte
	for _, workers := range []int{1, 8} {
		v, err := Discrete(context.Background(), pass.NewLocal(rows, workers), questions, Settings{Seed: 1, Workers: workers})
		if err != nil || v.Groups != 3 {
			t.Fatalf("%d workers: %d groups, %v, %s %v", workers, v.Groups, v.Range, v.Continuum, err)
		}
		text, err := json.Marshal(v)
		if err != nil || first != nil && !bytes.Equal(first, text) {
			t.Fatalf("%d workers: %s %v", workers, text, err)
		}
		first = text
	}
}

// Groups with lines of their own describe classes that lean each in its own way better
// than lines that all share, and begin where the guide says.
func TestOwnLinesOfGroups(t *testing.T) {
	const k = 3
	rows, questions := styled(1, 600)
	list := make([][]uint32, rows.N())
	for i := range list {
		list[i], _ = rows.Row(i)
	}
	d := coded(list, rows.Dim, questions, nil)
	s := newSample(d.rows, d.lay.cols)
	p := newPath(d.lay, s, 2, 1, "test", nil)
	if m := p.at(candidate{k, ownLines, noRepeats}); m != nil {
		t.Fatal("groups with lines of their own without a guide")
	}
	p = newPath(d.lay, s, 2, 1, "test", nil)
	p.guide[k] = make([]int, s.rows())
	for i, row := range s.of {
		p.guide[k][row] = i % k
	}
	own := p.at(candidate{k, ownLines, noRepeats})
	shared := p.reach(candidate{k, twoTrends, noRepeats})
	if own == nil || own.loglik <= shared.loglik {
		t.Fatalf("own lines %+v, shared ones %.0f", own, shared.loglik)
	}
	labels, right := own.labels(s, &p.st), 0
	for i, row := range s.of {
		right += boolInt(labels[row] == i%k)
	}
	if right < 500 {
		t.Errorf("%d of 600 in their class", right)
	}
}

// One group with lines of its own is one population along these lines.
func TestOwnLinesOfOneGroup(t *testing.T) {
	for _, lay := range []*layout{presenceLayout(6), answerLayout(2, 3, 4)} {
		r := stream.New(3, "test")
		s := newSample(randomRows(r, lay, 200), lay.cols)
		tr := &trainer{lay: lay, s: s, pr: prior{2, lay.overall(s, nil)}}
		line := tr.alone(oneTrend, shapesOf(oneTrend)[0], r)
		own := newModel(lay, 1, ownLine, line.nodes, nil)
		copy(own.b, line.b)
		copy(own.a, line.a)
		tr.em(line, s, 10, 0)
		tr.em(own, s, 10, 0)
		near(t, "log-likelihood", own.loglik, line.loglik, 1e-9*math.Abs(line.loglik))
	}
}

// Of four groups two pairs have no gap inside, and there is one between them.
func TestJoins(t *testing.T) {
	const k, n = 4, 800
	r := stream.New(5, "test")
	s := &odds{k: k}
	for range n {
		pair, x := r.IntN(2), r.NormFloat64()
		row := []float64{-60, -60, -60, -60}
		row[2*pair], row[2*pair+1] = x, -x
		s.of, s.count = append(s.of, row...), append(s.count, 1)
		s.top = append(s.top, slices.Index(row, slices.Max(row)))
	}
	b := &borders{groups: k, rows: []int{0, 1, 2, 3}}
	if b.joins, b.open = s.joins(1, 2); len(b.joins) != 3 || b.open != 2 {
		t.Fatal(b)
	}
	if got := b.joined(2); got[0] != got[1] || got[2] != got[3] || got[0] == got[2] || slices.Max(got) != 1 {
		t.Error(got)
	}
}
